"""Everything random in a match, as pure functions of its 32-byte seed; proto/README specifies the same with vectors."""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from thousand.rules.cards import CARDS, Card

SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32
_PACK: Final = list(CARDS)


def seed_from_int(number: int) -> bytes:
    """A seed for a number people can type: SHA-256 of `thousand/<number>`."""
    return hashlib.sha256(f"thousand/{number}".encode()).digest()


_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))  # HMAC's two paddings of a key, as tables
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
_INDEX: Final = tuple(b"\0" + index.to_bytes(4, "big") for index in range(3))


def _block(seed: bytes, label: str, index: int) -> bytes:
    return hmac.digest(seed, label.encode() + b"\0" + index.to_bytes(4, "big"), "sha256")


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> tuple["hashlib._Hash", "hashlib._Hash"]:
    """HMAC-SHA256 with this key, up to its message: a match asks again and again with one seed."""
    key = seed.ljust(64, b"\0")
    return hashlib.sha256(key.translate(_INNER)), hashlib.sha256(key.translate(_OUTER))


def _three_blocks(seed: bytes, label: str) -> bytes:
    """The first three blocks of the label's stream."""
    inner, outer = _keyed(seed)
    start = inner.copy()
    start.update(label.encode())
    blocks = b""
    for index in _INDEX:
        one, two = start.copy(), outer.copy()
        one.update(index)
        two.update(one.digest())
        blocks += two.digest()
    return blocks


def words(seed: bytes, label: str) -> Iterator[int]:
    """The label's stream of 32-bit words: HMAC-SHA256(seed, label, 0, block number), big-endian."""
    index = 0
    while True:
        block = _block(seed, label, index)
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        index += 1


def draw(stream: Iterator[int], bound: int) -> int:
    """A number 0..bound-1 without bias: words of the last incomplete run are rejected."""
    limit = _WORDS - _WORDS % bound
    while (word := next(stream)) >= limit:
        pass
    return word % bound


_THREE_BLOCKS: Final = struct.Struct(">24I")
_TOP: Final = b"\xff\xff\xff"  # how a word begins that may be rejected for a bound up to 24


def shuffle(seed: bytes, label: str, cards: list[Card]) -> list[Card]:
    """The cards (at most 24) in a new order: Fisher-Yates from the end, `draw` for each."""
    shuffled = list(cards)
    last = len(shuffled) - 1
    blocks = _three_blocks(seed, label)
    drawn = _THREE_BLOCKS.unpack(blocks)
    if _TOP in blocks:  # hardly ever: some word may have to be rejected
        stream = words(seed, label)
        drawn = tuple(draw(stream, i + 1) for i in range(last, 0, -1))
    i: int = last
    word: int  # typed for the compiler
    for word in drawn:
        if i <= 0:
            break
        j = word % (i + 1)
        card = shuffled[i]
        shuffled[i] = shuffled[j]
        shuffled[j] = card
        i -= 1
    return shuffled


def deck(seed: bytes, deal_index: int, redeal_count: int) -> list[Card]:
    """The pack, top first. `deal_index` counts deals begun in the match from 0 and never restarts."""
    return shuffle(seed, f"deck/{deal_index}/{redeal_count}", _PACK)


def dummy_order(seed: bytes, deal_index: int, redeal_count: int, hand: list[Card]) -> list[Card]:
    """The order in which the dummy lays its cards; `hand` sorted by card."""
    return shuffle(seed, f"dummy/{deal_index}/{redeal_count}", sorted(hand))


def first_dealer(seed: bytes, players: int) -> int:
    """The dealer of the first deal, by lot."""
    return draw(words(seed, "dealer"), players)


def bot_seed(seed: bytes, seat: int, table: int = 0) -> int:
    """The 64-bit number a seat's bot draws its own random choices from; another one at each table of a board."""
    label = f"bot/{seat}/{table}" if table else f"bot/{seat}"
    return int.from_bytes(_block(seed, label, 0)[:8], "big")

"""Everything random in a match, as pure functions of its 32-byte seed; proto/README specifies the same with vectors."""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Final

from thousand.rules.cards import CARDS, Card

SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32


def seed_from_int(number: int) -> bytes:
    """A seed for a number people can type: SHA-256 of `thousand/<number>`."""
    return hashlib.sha256(f"thousand/{number}".encode()).digest()


def _block(seed: bytes, label: str, index: int) -> bytes:
    return hmac.digest(seed, label.encode() + b"\0" + index.to_bytes(4, "big"), "sha256")


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


def shuffle(seed: bytes, label: str, cards: list[Card]) -> list[Card]:
    """The cards in a new order: Fisher-Yates from the end."""
    stream = words(seed, label)
    shuffled = list(cards)
    for i in range(len(shuffled) - 1, 0, -1):
        j = draw(stream, i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled


def deck(seed: bytes, deal_index: int, redeal_count: int) -> list[Card]:
    """The pack, top first. `deal_index` counts deals begun in the match from 0 and never restarts."""
    return shuffle(seed, f"deck/{deal_index}/{redeal_count}", list(CARDS))


def dummy_order(seed: bytes, deal_index: int, redeal_count: int, hand: list[Card]) -> list[Card]:
    """The order in which the dummy lays its cards; `hand` sorted by card."""
    return shuffle(seed, f"dummy/{deal_index}/{redeal_count}", sorted(hand))


def first_dealer(seed: bytes, players: int) -> int:
    """The dealer of the first deal, by lot."""
    return draw(words(seed, "dealer"), players)


def bot_seed(seed: bytes, seat: int) -> int:
    """The 64-bit number a seat's bot draws its own random choices from."""
    return int.from_bytes(_block(seed, f"bot/{seat}", 0)[:8], "big")

"""The vectors of proto/conformance, checked with a second implementation written from proto/README.md alone."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from thousand.rules import CARDS, Card, bot_seed, seed_from_int, seeds

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "proto/conformance/shuffle.json").read_text(encoding="utf-8")
)["vectors"]


def naive_words(seed: bytes, label: str, count: int) -> list[int]:
    text = b"".join(
        hmac.new(seed, label.encode() + b"\x00" + bytes([0, 0, 0, block]), hashlib.sha256).digest()
        for block in range(count // 8 + 1)
    )
    return [int.from_bytes(text[i : i + 4], "big") for i in range(0, len(text), 4)]


def naive_shuffle(seed: bytes, label: str, cards: list[str]) -> list[str]:
    words = iter(naive_words(seed, label, 200))
    for i in range(len(cards) - 1, 0, -1):
        word = next(words)
        while word >= 2**32 - 2**32 % (i + 1):
            word = next(words)
        cards[i], cards[word % (i + 1)] = cards[word % (i + 1)], cards[i]
    return cards


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"seed-{v['from_int']}")
def test_the_engine_and_a_second_reading_agree_with_the_vectors(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert (
        seed_from_int(vector["from_int"]) == seed == hashlib.sha256(f"thousand/{vector['from_int']}".encode()).digest()
    )
    for players, dealer in vector["first_dealer"].items():
        assert seeds.first_dealer(seed, int(players)) == dealer == naive_words(seed, "dealer", 1)[0] % int(players)
    for seat, number in enumerate(vector["bot_seed"]):
        assert str(bot_seed(seed, seat)) == number
        first, second = naive_words(seed, f"bot/{seat}/1", 2)[:2]
        assert str(bot_seed(seed, seat, 1)) == vector["bot_seed_at_table_1"][seat] == str(first << 32 | second)
    for deck in vector["decks"]:
        engine = seeds.deck(seed, deck["deal_index"], deck["redeal_count"])
        label = f"deck/{deck['deal_index']}/{deck['redeal_count']}"
        assert " ".join(map(str, engine)) == deck["deck"]
        assert naive_shuffle(seed, label, [str(card) for card in CARDS]) == deck["deck"].split()
    for dummy in vector["dummy"]:
        hand = [Card.parse(card) for card in dummy["hand"].split()]
        assert " ".join(map(str, seeds.dummy_order(seed, 0, 0, hand))) == dummy["order"]


def test_a_draw_has_no_bias_and_rejects_the_last_run() -> None:
    assert seeds.draw(iter([2**32 - 1, 5]), 3) == 5 % 3  # 2**32 % 3 == 1: the last word is rejected
    assert seeds.draw(iter([2**32 - 2]), 3) == (2**32 - 2) % 3

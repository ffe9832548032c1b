"""How many ways a few fixed positions go on: whatever changes legality changes a count."""

from typing import Any

import pytest

from tests.support.dsl import deal, play
from thousand.rules import Match, apply, decision


def perft(match: Match, depth: int) -> int:
    """Leaves of the tree of legal actions, so many decisions deep."""
    asked = decision(match)
    if asked is None or depth == 0:
        return 1
    if depth == 1:
        return len(asked.actions)
    total = 0
    for action in asked.actions:
        twin = match.clone()
        apply(twin, action)
        total += perft(twin, depth - 1)
    return total


GIVEN = ("pass", "pass", "give S9>2 C9>0", "contract 100")
CARDS: dict[str, Any] = {
    "hands": "SA ST SJ CA CT D9 H9 | S9 CK C9 DA DT HA HK | SK CQ CJ DQ DJ HT HJ",
    "talon": "SQ DK HQ",
}
NINES: dict[str, Any] = {
    "hands": "SA S9 CA C9 DA D9 H9 | SQ SJ CK DT DK HK HJ | ST CT CQ CJ DQ HA HT",
    "talon": "SK DJ HQ",
}
TWO: dict[str, Any] = {
    "hands": "SA ST SK SQ CA CT CK DK DQ | CQ DA DT DJ HA HT HK HQ HJ",
    "talon": "CJ C9 D9 | SJ S9 H9",
}


@pytest.mark.parametrize(
    ("preset", "cards", "words", "counts"),
    [
        ("browser", CARDS, (), [5, 15, 121]),
        ("classic", CARDS, (), [2, 4, 96, 3878]),
        ("club", CARDS, ("bid 80",), [45, 1035]),
        ("preferans-full", CARDS, (), [6, 25, 169]),
        ("online-full", NINES, (), [2, 4, 12]),
        ("sailors", CARDS, (), [4, 13, 128, 4326]),
        ("browser", CARDS, GIVEN[:2], [91, 1685]),
        ("browser", CARDS, GIVEN, [9, 41, 59, 565, 7162, 57345]),
        ("club", CARDS, ("bid 80", *GIVEN), [9, 18, 26, 193, 447, 815]),
        ("intro", CARDS, GIVEN, [8, 16, 24, 168, 400, 726, 4356]),
        ("headon", TWO, ("pass", "choose 0", "give D9>0 DA>talon", "contract 100"), [10, 65, 693, 4053, 37196]),
        ("preferans-2", TWO, ("bid 105", "pass"), [2, 266]),
    ],
)
def test_counts(preset: str, cards: dict[str, Any], words: tuple[str, ...], counts: list[int]) -> None:
    match = deal(preset, dealer=1 if cards is TWO else 0, **cards)
    play(match, *words)
    assert [perft(match, depth) for depth in range(1, len(counts) + 1)] == counts

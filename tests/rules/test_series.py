"""Who deals and who holds the hundred, from deal to deal and match to match (RULES 4 Series, 5.16)."""

import pytest

from thousand.rules.presets import preset
from thousand.rules.series import first_hundred, next_deal, next_match


@pytest.mark.parametrize(("name", "dealer", "hundred"), [("browser", 2, 0), ("online", 2, 2), ("classic-4", 3, 0)])
def test_first_hundred(name: str, dealer: int, hundred: int) -> None:
    assert first_hundred(preset(name), dealer) == hundred


def test_both_move_one_seat_left() -> None:
    assert next_deal(preset("intro"), 2, 1) == (0, 2)
    assert next_deal(preset("intro-4"), 3, 1) == (0, 2)


@pytest.mark.parametrize(
    ("name", "last_dealer", "winners", "expected"),
    [
        ("browser", 2, [1], (0, 1)),
        ("online", 1, [1], (2, 2)),
        ("intro", 2, [1], (0, 2)),
        ("intro", 0, [0], (2, 1)),
        ("intro-2", 0, [1], (0, 0)),  # left and right of the winner is the opponent
        ("intro-4", 0, [3], (2, 0)),
        ("intro", 0, [0, 2], (1, 0)),  # joint winners: 2 is nearer to forehand 1
        ("intro", 0, [0, 1], (0, 2)),  # 1 is forehand
        ("intro", 1, [1, 2], (1, 0)),  # 2 is forehand
        ("intro", 1, [0, 1], (2, 1)),
        ("intro", 2, [1, 2], (0, 2)),
    ],
)
def test_next_match(name: str, last_dealer: int, winners: list[int], expected: tuple[int, int]) -> None:
    assert next_match(preset(name), last_dealer, winners) == expected

"""Places and stakes at the end of a match (RULES 4 Settlement)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.rules.presets import ruleset_from
from thousand.rules.settlement import match_result, parts, ranking, settle

BROWSER = ruleset_from("browser", {})


@pytest.mark.parametrize(
    ("scores", "winners", "places"),
    [
        ((1000, 300, 200), (0,), (1, 2, 3)),
        ((1000, 200, 200), (0,), (1, 2, 2)),
        ((1000, 1020, 200), (0,), (1, 2, 3)),  # a lower score wins as declarer
        ((1000, 1000, 200), (0, 1), (1, 1, 3)),
        ((-5, 0, 1000, 0), (2,), (4, 2, 1, 2)),
        ((1000, 1010, 200), (0, 1), (1, 1, 3)),  # winners share the first place whatever their scores
    ],
)
def test_ranking(scores: tuple[int, ...], winners: tuple[int, ...], places: tuple[int, ...]) -> None:
    assert ranking(scores, winners) == places


@pytest.mark.parametrize(
    ("kind", "scores", "winners", "stakes"),
    [
        ("none", (1000, 300, 200), (0,), (0, 0, 0)),
        ("difference", (1001, 300, -120), (0,), (1820, -700, -1120)),  # 1000 - own
        ("difference", (1001, 1001, 101), (0, 1), (449, 450, -899)),  # the odd point to the one nearest forehand
        ("proportional", (1001, 640, -120), (0,), (640, -640, 0)),
        ("bank", (500, 1010, -5), (1,), (0, 100, -100)),
        ("bank", (200, 1010, 200), (1,), (-50, 100, -50)),
        ("bank", (1000, 1000, 1000), (0, 1, 2), (0, 0, 0)),
        ("bank", (1000, 1000, 10), (0, 1), (50, 50, -100)),
    ],
)
def test_settlement(kind: str, scores: tuple[int, ...], winners: tuple[int, ...], stakes: tuple[int, ...]) -> None:
    ruleset = ruleset_from("browser", {"settlement": kind})
    assert settle(ruleset, scores, ranking(scores, winners), forehand=1) == stakes


def test_with_two_players_the_loser_pays_the_bank() -> None:
    ruleset = ruleset_from("browser", {"players": 2, "two_player": "talon_2", "settlement": "bank", "bank": 250})
    assert settle(ruleset, (700, 1000), (2, 1), forehand=0) == (-250, 250)


def test_three_equal_last_players_of_four_split_the_bank() -> None:
    ruleset = ruleset_from("browser", {"players": 4, "settlement": "bank"})
    assert settle(ruleset, (0, 0, 1000, 0), (2, 2, 1, 2), forehand=1) == (-33, -34, 100, -33)


@pytest.mark.parametrize(
    ("amount", "count", "expected"), [(100, 1, [100]), (101, 2, [51, 50]), (-101, 2, [-51, -50]), (0, 3, [0, 0, 0])]
)
def test_parts(amount: int, count: int, expected: list[int]) -> None:
    assert parts(amount, count) == expected


@pytest.mark.parametrize(
    ("forehand", "stakes"), [(0, (450, 449, 0, -899)), (1, (449, 450, 0, -899)), (2, (450, 449, 0, -899))]
)
def test_the_odd_point_goes_clockwise_from_forehand(forehand: int, stakes: tuple[int, ...]) -> None:
    ruleset = ruleset_from("browser", {"players": 4, "settlement": "difference"})
    assert settle(ruleset, (1000, 1000, 1000, 101), (1, 1, 3, 4), forehand) == stakes


def test_stakes_are_whole_points() -> None:
    assert all(type(part) is int for part in parts(101, 2))


def test_match_result() -> None:
    result = match_result(BROWSER, [1000, 5, 10], (0,), forehand=0, deals=17, by_limit=False)
    assert result.scores == (1000, 5, 10)
    assert result.ranking == (1, 3, 2)
    assert (result.winners, result.deals, result.by_limit) == ((0,), 17, False)
    assert result.settlement == (0, 0, 0)


@given(
    st.lists(st.integers(-2000, 2000), min_size=2, max_size=4),
    st.sampled_from(["none", "difference", "proportional", "bank"]),
    st.integers(0, 3),
)
def test_stakes_sum_to_nothing(scores: list[int], kind: str, forehand: int) -> None:
    ruleset = ruleset_from("browser", {"settlement": kind})
    best = max(scores)
    places = ranking(scores, [seat for seat, score in enumerate(scores) if score == best])
    assert sum(settle(ruleset, scores, places, forehand % len(scores))) == 0

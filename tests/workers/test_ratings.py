"""Ratings: numbers of the field cases, and numbers whatever comes in."""

import math
import warnings
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from workers.model import INITIAL_SIGMA, RatingParameters
from workers.ratings import Rating, quality, rate

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import trueskill

PLAIN = RatingParameters(beta=INITIAL_SIGMA / 2, tau=INITIAL_SIGMA / 100, draw_probability=0.1)
FRESH = (25.0, INITIAL_SIGMA)
FAR = st.tuples(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
BEYOND = st.tuples(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(0, exclude_min=True, allow_nan=False, allow_infinity=False),
)


def test_b41_an_upset_across_any_gap_is_a_number() -> None:
    for players in (
        [("a", (25.0, 0.8), 1), ("b", (225.0, 0.8), 2), ("c", (225.0, 0.8), 3)],
        [("a", (25.0, 1.0), 1), ("b", (425.0, 1.0), 2)],
    ):
        new = rate(PLAIN, players)
        assert all(math.isfinite(value) for pair in new.values() for value in pair)
        assert new["a"][0] > 25.0


def test_b42_a_winners_shown_score_may_fall_but_not_its_mean() -> None:
    new = rate(PLAIN, [("a", (40.0, 0.8), 1), ("b", (10.0, 0.8), 2), ("c", (10.0, 0.8), 2)])
    mu, sigma = new["a"]
    assert mu >= 40.0
    assert mu - 3 * sigma == pytest.approx(37.587, abs=1e-3)


@pytest.mark.parametrize("seats", list(permutations("abc")))
def test_b43_tied_players_enter_in_id_order_whatever_their_seats(seats: tuple[str, ...]) -> None:
    two = rate(PLAIN, [(s, FRESH, 2 if s == "c" else 1) for s in seats])
    assert [two[s][0] for s in "abc"] == pytest.approx([27.552, 27.557, 19.891], abs=1e-3)
    three = rate(PLAIN, [(s, FRESH, 1) for s in seats])
    assert [three[s][1] for s in "abc"] == pytest.approx([5.699, 5.695, 5.699], abs=1e-3)


def rated(players: list[tuple[Rating, int]]) -> dict[str, Rating]:
    """New ratings by the players' number."""
    return rate(PLAIN, [(str(i), rating, place) for i, (rating, place) in enumerate(players)])


@settings(max_examples=60)
@given(st.lists(st.tuples(FAR, st.integers(1, 4)), min_size=2, max_size=4))
@example([((1e6, 1e-3), 2), ((-1e6, 1e-3), 1)])
@example([((1e6, 1e-3), 1), ((-1e6, 1e-3), 1), ((0.0, 1e6), 1)])
def test_far_out_numbers_come_out_and_an_only_winner_gains(players: list[tuple[Rating, int]]) -> None:
    new = rated(players)
    assert all(math.isfinite(mu) and math.isfinite(sigma) and sigma > 0 for mu, sigma in new.values())
    best = min(place for _, place in players)
    winners = [i for i, (_, place) in enumerate(players) if place == best]
    if len(winners) == 1:
        before = players[winners[0]][0][0]
        assert new[str(winners[0])][0] >= before - 1e-9 * max(1.0, abs(before))


@settings(max_examples=50)
@given(st.lists(st.tuples(BEYOND, st.integers(1, 4)), min_size=2, max_size=4))
def test_beyond_all_floats_ratings_stay_numbers(players: list[tuple[Rating, int]]) -> None:
    assert all(math.isfinite(mu) and math.isfinite(sigma) for mu, sigma in rated(players).values())


def test_draws_need_a_probability() -> None:
    with pytest.raises(ValueError, match="above 0"):
        rate(RatingParameters(draw_probability=0.0), [("a", FRESH, 1), ("b", FRESH, 2)])


@given(st.lists(st.tuples(st.floats(-20, 80), st.floats(0.5, 9)), min_size=2, max_size=4))
@settings(deadline=None)
def test_quality_is_the_librarys(ratings: list[tuple[float, float]]) -> None:
    p = RatingParameters()
    environment = trueskill.TrueSkill(p.mu, p.sigma, p.beta, p.tau, p.draw_probability)
    theirs = environment.quality([(environment.create_rating(mu, sigma),) for mu, sigma in ratings])
    assert quality(p, ratings) == pytest.approx(theirs, rel=1e-6, abs=1e-12)
    assert quality(p, ratings[::-1]) == pytest.approx(quality(p, ratings), rel=1e-9)

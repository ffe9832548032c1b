"""Ratings: numbers of the field cases, extremes, and folding in any number of steps."""

import math
import warnings
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workers import arena
from workers.codec import to_json
from workers.fold import Fold
from workers.model import (
    INITIAL_SIGMA,
    Leaderboard,
    LedgerEntry,
    MatchEnd,
    MatchReport,
    Player,
    RatingParameters,
    Scope,
)
from workers.projection import project, rebuild
from workers.ratings import quality, rate
from workers.scheduler import Scheduler
from workers.standings import Projection, Standing, rank
from workers.store import Store, keys

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import trueskill

PLAIN = RatingParameters(draw_probability=0.1)
FRESH = (25.0, INITIAL_SIGMA)


def entry(order: str, index: int = 0) -> LedgerEntry:
    """A block of one match: the players in order of their places."""
    seats = tuple(Player(name) for name in order)
    match = MatchReport(f"m{index}", seats, MatchEnd.PLAYED, (1, 2, 3), (9, 8, 7), 3, 30, ({}, {}, {}))
    return LedgerEntry("t1", index, 1, f"t1_{index}", "tournament", True, (match,))


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


def test_b46_the_order_matters_and_is_the_ledgers() -> None:
    means = set()
    for order in permutations(["abc", "bca", "cab", "acb"]):
        fold = Fold(PLAIN)
        for index, played in enumerate(order):
            fold.add(entry(played, index), index)
        means.add(round(fold.standings["a.1"].mu, 3))
    assert (min(means), max(means)) == (24.230, 29.084)


def test_a_fold_in_steps_equals_a_fold_at_once(store: Store) -> None:
    arena.present(store, 4, places=6)
    arena.tournament(store, 4)
    scheduler = Scheduler(store, queue := arena.ListQueue())
    from tests.workers.test_store import finish

    while store.blocks.due(store.now_ms()) or not len(store.ledger):
        scheduler.tick()
        for block_id, fence in queue.jobs:
            block = store.blocks.get(block_id)
            assert block is not None
            finish(store, block, fence)
        queue.jobs.clear()
    scheduler.tick()
    assert len(store.ledger) == 4
    for board in store.leaderboards.all():
        before = store.leaderboards.dump(board.leaderboard_id)
        assert before
        assert rebuild(store, board)
        fold = Fold(board.parameters)
        for place, it in enumerate(store.ledger.read(0)):
            fold.add(it, place)
        assert fold.standings == store.leaderboards.standings(board.leaderboard_id)


def ledger(store: Store, *orders: str) -> Leaderboard:
    """The leaderboard over all of a ledger with these blocks more."""
    for index, order in enumerate(orders):
        store.connection.client.rpush(keys.LEDGER, to_json(entry(order, index)))
    return store.leaderboards.create(Leaderboard("x", "X", Scope.ALL))


def test_a_damaged_leaderboard_is_told_and_mended_by_a_rebuild(store: Store) -> None:
    board = ledger(store, "abc", "bca", "cab")
    assert rebuild(store, board)
    project(store, board)
    right = store.leaderboards.dump("x")
    raw = store.connection.client.hget(keys.standings("x"), "a.1")
    store.connection.client.hset(keys.standings("x"), "a.1", raw.replace(b'"matches":3', b'"matches":4'))
    assert not rebuild(store, board)
    assert store.leaderboards.dump("x") == right
    assert rebuild(store, board)


def test_what_is_not_folded_yet_is_no_damage(store: Store) -> None:
    board = ledger(store, "abc")
    project(store, board)
    ledger(store, "bca")
    assert rebuild(store, board)
    assert store.leaderboards.cursor(board)[0] == 1


def test_a_fold_begun_before_a_rebuild_stores_nothing_after_it(store: Store) -> None:
    board = ledger(store, "abc")
    project(store, board)
    cursor, matches = store.leaderboards.cursor(board)
    changed = Projection(matches + 1, store.leaderboards.standings("x"))
    store.leaderboards.clear("x")
    assert not store.leaderboards.project(board, cursor, cursor + 1, changed)
    assert project(store, board) == 1
    assert rebuild(store, board)


def test_a_leaderboard_of_other_parameters_is_another(store: Store) -> None:
    first = store.leaderboards.create(Leaderboard("x", "X", Scope.ALL))
    again = store.leaderboards.create(Leaderboard("x", "X", Scope.ALL, parameters=PLAIN))
    assert first == again
    assert project(store, first) == 0


def test_a_new_version_enters_from_its_predecessors_mean() -> None:
    fold = Fold(PLAIN)
    for index in range(20):
        fold.add(entry("abc", index), index)
    old = fold.standings["a.1"]
    newer = MatchReport("m", (Player("a", 2), Player("b"), Player("c")), MatchEnd.PLAYED, (1, 1, 1), (1, 1, 1), 3, 9)
    fold.add(LedgerEntry("t", 1, 1, "b", "r", True, (newer,)), 20)
    assert fold.standings["a.2"].mu > 30  # a draw with two weak ones costs it some of 40
    assert fold.standings["a.2"].sigma > old.sigma
    assert fold.standings["a.1"] == old


def test_draws_need_a_probability() -> None:
    with pytest.raises(ValueError, match="above 0"):
        rate(RatingParameters(draw_probability=0.0), [("a", FRESH, 1), ("b", FRESH, 2)])


def test_b49_ties_share_a_place_and_zero_has_one() -> None:
    names = {"1": "bob", "2": "zoe", "3": "amy", "4": "Ünal", "5": "nil"}
    scores = {"1": 30.0, "2": 25.0, "3": 25.0, "4": 25.0, "5": 0.0}
    found = rank([Standing(Player(i), scores[i] + 3, 1.0, 7) for i in names], names)
    assert [(r.rank, r.name) for r in found] == [(1, "bob"), (2, "amy"), (2, "zoe"), (2, "Ünal"), (5, "nil")]


@given(st.lists(st.tuples(st.floats(-20, 80), st.floats(0.5, 9)), min_size=2, max_size=4))
@settings(deadline=None)
def test_quality_is_the_librarys(ratings: list[tuple[float, float]]) -> None:
    p = RatingParameters()
    environment = trueskill.TrueSkill(p.mu, p.sigma, p.beta, p.tau, p.draw_probability)
    theirs = environment.quality([(environment.create_rating(mu, sigma),) for mu, sigma in ratings])
    assert quality(p, ratings) == pytest.approx(theirs, rel=1e-6, abs=1e-12)
    assert quality(p, ratings[::-1]) == pytest.approx(quality(p, ratings), rel=1e-9)

"""Ranks with shared places, and histories that stay small."""

from itertools import pairwise

from workers.model import Player
from workers.standings import HISTORY, Standing, appended, history_points, pair_key, rank
from workers.sums import Sums

A = Player("a")


def test_b49_ties_share_a_place_and_zero_has_one() -> None:
    names = {"1": "bob", "2": "zoe", "3": "amy", "4": "Ünal", "5": "nil"}
    scores = {"1": 30.0, "2": 25.0, "3": 25.0, "4": 25.0, "5": 0.0}
    found = rank([Standing(Player(i), scores[i] + 3, 1.0, 7) for i in names], names)
    assert [(r.rank, r.name) for r in found] == [(1, "bob"), (2, "amy"), (2, "zoe"), (2, "Ünal"), (5, "nil")]


def test_inside_a_tie_more_matches_then_less_doubt_come_first() -> None:
    rows = [Standing(Player("x"), 4.0, 1.0, 5), Standing(Player("y"), 7.0, 2.0, 9), Standing(Player("z"), 1.0, 0.0, 5)]
    assert [(r.rank, r.standing.player.bot_id) for r in rank(rows, {})] == [(1, "y"), (1, "z"), (1, "x")]
    assert [r.rank for r in rank(rows, {}, before=4)] == [5, 5, 5]


def played(blocks: int) -> Standing:
    """After so many blocks of six, each at the next even place of the ledger."""
    return Standing(A, 25 + blocks / 8, 8 / (1 + blocks), 6 * blocks, sums=Sums(blocks), last_entry=2 * blocks)


def test_a_history_stays_small_and_covers_the_whole_career() -> None:
    history = b""
    sizes = set()
    for blocks in range(1, 40 * HISTORY):
        history = appended(history, played(blocks))
        sizes.add(len(history))
        if blocks in (1, HISTORY, HISTORY + 1, 1000, 40 * HISTORY - 1):
            points = history_points(history, played(blocks))
            assert len(points) + 1 >= HISTORY // 2 or blocks < HISTORY
            assert len(points) <= HISTORY + 1
            assert points[-1].entry == 2 * blocks
            steps = {b.entry - a.entry for a, b in pairwise(points[:-1])}
            assert len(steps) <= 1  # evenly spaced
            assert all(p.matches == 3 * p.entry and p.mu == 25 + p.entry / 16 for p in points)
    assert max(sizes) == 24 * HISTORY


def test_a_pair_has_one_name() -> None:
    assert pair_key("b.1", "a.2") == pair_key("a.2", "b.1") == "a.2 b.1"

"""Folding entries: every sum against a naive recount, in any number of steps, and what enters how."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workers import ledgers
from workers.blocks import no_show
from workers.fold import Fold, touched
from workers.model import INITIAL_SIGMA, LedgerEntry, MatchEnd, MatchReport, NoShow, Player, RatingParameters, Unit
from workers.ratings import rate
from workers.standings import Projection, history_points

PLAIN = RatingParameters(beta=INITIAL_SIGMA / 2, tau=INITIAL_SIGMA / 100, draw_probability=0.1)


def entry(order: str, index: int = 0) -> LedgerEntry:
    """A block of one match: the players in order of their places."""
    seats = tuple(Player(name) for name in order)
    match = MatchReport(f"m{index}", seats, MatchEnd.PLAYED, (1, 2, 3), (9, 8, 7), 3, 30, ({}, {}, {}))
    return LedgerEntry("t1", index, 1, f"t1_{index}", "tournament", True, (match,))


def folded(entries: list[LedgerEntry], parameters: RatingParameters = PLAIN) -> Projection:
    """All at once."""
    fold = Fold(parameters)
    for place, it in enumerate(entries):
        fold.add(it, place)
    return fold.now


def test_b46_the_order_matters_and_is_the_ledgers() -> None:
    means = set()
    for order in permutations(["abc", "bca", "cab", "acb"]):
        means.add(round(folded([entry(played, i) for i, played in enumerate(order)]).standings["a.1"].mu, 3))
    assert (min(means), max(means)) == (24.230, 29.084)


def test_b24_every_sum_is_what_a_recount_finds() -> None:
    entries = ledgers.blocks(40, bots=6)
    now = folded(entries)
    matches = [match for it in entries for match in it.matches]
    assert now.matches == len(matches)
    for key, standing in now.standings.items():
        mine = [(m, [p.key for p in m.seats].index(key)) for m in matches if key in {p.key for p in m.seats}]
        assert standing.matches == sum(standing.places) == sum(standing.seats) == len(mine)
        assert list(standing.places) == [sum(m.ranking[s] == place for m, s in mine) for place in (1, 2, 3)]
        assert standing.seats == (len(mine) // 3,) * 3
        assert standing.sums.points == sum(m.scores[s] for m, s in mine)
        assert standing.sums.deals == sum(m.deals for m, _ in mine)
        assert standing.sums.blocks == len({m.match_id.rpartition("-")[0] for m, _ in mine})
        assert standing.strikes == sum((Counter(m.strikes[s]) for m, s in mine), Counter())
        assert standing.forfeits == sum(s in m.faulty for m, s in mine)
        assert standing.last_entry == max(
            i for i, it in enumerate(entries) if key in {p.key for p in it.matches[0].seats}
        )
        assert history_points(now.histories[key], standing)[-1].mu == standing.mu


def test_pairs_are_what_a_recount_finds() -> None:
    entries = ledgers.blocks(30, bots=5)
    now = folded(entries)
    assert len(now.pairs) == 10
    for name, pair in now.pairs.items():
        both = [
            (m, keys.index(name.split()[0]), keys.index(name.split()[1]))
            for it in entries
            for m in it.matches
            if set(name.split()) <= set(keys := [p.key for p in m.seats])
        ]
        assert pair.matches == len(both)
        assert pair.ahead == sum(m.ranking[a] < m.ranking[b] for m, a, b in both)
        assert pair.behind == sum(m.ranking[a] > m.ranking[b] for m, a, b in both)
        assert pair.sums.points == sum(m.scores[a] - m.scores[b] for m, a, b in both)
        assert pair.sums.deals == sum(m.deals for m, _, _ in both)


def test_seats_are_what_a_recount_finds() -> None:
    entries = ledgers.blocks(30, bots=5)
    matches = [match for it in entries for match in it.matches]
    table = folded(entries).tables[3]
    for seat, row in enumerate(table.seats):
        assert row.matches == len(matches)
        assert row.firsts == sum(m.ranking[seat] == 1 for m in matches)
        assert row.sums.points == sum(m.scores[seat] for m in matches)
        assert row.dealt_first == sum(m.first_dealer == seat for m in matches)
    known = [m for m in matches if m.first_dealer >= 0]
    for after, row in enumerate(table.from_dealer):
        assert row.matches == len(known)
        assert row.firsts == sum(m.ranking[(m.first_dealer + after) % 3] == 1 for m in known)
        assert row.sums.points == sum(m.scores[(m.first_dealer + after) % 3] for m in known)
    assert [row.dealt_first for row in table.from_dealer] == [len(known), 0, 0]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 30), st.lists(st.integers(1, 9), min_size=1, max_size=8), st.sampled_from(Unit))
def test_a_fold_in_steps_that_know_only_what_they_touch_equals_one_at_once(
    seed: int, steps: list[int], unit: Unit
) -> None:
    entries = ledgers.blocks(sum(steps), bots=5, seed=seed, versions=3)
    parameters = replace(PLAIN, unit=unit)
    whole = folded(entries, parameters)
    kept = Projection()
    done = 0
    for step in steps:
        chunk = entries[done : done + step]
        players, pairs = touched(chunk)
        known = Projection(
            kept.matches,
            {k: v for k, v in kept.standings.items() if k in players},
            {k: v for k, v in kept.pairs.items() if k in pairs},
            {k: v for k, v in kept.histories.items() if k in players},
            dict(kept.tables),
        )
        fold = Fold(parameters, known)
        for place, it in enumerate(chunk, done):
            fold.add(it, place)
        kept.matches = fold.now.matches
        for name in ("standings", "pairs", "histories", "tables"):
            getattr(kept, name).update(getattr(fold.now, name))
        done += step
    assert kept == whole


def test_a_new_version_enters_from_its_predecessor_s_mean_with_wider_sigma() -> None:
    now = folded([entry("abc", i) for i in range(20)])
    old = now.standings["a.1"]
    newer = MatchReport("m", (Player("a", 3), Player("b"), Player("c")), MatchEnd.PLAYED, (1, 1, 1), (1, 1, 1), 3, 9)
    fold = Fold(PLAIN, now)
    fold.add(LedgerEntry("t", 1, 1, "b", "r", True, (newer,)), 20)
    entered = {"a.3": (old.mu, PLAIN.new_version_sigma)} | {
        k: (now.standings[k].mu, now.standings[k].sigma) for k in ("b.1", "c.1")
    }
    assert old.sigma < PLAIN.new_version_sigma
    assert fold.standings["a.1"] == old
    three = folded([entry("abc", i) for i in range(20)]).standings
    expected = rate(
        PLAIN,
        [
            ("a.3", entered["a.3"], 1),
            ("b.1", (three["b.1"].mu, three["b.1"].sigma), 1),
            ("c.1", (three["c.1"].mu, three["c.1"].sigma), 1),
        ],
    )
    assert (fold.standings["a.3"].mu, fold.standings["a.3"].sigma) == expected["a.3"]


def test_a_new_version_of_an_unsure_one_is_no_surer() -> None:
    now = folded([entry("abc")])
    fold = Fold(PLAIN, now)
    before = now.standings["a.1"]
    assert before.sigma > PLAIN.new_version_sigma
    assert fold._newcomer(Player("a", 2)).sigma == before.sigma


def test_what_was_not_played_moves_ratings_by_policy_and_no_seat() -> None:
    seats = tuple(Player(name) for name in "abc")
    last = replace(entry("abc"), matches=(no_show("m", seats, [2], NoShow.LAST),))
    now = folded([last])
    assert (now.standings["c.1"].mu < 25 < now.standings["a.1"].mu, now.standings["c.1"].forfeits) == (True, 0)
    assert (now.pairs, now.tables) == ({}, {})
    assert folded([replace(last, matches=(no_show("m", seats, [2], NoShow.UNRATED),))]) == Projection()


def test_a_walkover_counts_as_a_block_but_makes_no_mean_surer() -> None:
    seats = tuple(Player(name) for name in "abc")
    walkover = replace(entry("abc"), index=1, matches=(no_show("m", seats, [2], NoShow.LAST),))
    now = folded([entry("abc"), walkover]).standings["a.1"]
    assert (now.blocks, now.sums) == (2, folded([entry("abc")]).standings["a.1"].sums)
    assert now.sums.half is None


def test_a_block_is_one_game_where_the_leaderboard_says_so() -> None:
    it = ledgers.blocks(1, bots=3)[0]
    sums = {p.key: sum(m.ranking[m.seats.index(p)] for m in it.matches) for p in it.matches[0].seats}
    fresh = (25.0, INITIAL_SIGMA)
    expected = rate(PLAIN, [(k, fresh, 1 + sum(o < total for o in sums.values())) for k, total in sums.items()])
    now = folded([it], replace(PLAIN, unit=Unit.BLOCK))
    assert {k: (s.mu, s.sigma) for k, s in now.standings.items()} == expected
    assert {s.matches for s in now.standings.values()} == {6}


@pytest.mark.parametrize("seats", [2, 4])
def test_other_tables_are_summed_apart(seats: int) -> None:
    players = tuple(Player(f"b{i}") for i in range(seats))
    match = MatchReport("m", players, MatchEnd.PLAYED, tuple(range(1, seats + 1)), (5,) * seats, 2, 9, first_dealer=1)
    now = folded([LedgerEntry("t", 0, 1, "b", "r", True, (match,))])
    assert list(now.tables) == [seats]
    assert now.standings["b0.1"].places == (1, *(0,) * (seats - 1))
    assert len(now.pairs) == seats * (seats - 1) // 2

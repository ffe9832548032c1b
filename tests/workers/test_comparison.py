"""Comparison as a format: boards of two tables, in rounds, until the answer is known."""

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.workers import arena
from thousand.comparison import ALIKE, BATCH, LEAST, sequential_interval
from workers.formats import InvalidFormat, Plan, next_round, outlook
from workers.formats.comparison import board, differences
from workers.model import LedgerEntry, MatchEnd, MatchReport, Player, TournamentState
from workers.scheduler import Scheduler
from workers.store import Store

FOUR = arena.entrants(4)
END = MatchEnd.PLAYED


def entry(number: int, points: Sequence[int], end: MatchEnd = END) -> LedgerEntry:
    """A board in which A and B scored these points."""
    table = board(3, number)
    matches = []
    for at, candidate in enumerate((0, 1)):
        seats = tuple(FOUR[i].player for i in table[3 * at : 3 * at + 3])
        scores = tuple(points[candidate] if player == FOUR[candidate].player else 7 for player in seats)
        matches.append(MatchReport(f"m{number}-{at}", seats, end, (1, 1, 1), scores, 1, 30))
    return LedgerEntry("t", number, number // BATCH + 1, f"t_{number}", "x", False, tuple(matches), board=True)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_both_sit_in_the_same_seat_amid_the_same_field_and_in_every_seat_alike(seats: int) -> None:
    tables = next_round("comparison", Plan(seats, options={"boards": 24}), arena.entrants(seats + 1))
    assert tables is not None
    places: Counter[tuple[int, ...]] = Counter()
    for table in tables:
        mine, theirs = table[:seats], table[seats:]
        assert [1 if who == 0 else who for who in mine] == list(theirs)
        assert sorted(mine) == [0, *range(2, seats + 1)]
        places[mine] += 1
    assert len(set(places.values())) == 1


def test_it_goes_on_in_rounds_until_the_answer_is_known() -> None:
    results: list[LedgerEntry] = []
    plan = Plan(3, options={"boards": 1000})
    while (tables := next_round("comparison", plan, FOUR, results)) is not None:
        assert len(tables) == BATCH
        results += [entry(len(results) + i, (60 + 10 * (i % 3), 20)) for i in range(len(tables))]
    assert len(results) == LEAST
    mean, half = sequential_interval(differences(results, FOUR))
    assert mean == pytest.approx(50, abs=1)
    assert 0 < half < mean


def test_it_ends_when_nothing_differs_at_the_limit_and_when_nobody_plays() -> None:
    def rounds(options: dict[str, object], points: Sequence[int], end: MatchEnd = END) -> int:
        results: list[LedgerEntry] = []
        while tables := next_round("comparison", Plan(3, options=options), FOUR, results):
            results += [entry(len(results) + i, points, end) for i in range(len(tables))]
        return len(results)

    assert rounds({}, (20, 20)) == ALIKE
    assert rounds({"boards": 90}, (20, 20)) == 90
    assert rounds({}, (0, 0), MatchEnd.NO_SHOW) == BATCH
    assert rounds({"tenths": 10_000}, (300, 20)) == LEAST


def test_the_field_must_fit() -> None:
    with pytest.raises(InvalidFormat, match="a field of 2, not 1"):
        next_round("comparison", Plan(3), arena.entrants(3))
    counts = outlook("comparison", Plan(3, options={"boards": 100}), FOUR)
    assert (counts.blocks, counts.matches, counts.exact) == (100, 200, False)


def test_each_plays_a_board_once_and_never_more_matches_than_it_has_places(
    store: Store, referee: arena.DiceReferee
) -> None:
    queue = arena.ListQueue()
    made = arena.tournament(
        store, 4, format="comparison", options={"boards": 12}, owners_may_meet=True, rated=False, listed=False
    )
    arena.play_out(store, Scheduler(store, queue), queue)
    assert store.tournaments.state("t1") is TournamentState.FINISHED
    assert store.leaderboards.all() == []
    assert referee.most_open == {f"b{i}": 1 for i in range(4)}
    by_deck: dict[bytes, list[list[str]]] = {}
    for request in referee.requests:
        by_deck.setdefault(request.seed, []).append([seat.bot_id for seat in request.seats])
    assert len(by_deck) == 12
    for mine, theirs in by_deck.values():
        assert mine.index("b0") == theirs.index("b1")
        assert {"b2", "b3"} <= set(mine) & set(theirs)
    block = store.blocks.get("t1_0000000")
    assert block is not None
    assert block.players == (Player("b0"), Player("b2"), Player("b3"), Player("b1"))
    assert len(made.entrants) == 4

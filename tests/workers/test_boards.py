"""Boards: the laws of the format, what a board counts, and what is kept secret until its last table has finished."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.workers import arena
from thousand.rules import PRESETS, Ruleset, one_deal
from workers.boards import is_sealed, same_cards
from workers.fold import Fold
from workers.formats import InvalidFormat, Plan, Table, next_round, outlook
from workers.model import (
    Block,
    BlockState,
    Entrant,
    LedgerEntry,
    MatchEnd,
    MatchReport,
    NoShow,
    Player,
    RatingParameters,
    Tournament,
)
from workers.projection import rebuild
from workers.scheduler import Scheduler
from workers.store import Store


def laid(entrants: Sequence[Entrant], seats: int, **options: object) -> list[list[Table]]:
    """The boards, each as its tables."""
    found = next_round("boards", Plan(seats, options=options), entrants)
    assert found is not None
    return [[board[i : i + seats] for i in range(0, len(board), seats)] for board in found]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_laws_of_boards_for_every_number_of_entrants(seats: int) -> None:
    for bots in range(2 * seats, 61):
        boards = laid(arena.entrants(bots), seats, boards=bots + 1)
        played = Counter(who for board in boards for table in board for who in table)
        places = Counter((who, seat) for board in boards for table in board for seat, who in enumerate(table))
        assert all(len(board) == 2 and len({who for table in board for who in table}) == 2 * seats for board in boards)
        assert set(played.values()) <= {2 * seats, 2 * seats + 1}
        assert sum(played.values()) == (bots + 1) * 2 * seats
        assert all(played[who] // seats <= places[who, s] <= -(-played[who] // seats) for who, s in places)
        assert len(places) == bots * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_opponents_and_comparisons_are_spread_evenly(seats: int) -> None:
    for bots in (2 * seats, 9, 14, 23, 40, 60):
        boards = laid(arena.entrants(bots), seats)
        met = Counter(pair for board in boards for table in board for pair in combinations(sorted(table), 2))
        same = Counter(
            pair for board in boards for held in zip(*board, strict=True) for pair in combinations(sorted(held), 2)
        )
        for counts, widest in ((met, 4), (same, 2.5 if bots < 40 else 3)):
            mean = sum(counts.values()) / (bots * (bots - 1) / 2)
            assert max(counts.values()) - mean <= widest, (bots, counts.most_common(3))
            assert mean < 4 or len(counts) == bots * (bots - 1) // 2, bots


@pytest.mark.parametrize(("seats", "tables", "bots"), [(2, 3, 6), (3, 4, 13), (4, 5, 20), (3, 8, 30)])
def test_a_board_is_played_at_as_many_tables_as_told(seats: int, tables: int, bots: int) -> None:
    boards = laid(arena.entrants(bots), seats, tables=tables, boards=7)
    assert [len(board) for board in boards] == [tables] * 7
    assert boards == laid(arena.entrants(bots), seats, tables=tables, boards=7)
    counts = outlook("boards", Plan(seats, options={"tables": tables, "boards": 7}), arena.entrants(bots))
    assert (counts.blocks, counts.matches) == (7, 7 * tables)
    assert counts.per_bot == (7 * tables * seats // bots, -(-7 * tables * seats // bots))


def test_bots_of_one_owner_never_share_a_board_those_of_the_house_may() -> None:
    owned = tuple(Entrant(Player(f"b{i}"), f"o{i % 9}") for i in range(20))
    for board in laid(owned, 3):
        owners = [owned[who].owner_id for table in board for who in table]
        assert len(set(owners)) == 6
    house = tuple(Entrant(Player(f"b{i}"), "house", house=True) for i in range(6))
    assert laid(house, 3)


def test_what_boards_cannot_be_is_refused() -> None:
    def refused(seats: int, entrants: Sequence[Entrant], words: str, **plan: object) -> None:
        with pytest.raises(InvalidFormat, match=words):
            next_round("boards", Plan(seats, **plan), entrants)  # type: ignore[arg-type]

    refused(3, arena.entrants(5), "2 tables of 3: enter 6 bots or more, not 5")
    refused(2, arena.entrants(5), "3 tables of 2: enter 6", options={"tables": 3})
    refused(3, arena.entrants(8), "from 2 to 8", options={"tables": 1})
    refused(3, arena.entrants(8), "from 1 to", options={"boards": 0})
    refused(3, arena.entrants(8), "never share a board", owners_may_meet=True)
    refused(3, tuple(Entrant(Player(f"b{i}"), f"o{i % 5}") for i in range(20)), "of 6 owners, not 5")


def report(number: int, scores: Sequence[int], *, forfeit: int = -1, absent: int = -1) -> MatchReport:
    """Table `number` of a board: p00, p01, p02 at the first, p10 … at the next."""
    seats = tuple(Player(f"p{number}{seat}") for seat in range(len(scores)))
    ranking = tuple(1 + sum(other > mine for other in scores) for mine in scores)
    end = MatchEnd.PLAYED if absent < 0 else MatchEnd.NO_SHOW
    faulty = tuple(seat for seat in (forfeit, absent) if seat >= 0)
    return MatchReport(f"m{number}", seats, end, ranking, tuple(scores), 1, 30, ({},) * len(seats), faulty)


def test_a_score_counts_against_those_with_the_same_cards() -> None:
    first, second, third = same_cards([report(0, [100, -20, 60]), report(1, [140, 50, 60])])
    assert [(h.player.bot_id, h.place, h.points) for h in first] == [("p00", 2, -40), ("p10", 1, 40)]
    assert [(h.place, h.points) for h in second] == [(2, -70), (1, 70)]
    assert [(h.place, h.points) for h in third] == [(1, 0), (1, 0)]
    of_three = same_cards([report(0, [100]), report(1, [40]), report(2, [45])])[0]
    assert [(h.place, h.points) for h in of_three] == [(1, 115), (3, -65), (2, -50)]
    assert {h.deals for h in of_three} == {2}


def test_who_forfeits_a_board_is_last_whatever_the_caretaker_scored() -> None:
    first, second, _ = same_cards([report(0, [120, 0, 0], forfeit=0), report(1, [-120, 0, 10])])
    assert [h.place for h in first] == [2, 1]
    assert [h.points for h in first] == [240, -240]
    assert [h.place for h in second] == [1, 1]


def test_nobody_is_compared_with_those_who_never_played() -> None:
    gone = report(1, [0, 0, 0], absent=0)
    first, second, third = same_cards([report(0, [100, 0, 0]), gone])
    assert [(h.player.bot_id, h.place) for h in first] == [("p00", 1), ("p10", 2)]  # the policy "last" rates it
    assert second == third == ()
    assert same_cards([report(0, [100, 0, 0], absent=1), report(1, [0, 0, 0])])[1]
    unrated = MatchReport("m1", gone.seats, MatchEnd.NO_SHOW, (2, 1, 1), (0, 0, 0), faulty=(0,), rated=False)
    assert same_cards([report(0, [100, 0, 0]), unrated]) == [(), (), ()]


def test_each_seat_of_a_board_is_rated_for_itself_and_differences_are_tallied() -> None:
    fold = Fold(RatingParameters())
    entry = LedgerEntry(
        "t1", 0, 1, "t1_0", "tournament-boards", True, (report(0, [5, 30, 0]), report(1, [9, 20, 0])), board=True
    )
    fold.add(entry, 0)
    found = {s.player.bot_id: s for s in fold.standings.values()}
    assert found["p10"].mu > 25.0 > found["p00"].mu  # although p00 was second at its table, and p10 last
    assert found["p01"].mu - 25.0 == pytest.approx(25.0 - found["p11"].mu)
    assert found["p02"].mu == pytest.approx(25.0, abs=0.01)
    assert (found["p00"].sums.mean, found["p10"].sums.mean, found["p01"].places) == (-4, 4, (1, 0))
    assert found["p00"].seats == (1, 0, 0)
    assert fold.now.matches == 2
    assert sorted(fold.now.pairs) == ["p00.1 p10.1", "p01.1 p11.1", "p02.1 p12.1"]
    assert (fold.now.pairs["p00.1 p10.1"].behind, fold.now.pairs["p00.1 p10.1"].sums.points) == (1, -4)
    match = Fold(RatingParameters())
    seats = (Player("a"), Player("b"))
    two = MatchReport("m", seats, MatchEnd.PLAYED, (1, 2), (9, 8), 1, 9, ({}, {}))
    match.add(LedgerEntry("t1", 0, 1, "t1_0", "headon", True, (two,)), 0)
    assert match.standings["a.1"].mu > found["p10"].mu  # one deal says less than a match


def boards(store: Store, count: int = 6, **changes: object) -> Tournament:
    """A running tournament of boards."""
    return arena.tournament(store, count, **{"format": "boards", "options": {"boards": 4}} | changes)


def test_the_matches_of_boards_have_one_deal_from_level_scores(store: Store) -> None:
    made = boards(store, preset="bank-golden", ruleset=PRESETS["bank-golden"].to_dict())
    assert Ruleset.from_dict(made.ruleset) == one_deal(PRESETS["bank-golden"])
    names = {board.leaderboard_id for board in store.leaderboards.all()}
    assert names == {"tournament-t1", "ruleset-bank-golden-boards", "all"}


def test_all_tables_of_a_board_get_one_deck_and_no_two_boards_the_same(
    store: Store, referee: arena.DiceReferee
) -> None:
    boards(store, options={"boards": 4, "tables": 2})
    queue = arena.ListQueue()
    referee.delay = 0.2  # so that one table has not finished before the other begins
    arena.play_out(store, Scheduler(store, queue), queue)
    by_block: dict[str, set[tuple[bytes, int]]] = {}
    for request in referee.requests:
        by_block.setdefault(request.block_id, set()).add((request.seed, request.table))
        assert request.ruleset.max_deals == 1
    assert [sorted(table for _, table in found) for found in by_block.values()] == [[0, 1]] * 4
    decks = [{seed for seed, _ in found} for found in by_block.values()]
    assert all(len(found) == 1 for found in decks)
    assert len(set().union(*decks)) == 4
    assert referee.most_open == {f"b{i}": 1 for i in range(6)}
    assert referee.most_at_once == 2  # the tables of a board play at the same time
    assert store.tournaments.progress("t1").finished == 8
    standings = store.leaderboards.standings("tournament-t1").values()
    assert sum(s.sums.points for s in standings) == 0
    assert {s.matches for s in standings} == {4}
    for board in store.leaderboards.all():
        assert rebuild(store, board)


def test_b35_a_board_whose_bot_never_comes_ends_and_rates_nobody(store: Store, referee: arena.DiceReferee) -> None:
    referee.no_show = {"b0"}
    boards(store, postponements=0, no_show=NoShow.UNRATED)
    queue = arena.ListQueue()
    arena.play_out(store, Scheduler(store, queue), queue)
    progress = store.tournaments.progress("t1")
    assert progress.finished + progress.no_show == 8
    assert progress.no_show == 4
    assert store.leaderboards.standings("tournament-t1") == {}


def test_a_board_is_sealed_until_its_last_table_has_finished(store: Store) -> None:
    boards(store)
    scheduler, queue = Scheduler(store, arena.ListQueue()), arena.ListQueue()
    arena.present(store, 6)
    scheduler.tick()
    block = store.blocks.get(store.blocks.in_flight()[0])
    assert isinstance(block, Block)
    assert queue.jobs == []
    assert is_sealed(block, BlockState.RUNNING)
    assert is_sealed(block, BlockState.PLANNED)
    assert not is_sealed(block, BlockState.DONE)
    assert not is_sealed(block, BlockState.CANCELLED)
    assert len({match.match_id for match in block.matches}) == 2


def test_a_tournament_of_too_few_is_refused_at_creation(store: Store) -> None:
    with pytest.raises(InvalidFormat, match="enter 6 bots or more"):
        boards(store, 5)
    assert store.tournaments.get("t1") is None

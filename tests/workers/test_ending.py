"""How blocks end: the ledger holds what the store accepted."""

from dataclasses import replace

import pytest

from tests.workers import arena
from tests.workers.test_store import begun
from workers.ending import finish, finish_without
from workers.model import MatchEnd, NoShow, PlannedMatch, Player
from workers.store import Store


def test_a_block_that_ends_without_a_bot_keeps_what_was_played(store: Store) -> None:
    ((block, fence),) = begun(store)
    played = arena.result(block, 0)
    store.blocks.commit(block.block_id, fence, played, b"record")
    tournament = store.tournaments.get("t1")
    assert tournament is not None
    assert finish_without(store, tournament, block, fence, [Player("b0")])
    store.tournaments.settle("t1")
    (entry,) = store.ledger.read(0)
    assert entry.matches[0] == played
    assert list(entry.matches) == [store.blocks.report(match.match_id) for match in block.matches]
    assert {match.end for match in entry.matches[1:]} == {MatchEnd.NO_SHOW}
    assert all([match.seats[i].bot_id for i in match.faulty] == ["b0"] for match in entry.matches[1:])


def test_a_match_that_had_begun_is_not_voided(store: Store) -> None:
    """Else who is about to lose could save himself by leaving while a referee is down."""
    ((block, fence),) = begun(store)
    begun_match, other = block.matches[:2]
    assert store.blocks.append_journal(block.block_id, fence, begun_match.match_id, 0, [b"x"])
    tournament = store.tournaments.get("t1")
    assert tournament is not None
    assert tournament.no_show is NoShow.UNRATED
    assert finish_without(store, tournament, block, fence, [Player("b0")])
    left, never = store.blocks.report(begun_match.match_id), store.blocks.report(other.match_id)
    assert left is not None
    assert never is not None
    assert (left.rated, left.ranking[left.faulty[0]]) == (True, 3)
    assert not never.rated


def test_an_older_fence_ends_nothing(store: Store) -> None:
    ((block, fence),) = begun(store)
    tournament = store.tournaments.get("t1")
    assert tournament is not None
    assert not finish_without(store, tournament, block, fence - 1, [Player("b0")])
    assert store.blocks.report(block.matches[0].match_id) is None
    store.tournaments.settle("t1")
    assert len(store.ledger) == 0


def test_a_block_without_all_its_results_is_not_finished(store: Store) -> None:
    ((block, fence),) = begun(store)
    tournament = store.tournaments.get("t1")
    assert tournament is not None
    with pytest.raises(RuntimeError, match="1 matches have no result"):
        finish(store, tournament, replace(block, matches=(PlannedMatch("none", (0, 1, 2)),)), fence)

"""Jobs against a real gRPC server and a real Redis."""

import threading
import time

import grpc
import pytest

from tests.support.redis_server import RedisServer
from tests.workers import arena
from workers import jobs
from workers.model import Block, BlockState, MatchEnd, TournamentState
from workers.scheduler import Scheduler
from workers.store import Committed, Store


def _first_block(store: Store, queue: arena.ListQueue) -> tuple[Block, int]:
    Scheduler(store, queue).tick()
    block_id, fence = queue.jobs.pop(0)
    block = store.blocks.get(block_id)
    assert block is not None
    return block, fence


def test_a_tournament_plays_to_its_end(store: Store, referee: arena.DiceReferee) -> None:
    queue = arena.ListQueue()
    arena.tournament(store, 4)
    arena.play_out(store, Scheduler(store, queue), queue)
    progress = store.tournaments.progress("t1")
    assert (progress.matches, progress.finished, progress.blocks, progress.state) == (
        24, 24, 4, TournamentState.FINISHED
    )  # fmt: skip
    assert referee.hosted == 24
    assert len(store.ledger) == 4
    assert store.blocks.reserved() == {}
    standings = store.leaderboards.standings("tournament-t1")
    assert {s.matches for s in standings.values()} == {18}
    assert store.tournaments.revealed("t1") is not None


def test_the_same_seed_gives_the_same_ledger(server: RedisServer, store: Store, referee: arena.DiceReferee) -> None:
    queue = arena.ListQueue()
    dumps = []
    for name in ("t1", "t2"):
        arena.tournament(store, 4, tournament_id=name, public_seed=7)
        arena.play_out(store, Scheduler(store, queue), queue, name)
        dumps.append({k: (s.mu, s.sigma) for k, s in store.leaderboards.standings(f"tournament-{name}").items()})
    assert dumps[0] == dumps[1]
    assert [b.leaderboard_id for b in store.leaderboards.all()] == ["tournament-t1", "tournament-t2"]


def test_a_match_resumes_from_its_journal(store: Store, referee: arena.DiceReferee) -> None:
    arena.tournament(store)
    block, fence = _first_block(store, queue := arena.ListQueue())
    assert store.blocks.claim(block.block_id, fence, "dead worker")
    entries = [b"\x08" + bytes([i]) for i in range(4)]
    assert store.blocks.append_journal(block.block_id, fence, block.matches[0].match_id, 0, entries)
    Scheduler(store, queue).tick(store.now_ms() + 11_000)
    arena.play_queued(queue)
    assert referee.resumed_from[0] == 4
    assert store.blocks.lease(block.block_id).state is BlockState.DONE


def test_an_older_fence_changes_nothing(store: Store, referee: arena.DiceReferee) -> None:
    arena.tournament(store)
    block, old = _first_block(store, queue := arena.ListQueue())
    assert store.blocks.claim(block.block_id, old, "slow worker")
    Scheduler(store, queue).tick(store.now_ms() + 11_000)
    assert not store.blocks.claim(block.block_id, old, "slow worker")
    assert not store.blocks.append_journal(block.block_id, old, block.matches[0].match_id, 0, [b"x"])
    assert store.blocks.commit(block.block_id, old, arena.result(block, 0), b"") is Committed.FENCED
    assert not store.blocks.hand_back(block.block_id, old)
    assert jobs.play_block(block.block_id, old) == "stale"


def test_one_job_run_twice_plays_once(store: Store, referee: arena.DiceReferee) -> None:
    referee.delay = 0.1
    arena.tournament(store)
    block, fence = _first_block(store, arena.ListQueue())
    outcomes: list[str] = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(jobs.play_block(block.block_id, fence))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["done", "stale"]
    assert referee.hosted == 6


def test_as_many_at_once_as_the_least_bot_has_places(store: Store, referee: arena.DiceReferee) -> None:
    referee.delay = 0.1
    address = store.presence.referees()[0].service
    arena.present(store, 3, places=3, service=address)
    arena.tournament(store)
    block, fence = _first_block(store, arena.ListQueue())
    assert jobs.play_block(block.block_id, fence) == "done"
    assert set(referee.most_open.values()) == {3}


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL])
def test_b04_infrastructure_errors_are_no_results(
    store: Store, referee: arena.DiceReferee, status: grpc.StatusCode
) -> None:
    referee.fail = [status] * 8
    queue = arena.ListQueue()
    arena.tournament(store)
    block, fence = _first_block(store, queue)
    assert jobs.play_block(block.block_id, fence) == "unreachable"
    assert store.blocks.report(block.matches[0].match_id) is None
    lease = store.blocks.lease(block.block_id)
    assert (lease.state, lease.postponements) == (BlockState.PLANNED, 0)
    time.sleep(0.6)
    arena.play_out(store, Scheduler(store, queue), queue)
    assert store.tournaments.progress("t1").finished == 6


def test_b04_a_cancelled_match_is_no_result(store: Store, referee: arena.DiceReferee) -> None:
    arena.tournament(store, 4)
    block, fence = _first_block(store, arena.ListQueue())
    assert store.blocks.claim(block.block_id, fence, "worker")
    assert store.tournaments.cancel("t1")
    assert store.blocks.commit(block.block_id, fence, arena.result(block, 0), b"") is Committed.FENCED
    progress = store.tournaments.progress("t1")
    assert (progress.cancelled, progress.finished, len(store.ledger)) == (24, 0, 0)
    assert store.blocks.reserved() == {}


@pytest.mark.parametrize("seconds", [3, pytest.param(20, marks=pytest.mark.soak)])
def test_b22_the_store_goes_away_as_a_match_ends(
    server: RedisServer, store: Store, referee: arena.DiceReferee, seconds: int
) -> None:
    referee.delay = 0.3
    arena.tournament(store)
    block, fence = _first_block(store, queue := arena.ListQueue())
    job = threading.Thread(target=lambda: jobs.play_block(block.block_id, fence))
    job.start()
    time.sleep(0.2)
    server.kill()
    time.sleep(seconds)
    server.start()
    job.join(40)
    assert not job.is_alive()
    arena.play_out(store, Scheduler(store, queue), queue)
    assert store.tournaments.progress("t1").finished == 6
    assert store.blocks.conflicts() == []


def test_b35_a_bot_that_never_comes_does_not_stop_the_others(store: Store, referee: arena.DiceReferee) -> None:
    address = store.presence.referees()[0].service
    arena.present(store, 4, service=address)
    queue = arena.ListQueue()
    arena.tournament(store, 5, postponements=2, postpone_ms=10)
    arena.play_out(store, Scheduler(store, queue), queue)
    progress = store.tournaments.progress("t1")
    assert (progress.finished, progress.no_show, progress.matches) == (24, 36, 60)
    standings = store.leaderboards.standings("tournament-t1")
    assert {k: s.matches for k, s in standings.items()} == {f"b{i}.1": 18 for i in range(4)}


def test_b01_a_bot_that_is_never_ready_is_named_and_nothing_is_rated(store: Store, referee: arena.DiceReferee) -> None:
    referee.no_show = {"b1"}
    queue = arena.ListQueue()
    arena.tournament(store, 3, postponements=1, postpone_ms=10)
    arena.play_out(store, Scheduler(store, queue), queue)
    reports = store.ledger.read(0)[0].matches
    assert {r.end for r in reports} == {MatchEnd.NO_SHOW}
    assert all([r.seats[i].bot_id for i in r.faulty] == ["b1"] for r in reports)
    assert store.leaderboards.standings("tournament-t1") == {}


def test_b25_start_failures_are_the_workers(store: Store, referee: arena.DiceReferee) -> None:
    arena.present(store, 3, service="127.0.0.1:9")
    arena.tournament(store)
    block, fence = _first_block(store, arena.ListQueue())
    assert jobs.play_block(block.block_id, fence) == "unreachable"
    assert store.presence.start_failures() == {"worker": 1}
    assert store.blocks.lease(block.block_id).postponements == 0

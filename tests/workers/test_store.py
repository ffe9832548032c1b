"""What the store promises: once, all or nothing, in order; against a real Redis."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.support.redis_server import RedisServer, redis_server
from tests.workers import arena
from workers import blocks
from workers.model import Block, Instance, Owner, TournamentState
from workers.queue import BlockQueue
from workers.scheduler import Scheduler
from workers.seeds import commitment
from workers.store import Committed, Store, StoreError, keys

T = TypeVar("T")


def at_once(count: int, call: Callable[[], T]) -> list[T]:
    """The answers of `count` threads that call together."""
    barrier = threading.Barrier(count)
    answers: list[T] = []

    def run() -> None:
        barrier.wait()
        answers.append(call())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def begun(store: Store, bots: int = 3) -> list[tuple[Block, int]]:
    """Blocks with seats, and their fences."""
    arena.present(store, bots, places=6 * bots)
    queue = arena.ListQueue()
    arena.tournament(store, bots)
    Scheduler(store, queue).tick()
    found = [(store.blocks.get(b), f) for b, f in queue.jobs]
    return [(b, f) for b, f in found if b is not None]


def finish(store: Store, block: Block, fence: int) -> None:
    """Play it by dice."""
    tournament = store.tournaments.get(block.tournament_id)
    assert tournament is not None
    reports = [arena.result(block, n) for n in range(len(block.matches))]
    for report in reports:
        assert store.blocks.commit(block.block_id, fence, report, b"record") is not Committed.FENCED
    assert store.blocks.finish(block, fence, blocks.entry_of(tournament, block, reports))


def test_b20_the_same_result_twice_is_one_and_another_is_a_conflict(store: Store) -> None:
    ((block, fence),) = begun(store)
    report = arena.result(block, 0)
    assert store.blocks.commit(block.block_id, fence, report, b"record") is Committed.STORED
    assert store.blocks.commit(block.block_id, fence, report, b"record") is Committed.SAME
    other = arena.report(block, 0, [1, 2, 3])
    assert store.blocks.commit(block.block_id, fence, other, b"other") is Committed.CONFLICT
    assert store.blocks.report(report.match_id) == report
    assert store.blocks.record(report.match_id) == b"record"
    assert len(store.blocks.conflicts()) == 1


def test_b21_rating_again_and_at_once_changes_nothing(server: RedisServer, store: Store) -> None:
    ((block, fence),) = begun(store)
    finish(store, block, fence)
    store.tournaments.settle("t1")
    at_once(4, lambda: Scheduler(Store(server.url), arena.ListQueue()).rate())
    once = store.leaderboards.dump("tournament-t1")
    for _ in range(3):
        Scheduler(store, arena.ListQueue()).rate()
    assert store.leaderboards.dump("tournament-t1") == once
    assert {s.matches for s in store.leaderboards.standings("tournament-t1").values()} == {6}


def test_b27_scheduling_at_once_and_again_plans_the_number_once(server: RedisServer, store: Store) -> None:
    arena.tournament(store, 5)
    assert not store.tournaments.start("t1")
    at_once(4, lambda: Scheduler(Store(server.url), arena.ListQueue()).tick())
    assert store.tournaments.progress("t1").matches == 60
    assert store.tournaments.opened("t1") == 10
    ids = store.tournaments.match_ids("t1")
    assert len(ids) == len(set(ids)) == 60


def test_b32_a_bot_is_never_seated_beyond_its_places(server: RedisServer, store: Store) -> None:
    arena.present(store, 4)
    arena.tournament(store, 4)
    queue = arena.ListQueue()
    Scheduler(store, queue).tick()
    assert len(queue.jobs) == 1
    assert set(store.blocks.reserved().values()) == {1}
    due = [b for b in map(store.blocks.get, store.blocks.due(store.now_ms())) if b is not None]
    seats = [Instance(p, f"i{p.bot_id[1:]}") for p in due[0].players]
    assert at_once(8, lambda: store.blocks.reserve(due[0], "r1", seats, 0)) == [(0, 0)] * 8


def test_seats_reserved_at_once_are_reserved_by_one(server: RedisServer, store: Store) -> None:
    arena.tournament(store, 4)
    Scheduler(store, arena.ListQueue()).tick()
    due = [b for b in map(store.blocks.get, store.blocks.due(store.now_ms())) if b is not None]
    seats = {b.block_id: [Instance(p, f"i{p.bot_id[1:]}") for p in b.players] for b in due}
    answers: list[tuple[int, int]] = []
    for block in due:
        answers += at_once(4, lambda b=block: store.blocks.reserve(b, "r1", seats[b.block_id], 0))  # type: ignore[misc]
    assert max(answers) == (1, 1)
    assert sum(fence > 0 for fence, _ in answers) == 1
    assert set(store.blocks.reserved().values()) == {1}


def test_b38_the_same_key_makes_one(store: Store) -> None:
    made = at_once(
        8, lambda: store.people.once("me", "k", lambda i: store.people.create_bot("me", "Otto", bot_id=i).bot_id)
    )
    assert len(set(made)) == 1
    assert len(store.people.bots()) == 1


def test_names_are_unique_to_a_reader(store: Store) -> None:
    store.people.create_owner(Owner("o1", "Ünal"))
    with pytest.raises(StoreError, match="taken"):
        store.people.create_owner(Owner("o2", "ünal"))
    bot = store.people.create_bot("o1", "Прикуп")
    assert store.people.find_bot("прикуп") == bot


def test_keys_and_generations(store: Store) -> None:
    owner = store.people.create_owner(Owner("o1", "Ada"))
    store.people.set_api_key("o1", "h1")
    store.people.set_api_key("o1", "h2")
    assert store.people.owner_of_key("h1") is None
    assert store.people.owner_of_key("h2") == owner
    assert not store.people.set_api_key("o1", "h3", first=True)
    assert store.people.owner_of_key("h3") is None
    assert store.people.generations() == {}
    assert store.people.next_generation("b") == 1
    assert store.people.generations() == {"b": 1}


def test_of_keys_made_at_once_one_holds(store: Store) -> None:
    for owner, first in (("o1", False), ("o2", True)):
        store.people.create_owner(Owner(owner, owner))
        hashes = [f"{owner}{number}" for number in range(8)]
        left = list(hashes)
        made = at_once(8, lambda o=owner, f=first, hs=left: store.people.set_api_key(o, hs.pop(), first=f))  # type: ignore[misc]
        assert sum(store.people.owner_of_key(one) is not None for one in hashes) == 1
        assert sum(made) == (1 if first else 8)


def test_a_tournament_has_the_secret_it_is_committed_to_whoever_creates_it(store: Store) -> None:
    made = at_once(8, lambda: arena.tournament(store))
    assert len({one.commitment for one in made}) == 1
    assert commitment(store.tournaments.secret("t1")) == made[0].commitment


def test_only_listed_tournaments_are_listed_newest_first(store: Store) -> None:
    for number in range(3):
        arena.tournament(store, tournament_id=f"t{number}", created_ms=number)
    arena.tournament(store, tournament_id="alone", listed=False, created_ms=9)
    assert store.tournaments.ids() == ["t2", "t1", "t0"]
    assert store.tournaments.ids(1, 1) == ["t1"]


def test_b46_ledger_order_is_schedule_order_whatever_finishes_first(store: Store) -> None:
    made = begun(store, 4)
    assert [block.index for block, _ in made] == [0, 1, 2, 3]
    for block, fence in reversed(made[1:]):
        finish(store, block, fence)
    store.tournaments.settle("t1")
    assert len(store.ledger) == 0
    assert store.tournaments.progress("t1").unsettled == 18
    finish(store, *made[0])
    store.tournaments.settle("t1")
    assert [e.index for e in store.ledger.read(0)] == [0, 1, 2, 3]


def test_cancelling_keeps_what_is_finished(store: Store) -> None:
    made = begun(store, 4)
    finish(store, *made[0])
    assert store.tournaments.cancel("t1")
    assert not store.tournaments.cancel("t1")
    progress = store.tournaments.progress("t1")
    assert (progress.state, progress.finished, progress.cancelled) == (TournamentState.CANCELLED, 6, 18)
    assert [e.index for e in store.ledger.read(0)] == [0]
    Scheduler(store, arena.ListQueue()).tick()
    assert {s.matches for s in store.leaderboards.standings("tournament-t1").values()} == {6}
    assert store.blocks.reserved() == {}
    assert store.blocks.in_flight() == []


def test_cancelling_forgets_the_journals_of_what_was_played(store: Store) -> None:
    ((block, fence),) = begun(store)
    match_id = block.matches[0].match_id
    assert store.blocks.append_journal(block.block_id, fence, match_id, 0, [b"0"])
    assert store.tournaments.cancel("t1")
    assert store.blocks.journal(match_id) == []
    assert not store.blocks.append_journal(block.block_id, fence, match_id, 0, [b"0"])


def test_start_failures_are_forgotten_once_a_match_starts_and_after_a_day(store: Store) -> None:
    assert [store.presence.start_failed("w1"), store.presence.start_failed("w1")] == [1, 2]
    assert 0 < store.connection.client.ttl(keys.WORKERS) <= 24 * 3600
    store.presence.started("w1")
    assert store.presence.start_failures() == {}


def test_a_journal_has_no_gaps_and_no_doubles(store: Store) -> None:
    ((block, fence),) = begun(store)
    match_id = block.matches[0].match_id

    def append(first: int, entries: list[bytes]) -> bool:
        return store.blocks.append_journal(block.block_id, fence, match_id, first, entries)

    assert append(0, [b"0", b"1"])
    assert append(0, [b"0", b"1"])
    assert append(1, [b"1", b"2"])
    with pytest.raises(StoreError, match="lacks"):
        append(5, [b"5"])
    assert store.blocks.journal(match_id) == [b"0", b"1", b"2"]


def test_an_expired_lease_frees_seats_and_raises_the_fence(store: Store) -> None:
    ((block, fence),) = begun(store)
    assert store.blocks.claim(block.block_id, fence, "w")
    scheduler = Scheduler(store, queue := arena.ListQueue())
    scheduler.tick()
    assert queue.jobs == []
    scheduler.tick(store.now_ms() + 11_000)
    assert queue.jobs[0][1] > fence


def test_b51_a_job_lost_before_it_began_is_made_again(store: Store) -> None:
    begun(store)
    queue = arena.ListQueue()
    Scheduler(store, queue).tick(store.now_ms() + 6_000)
    assert len(queue.jobs) == 1


def test_a_job_that_waits_in_the_queue_is_left_there(store: Store) -> None:
    arena.present(store, 3)
    arena.tournament(store, 3)
    scheduler = Scheduler(store, queue := arena.ListQueue())
    scheduler.tick()
    scheduler.tick(store.now_ms() + 60_000)
    assert len(queue.jobs) == 1


def test_b53_a_store_that_forgets_is_refused(tmp_path: Path, store: Store) -> None:
    store.check()
    with redis_server(tmp_path / "volatile", aof=False) as volatile:
        forgetful = Store(volatile.url)
        with pytest.raises(StoreError, match="appendonly"):
            forgetful.check()
        forgetful.check(ephemeral=True)
        forgetful.close()


def test_b53_nothing_is_lost_when_the_store_is_killed(tmp_path: Path) -> None:
    with redis_server(tmp_path / "aof") as server:
        store = Store(server.url)
        ((block, fence),) = begun(store)
        finish(store, block, fence)
        threading.Event().wait(1.2)  # appendfsync everysec
        server.kill()
        server.start()
        store.tournaments.settle("t1")
        assert len(store.ledger) == 1
        store.close()


@pytest.mark.parametrize("name", ["Кубок 1", "match:1:2", "t1/m2", "a b", "-x"])
def test_b55_any_id_is_mapped_for_the_queue(server: RedisServer, store: Store, name: str) -> None:
    queue = BlockQueue(server.url)
    job = queue.enqueue(name, 3)
    assert queue.waiting() == {job}
    queue.close()


def test_b24_sums_agree_after_a_retry_a_no_show_and_a_cancel(store: Store) -> None:
    made = begun(store, 4)
    store.blocks.hand_back(made[0][0].block_id, made[0][1])
    scheduler = Scheduler(store, queue := arena.ListQueue())
    scheduler.tick()
    block = store.blocks.get(queue.jobs[0][0])
    assert block is not None
    finish(store, block, queue.jobs[0][1])
    scheduler.tick()
    store.tournaments.cancel("t1")
    scheduler.rate()
    p = store.tournaments.progress("t1")
    assert p.finished + p.no_show + p.cancelled + p.running + p.waiting == p.matches == 24
    standings = store.leaderboards.standings("tournament-t1").values()
    assert all(sum(s.places) == s.matches for s in standings)
    assert sum(s.matches for s in standings) == 3 * p.finished

"""Real RQ workers in real processes: forks, kills, restarts."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest

from tests.support.redis_server import RedisServer
from tests.workers import arena
from workers.model import TournamentState
from workers.queue import BlockQueue
from workers.scheduler import Scheduler
from workers.store import Store

WORK = "import sys; from workers.worker import run_worker; run_worker(sys.argv[1], 'token', sys.argv[2])"
CHANNEL = "import grpc; channel = grpc.insecure_channel('127.0.0.1:1'); channel.subscribe(print, True); "


@contextmanager
def working(url: str, name: str, before: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """A worker process; it and its horse are gone afterwards."""
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", before + WORK, url, name])
    try:
        yield process
    finally:
        if process.poll() is None:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            process.kill()
        process.wait(10)


def until(store: Store, scheduler: Scheduler, done: Callable[[], bool], seconds: float = 45) -> None:
    """Tick until it is done."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, store.tournaments.progress("t1")
        scheduler.tick()
        time.sleep(0.05)


def finished(store: Store) -> bool:
    return store.tournaments.state("t1") is TournamentState.FINISHED


def test_b51_a_worker_killed_with_its_horse(server: RedisServer, store: Store) -> None:
    queue = BlockQueue(server.url)
    scheduler = Scheduler(store, queue)
    referee = arena.DiceReferee(delay=0.5)
    with arena.serving(referee) as address:
        arena.present(store, 3, places=2, service=address)
        arena.tournament(store)
        with working(server.url, "w1") as first:
            until(store, scheduler, lambda: referee.hosted >= 3)
            for child in psutil.Process(first.pid).children(recursive=True):
                child.kill()
            first.kill()
        begun = time.monotonic()
        with working(server.url, "w2"):
            until(store, scheduler, lambda: finished(store))
        assert time.monotonic() - begun < 25
    assert store.tournaments.progress("t1").finished == 6
    assert store.blocks.conflicts() == []
    assert len(store.ledger) == 1
    queue.close()


def test_a_horse_whose_worker_is_killed_hands_its_block_back(server: RedisServer, store: Store) -> None:
    queue = BlockQueue(server.url)
    scheduler = Scheduler(store, queue)
    referee = arena.DiceReferee(delay=0.5)
    with arena.serving(referee) as address:
        arena.present(store, 3, service=address)
        arena.tournament(store)
        with working(server.url, "w1") as first:
            until(store, scheduler, lambda: referee.hosted >= 1)
            horses = psutil.Process(first.pid).children(recursive=True)
            os.kill(first.pid, signal.SIGKILL)
            first.wait(5)
            psutil.wait_procs(horses, timeout=5)
            assert not any(h.is_running() and h.status() != psutil.STATUS_ZOMBIE for h in horses)
        assert store.blocks.reserved() == {}
        with working(server.url, "w2"):
            until(store, scheduler, lambda: finished(store))
    assert store.tournaments.progress("t1").finished == 6
    queue.close()


def test_b53_workers_go_on_when_redis_restarts(server: RedisServer, store: Store) -> None:
    queue = BlockQueue(server.url)
    scheduler = Scheduler(store, queue)
    referee = arena.DiceReferee(delay=0.3)
    with arena.serving(referee) as address:
        arena.present(store, 4, service=address)
        arena.tournament(store, 4)
        with working(server.url, "w1"), working(server.url, "w2"):
            until(store, scheduler, lambda: store.tournaments.progress("t1").running > 0)
            server.kill()
            time.sleep(2)
            server.start()
            until(store, scheduler, lambda: finished(store), 50)
    assert store.tournaments.progress("t1").finished == 24
    assert store.blocks.conflicts() == []
    queue.close()


def test_b57_jobs_run_after_grpc_was_used_before_the_fork(server: RedisServer, store: Store) -> None:
    queue = BlockQueue(server.url)
    scheduler = Scheduler(store, queue, in_flight=4)
    with arena.serving(arena.DiceReferee()) as address:
        arena.present(store, 5, places=6, service=address)
        arena.tournament(store, 5)
        with working(server.url, "w1", before=CHANNEL):
            until(store, scheduler, lambda: finished(store))
    assert store.tournaments.progress("t1").finished == 60
    queue.close()


def test_b25_a_worker_that_can_start_nothing_stops(server: RedisServer, store: Store) -> None:
    queue = BlockQueue(server.url)
    arena.present(store, 3, service="127.0.0.1:9")
    arena.tournament(store)
    with working(server.url, "broken") as worker:
        scheduler = Scheduler(store, queue)
        until(store, scheduler, lambda: worker.poll() is not None, 55)
    assert store.presence.start_failures()["broken"] == 5
    assert store.tournaments.progress("t1").no_show == 0
    queue.close()


def test_b25_a_broken_worker_beside_a_sound_one_costs_no_bot_anything(server: RedisServer, store: Store) -> None:
    queue = BlockQueue(server.url)
    broken = "import workers.hosting; workers.hosting.open_aio_channel = None; "
    with arena.serving(arena.DiceReferee(delay=0.2)) as address:
        arena.present(store, 5, places=60, service=address)
        arena.tournament(store, 5)
        with working(server.url, "broken", before=broken) as bad, working(server.url, "sound"):
            scheduler = Scheduler(store, queue)
            until(store, scheduler, lambda: finished(store) and bad.poll() is not None, 55)
    progress = store.tournaments.progress("t1")
    assert (progress.finished, progress.no_show, progress.strikes) == (60, 0, 0)
    assert {s.matches for s in store.leaderboards.standings("tournament-t1").values()} == {36}
    assert store.presence.start_failures() == {"broken": 5}
    queue.close()


def test_b57_the_guard_sees_grpc_and_importing_it_is_no_use() -> None:
    look = "import grpc; from workers.worker import grpc_in_use; print(grpc_in_use()); "
    use = (  # a thread's name comes a moment after the thread
        "import time; channel = grpc.insecure_channel('127.0.0.1:1'); end = time.monotonic() + 20\n"
        "while not grpc_in_use() and time.monotonic() < end: time.sleep(0.01)\n"
        "print(grpc_in_use())"
    )
    out = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", look + use], capture_output=True, timeout=30, check=True
    )
    assert out.stdout.split() == [b"False", b"True"]


@pytest.mark.parametrize("tick_first", [True, False])
def test_b50_a_finished_block_stays_finished_when_its_job_runs_again(
    server: RedisServer, store: Store, tick_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workers import jobs

    monkeypatch.setenv(jobs.REDIS_URL, server.url)
    with arena.serving(arena.DiceReferee()) as address:
        arena.present(store, 3, service=address)
        arena.tournament(store)
        scheduler = Scheduler(store, queue := arena.ListQueue())
        scheduler.tick()
        block_id, fence = queue.jobs.pop()
        assert jobs.play_block(block_id, fence) == "done"
        if tick_first:
            scheduler.tick(store.now_ms() + 60_000)
        assert jobs.play_block(block_id, fence) == "stale"
        scheduler.tick(store.now_ms() + 60_000)
    assert queue.jobs == []
    assert len(store.ledger) == 1
    assert {s.matches for s in store.leaderboards.standings("tournament-t1").values()} == {6}

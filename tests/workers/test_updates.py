"""B39: many workers finish at once, several processes rate at once, and no update is lost or counted twice."""

import threading
import time

from tests.support.redis_server import RedisServer
from tests.workers import arena
from tests.workers.test_store import finish
from workers.model import TournamentState
from workers.projection import rebuild
from workers.scheduler import Scheduler
from workers.store import Store

CUPS = 5  # of 20 blocks of 6 matches each: 600 matches


class SharedQueue(arena.ListQueue):
    """The same queue for several schedulers and workers."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def enqueue(self, block_id: str, fence: int) -> str:
        with self._lock:
            return super().enqueue(block_id, fence)

    def waiting(self) -> set[str]:
        with self._lock:
            return super().waiting()

    def take(self) -> tuple[str, int] | None:
        """The next job."""
        with self._lock:
            return self.jobs.pop(0) if self.jobs else None


def test_b39_of_600_matches_that_eight_workers_finish_at_once_every_update_counts(
    server: RedisServer, store: Store
) -> None:
    arena.present(store, 6, places=100)
    for number in range(CUPS):
        arena.tournament(store, 6, tournament_id=f"cup{number}")
    queue, over = SharedQueue(), threading.Event()
    faults: list[BaseException] = []

    def work() -> None:
        mine = Store(server.url)
        try:
            while not over.is_set():
                job = queue.take()
                block = mine.blocks.get(job[0]) if job else None
                if job is None or block is None:
                    time.sleep(0.002)
                else:
                    finish(mine, block, job[1])
        except BaseException as fault:
            faults.append(fault)
        mine.close()

    def tick() -> None:
        mine = Store(server.url)
        scheduler = Scheduler(mine, queue, in_flight=64)
        try:
            while not over.is_set():
                scheduler.tick()
        except BaseException as fault:
            faults.append(fault)
        mine.close()

    threads = [threading.Thread(target=one) for one in (*[work] * 8, *[tick] * 2)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 40
    while time.monotonic() < end and not faults and store.tournaments.active():
        time.sleep(0.05)
    over.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert {store.tournaments.state(f"cup{number}") for number in range(CUPS)} == {TournamentState.FINISHED}
    Scheduler(store, queue).rate()
    standings = store.leaderboards.standings("all").values()
    assert [standing.matches for standing in standings] == [300] * 6  # 600 matches of three, among six
    assert all(sum(standing.places) == standing.matches for standing in standings)
    assert all(rebuild(store, board) for board in store.leaderboards.all())  # equal to a serial replay, to the byte

"""CPU seconds per 10,000 updates and resident memory of who folds, after 20,000 updates and after 200,000.

The ledger grows as it would; a leaderboard of 300 bots follows it. Neither figure may grow with the ledger. The seconds
are those that this process and Redis computed, not those that passed: early and late cannot take turns, so a neighbour
that comes or goes would look like growth (wall time once told 88 s after 16 s, where the work was the same).
"""

import tempfile
import time
from pathlib import Path
from statistics import median

import psutil

from benchmarks.measure import Figure, report
from benchmarks.projection import MATCHES, entries
from workers.cli.embedded import DataDir, start_redis
from workers.codec import to_json
from workers.model import Leaderboard, Scope
from workers.projection import project
from workers.store import Store, keys

STEP = 10_000
EARLY, LATE = 20_000, 200_000
WITHIN = 300.0  # seconds; a slow machine tells how far it came
BOTS = 300


def folded(store: Store, board: Leaderboard, redis: psutil.Process, step: int) -> float:
    """CPU seconds to fold one STEP more, without the time to make its entries."""
    made = entries(STEP // MATCHES + 1, BOTS, seed=step)
    store.connection.client.rpush(keys.LEDGER, *map(to_json, made))
    del made
    before = time.process_time() + computed(redis)
    project(store, board)
    return time.process_time() + computed(redis) - before


def computed(process: psutil.Process) -> float:
    """CPU seconds of a process so far."""
    times = process.cpu_times()
    return times.user + times.system


def main() -> None:
    """Print both figures."""
    with tempfile.TemporaryDirectory() as folder:
        data = DataDir(Path(folder))
        server, url = start_redis(data)
        store = Store(url)
        try:
            board = store.leaderboards.create(Leaderboard("bench", "bench", Scope.ALL))
            redis = psutil.Process(int(store.connection.client.info("server")["process_id"]))
            seconds: list[float] = []
            resident: list[float] = []
            begun = time.perf_counter()
            while len(seconds) < LATE // STEP and time.perf_counter() - begun < WITHIN:
                seconds.append(folded(store, board, redis, len(seconds)))
                resident.append(psutil.Process().memory_info().rss / 2**20)
        finally:
            store.close()
            server.stop()
            data.release()
    early, unit = EARLY // STEP, f"after {STEP * len(seconds)} updates, the peer after {EARLY}"
    now, then = median(seconds[-early:]), median(seconds[:early])
    report(Figure("updates/seconds", round(now, 2), round(then, 2), round(then / now, 3), f"CPU s per {STEP} {unit}"))
    now, then = resident[-1], resident[early - 1]
    report(Figure("updates/memory", round(now, 1), round(then, 1), round(then / now, 3), f"MiB resident {unit}"))


if __name__ == "__main__":
    main()

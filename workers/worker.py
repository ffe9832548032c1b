"""The RQ worker of `arena worker`: forks a job per block; the worker process itself never uses gRPC."""

import ctypes
import glob
import logging
import os
import signal
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Final

from rq import Queue, Worker
from rq.job import Job
from rq.serializers import JSONSerializer

from workers import jobs
from workers.queue import BlockQueue
from workers.store import Store

log = logging.getLogger("workers.worker")
FAILURES: Final = 5  # start failures in a row after which a worker takes no more jobs (field case B25)
MAINTENANCE_S: Final = 60
ORPHAN_S: Final = 2.0
PR_SET_PDEATHSIG: Final = 1


class BlockWorker(Worker):
    """Stops by itself when its jobs keep failing to reach any referee."""

    store: Store
    max_failures: int = FAILURES

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Fork, wait, then look whether this worker still can start anything."""
        if grpc_in_use():
            log.warning("gRPC was used before the fork: jobs may hang; use it in jobs only")
        super().execute_job(job, queue)
        failures = self.store.presence.start_failures().get(self.name, 0)
        if failures >= self.max_failures:
            log.error("%d jobs in a row could not start: this worker stops; check its network and token", failures)
            self._stop_requested = True

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """In the forked job. It does not outlive its worker for long: time to hand its block back, and no more."""
        _end_when_orphaned()
        super().main_work_horse(job, queue)


def _end_when_orphaned() -> None:
    """Linux only: elsewhere the job's own look at its parent has to do (see `hosting`)."""

    def end_soon(number: int, frame: object) -> None:
        end = threading.Timer(ORPHAN_S, os._exit, [1])
        end.daemon = True
        end.start()

    parent = os.getppid()
    signal.signal(signal.SIGUSR2, end_soon)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGUSR2, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def grpc_in_use() -> bool:
    """Whether gRPC's own threads run in this process: they do not survive a fork. (Linux; elsewhere unknown.)"""
    names = (Path(path).read_text(encoding="ascii") for path in glob.glob("/proc/self/task/*/comm"))
    return any(name.startswith("grpc_") for name in names)


def make_worker(redis_url: str, service_token: str, name: str, max_failures: int = FAILURES) -> BlockWorker:
    """A worker on the queue of blocks; its jobs find store, token and name in the environment."""
    import_module("workers.hosting")  # once, not in every job: loading gRPC before a fork is harmless, using it is not
    os.environ[jobs.REDIS_URL] = redis_url
    os.environ[jobs.SERVICE_TOKEN] = service_token
    os.environ[jobs.WORKER_NAME] = name
    blocks = BlockQueue(redis_url)
    worker = BlockWorker(
        [blocks.queue],
        name=name,
        connection=blocks.connection,
        serializer=JSONSerializer,
        maintenance_interval=MAINTENANCE_S,
    )
    worker.store = Store(redis_url, patience=jobs.PATIENCE_S)
    worker.store.presence.started(name)
    worker.max_failures = max_failures
    return worker


def run_worker(redis_url: str, service_token: str, name: str, *, burst: bool = False) -> None:
    """Work until stopped (SIGTERM finishes the current block; a second one at once)."""
    make_worker(redis_url, service_token, name).work(burst=burst, with_scheduler=False, logging_level="INFO")

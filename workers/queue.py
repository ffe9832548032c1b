"""Builds the RQ queue of blocks. Ids only as arguments, JSON only, every timeout explicit."""

from typing import Final

import redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from workers.ids import job_id

NAME: Final = "blocks"
# A block's lease is what finds dead jobs, within seconds; this only ends one that hangs while it renews its lease.
JOB_TIMEOUT: Final = 6 * 3600
KEEP_FAILED: Final = 24 * 3600


class BlockQueue:
    """The queue that workers take blocks from."""

    def __init__(self, url: str) -> None:
        self.connection = redis.Redis.from_url(url)
        self.queue = Queue(NAME, connection=self.connection, serializer=JSONSerializer, default_timeout=JOB_TIMEOUT)

    def enqueue(self, block_id: str, fence: int) -> str:
        """A job of its own for this fence; its id."""
        job = self.queue.enqueue(
            "workers.jobs.play_block",
            args=(block_id, fence),
            job_id=job_id(block_id, fence),
            job_timeout=JOB_TIMEOUT,
            result_ttl=0,
            failure_ttl=KEEP_FAILED,
        )
        return str(job.id)

    def waiting(self) -> set[str]:
        """Ids of jobs no worker has taken yet."""
        return set(self.queue.get_job_ids())

    def workers(self) -> int:
        """How many take blocks from here; one killed with -9 counts for some minutes yet."""
        return int(Worker.count(queue=self.queue))

    def close(self) -> None:
        """Give the connections back."""
        self.connection.close()

"""A real arena in this process, over a real Redis, called over real gRPC."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from thousand.v1.arena_pb2_grpc import ArenaServiceStub
from workers.arena.app import Arena, Settings
from workers.cli.embedded import DataDir, start_redis
from workers.scheduler import Scheduler
from workers.store import Store

if TYPE_CHECKING:
    from thousand.v1.arena_pb2_grpc import ArenaServiceAsyncStub

Metadata = tuple[tuple[str, str], ...]


@dataclass
class Queue:
    """Takes what would go to workers."""

    enqueued: list[tuple[str, int]] = field(default_factory=list)

    def enqueue(self, block_id: str, fence: int) -> str:
        """Remember it."""
        self.enqueued.append((block_id, fence))
        return f"{block_id}-{fence}"

    def waiting(self) -> set[str]:
        """Everything still waits."""
        return {f"{block_id}_f{fence}" for block_id, fence in self.enqueued}


@dataclass
class Running:
    """What a test needs of the arena."""

    address: str
    organiser: Metadata
    store: Store
    queue: Queue
    data: Path
    stub: "ArenaServiceAsyncStub"


def bearer(key: str) -> Metadata:
    """Metadata with this key."""
    return (("authorization", f"Bearer {key}"),)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of this test process."""
    data = DataDir(tmp_path_factory.mktemp("arena-redis"))
    server, url = start_redis(data)
    yield url
    server.stop()
    data.release()


@pytest.fixture
def store(redis_url: str) -> Iterator[Store]:
    """An empty store."""
    made = Store(redis_url, patience=1.0)
    made.connection.client.flushall()
    yield made
    made.close()


@pytest.fixture
async def arena(store: Store, tmp_path: Path) -> AsyncIterator[Running]:
    """An arena with its four house bots, nobody connected."""
    queue = Queue()
    running = Arena(Settings(tmp_path, "", "127.0.0.1:0"), store, Scheduler(store, queue))
    told = await running.start()
    async with grpc.aio.insecure_channel(told.address) as channel:
        stub = ArenaServiceStub(channel)
        yield Running(told.address, bearer(told.organiser_key), store, queue, tmp_path, stub)
    await running.stop()


Refused = Callable[[grpc.StatusCode], "pytest.RaisesExc[grpc.aio.AioRpcError]"]


@pytest.fixture
def refused() -> Refused:
    """`with refused(code):` expects that status."""

    def expect(code: grpc.StatusCode) -> "pytest.RaisesExc[grpc.aio.AioRpcError]":
        return pytest.raises(grpc.aio.AioRpcError, check=lambda error: error.code() is code)

    return expect

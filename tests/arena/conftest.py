"""A real arena in this process, over a real Redis, called over real gRPC."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from tests.support.stores import server, shared_redis, store
from tests.workers.arena import ListQueue
from thousand.v1.arena_pb2_grpc import ArenaServiceStub
from workers.arena.app import Arena, Settings
from workers.quotas import Quotas
from workers.scheduler import Scheduler
from workers.store import Store

if TYPE_CHECKING:
    from thousand.v1.arena_pb2_grpc import ArenaServiceAsyncStub

__all__ = ["server", "shared_redis", "store"]  # fixtures
Metadata = tuple[tuple[str, str], ...]


@dataclass
class Running:
    """What a test needs of the arena."""

    address: str
    organiser: Metadata
    store: Store
    queue: ListQueue
    data: Path
    stub: "ArenaServiceAsyncStub"
    app: Arena


def bearer(key: str) -> Metadata:
    """Metadata with this key."""
    return (("authorization", f"Bearer {key}"),)


@pytest.fixture
def quotas() -> Quotas:
    """The limits of the arena: a test file may have its own."""
    return Quotas()


@pytest.fixture
async def arena(
    store: Store, tmp_path: Path, quotas: Quotas, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Running]:
    """An arena with its four house bots, nobody connected. It attends nobody: tests seat bots at referees made up."""
    monkeypatch.setattr("workers.arena.registry.StoreRegistry.referee_addresses", lambda registry: {})
    queue = ListQueue()
    running = Arena(Settings(tmp_path, "", "127.0.0.1:0", quotas=quotas), store, Scheduler(store, queue))
    told = await running.start()
    async with grpc.aio.insecure_channel(told.address) as channel:
        stub = ArenaServiceStub(channel)
        yield Running(told.address, bearer(told.organiser_key), store, queue, tmp_path, stub, running)
    await running.stop()


Refused = Callable[[grpc.StatusCode], "pytest.RaisesExc[grpc.aio.AioRpcError]"]


@pytest.fixture
def refused() -> Refused:
    """`with refused(code):` expects that status."""

    def expect(code: grpc.StatusCode) -> "pytest.RaisesExc[grpc.aio.AioRpcError]":
        return pytest.raises(grpc.aio.AioRpcError, check=lambda error: error.code() is code)

    return expect

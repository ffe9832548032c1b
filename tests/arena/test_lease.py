"""workers.arena.lease: one arena attends a store."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.arena.conftest import Running
from tests.workers.arena import ListQueue
from workers.arena.app import Arena, Settings
from workers.arena.lease import StoreLease
from workers.scheduler import Scheduler
from workers.store import Store, StoreError, keys


def second(store: Store, data: Path) -> Arena:
    """Another arena for the same store."""
    return Arena(Settings(data, "", "127.0.0.1:0"), store, Scheduler(store, ListQueue()))


async def test_a_second_arena_is_refused_and_told_who_is_there(arena: Running, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"another arena attends this store .at {arena.address}, process"):
        await asyncio.wait_for(second(arena.store, tmp_path / "second").start(), 10)
    assert arena.store.lease.left_ms() > 0


async def test_the_next_arena_begins_at_once_after_a_stop(store: Store, tmp_path: Path) -> None:
    for _ in range(2):
        arena = second(store, tmp_path)
        begun = time.monotonic()
        await arena.start()
        assert time.monotonic() - begun < 3
        await arena.stop()
    assert store.connection.client.get(keys.ARENA) is None


async def test_an_arena_that_died_is_followed_when_its_lease_ends(store: Store) -> None:
    store.lease.take("the dead one", 600)
    lease = StoreLease(store, "127.0.0.1:1")
    await asyncio.wait_for(lease.take(), 5)
    assert store.lease.take("somebody else", 1000).startswith("at 127.0.0.1:1, process")


async def test_an_arena_whose_store_was_taken_over_says_so_and_stops_holding(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.arena.lease.RENEW_EVERY", 0.05)
    lease = StoreLease(store, "127.0.0.1:1")
    await lease.take()
    store.connection.client.set(keys.ARENA, "another")
    await asyncio.wait_for(lease.hold(), 5)
    assert lease.lost.is_set()
    await lease.release()
    assert store.connection.client.get(keys.ARENA) == b"another"

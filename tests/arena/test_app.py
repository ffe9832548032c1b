"""workers.arena.app: where an arena may listen."""

from pathlib import Path

import pytest

from tests.arena.conftest import Running
from tests.workers.arena import ListQueue
from workers.arena.app import Arena, CannotListen, Settings
from workers.scheduler import Scheduler
from workers.store import Store


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "arena.example:0"])
async def test_api_keys_never_travel_in_plaintext(store: Store, tmp_path: Path, listen: str) -> None:
    arena = Arena(Settings(tmp_path, "", listen), store, Scheduler(store, ListQueue()))
    with pytest.raises(CannotListen, match="TLS"):
        await arena.start()


async def test_an_address_in_use_is_named(arena: Running) -> None:
    second = Arena(Settings(arena.data, "", arena.address), arena.store, Scheduler(arena.store, arena.queue))
    with pytest.raises(CannotListen, match=f"{arena.address} is in use"):
        await second.start()

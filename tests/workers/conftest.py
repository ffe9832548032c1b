"""A real Redis, and a referee that plays no cards."""

from collections.abc import Iterator

import pytest

from tests.support.redis_server import RedisServer
from tests.support.stores import server, shared_redis, store
from tests.workers import arena
from workers import jobs
from workers.store import Store

__all__ = ["referee", "server", "shared_redis", "store"]


@pytest.fixture
def referee(monkeypatch: pytest.MonkeyPatch, server: RedisServer, store: Store) -> Iterator[arena.DiceReferee]:
    """A referee in reach of jobs, with bots b0 … b12."""
    monkeypatch.setenv(jobs.REDIS_URL, server.url)
    monkeypatch.setenv(jobs.SERVICE_TOKEN, "token")
    dice = arena.DiceReferee()
    with arena.serving(dice) as address:
        arena.present(store, 13, service=address)
        yield dice

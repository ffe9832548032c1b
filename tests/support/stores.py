"""Fixtures: a real Redis per test process, emptied before each test. A conftest imports them by name."""

from collections.abc import Iterator

import pytest

from tests.support.redis_server import RedisServer, redis_server
from workers.store import Store


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One server for all tests of this process."""
    with redis_server(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def server(shared_redis: RedisServer) -> RedisServer:
    """The server, empty."""
    shared_redis.clear()
    return shared_redis


@pytest.fixture
def store(server: RedisServer) -> Iterator[Store]:
    """An empty store."""
    made = Store(server.url)
    yield made
    made.close()

"""A real Redis."""

from tests.support.stores import server, shared_redis, store

__all__ = ["server", "shared_redis", "store"]

"""Connects to Redis, refuses one that forgets, and runs the scripts.

Law: rated play needs an append-only file and no eviction; without them starting is refused, unless ephemeral.
"""

from typing import Any, Final

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

RETRY_CAP: Final = 1.0  # seconds between tries, at most
StoreLost = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError)


class StoreError(Exception):
    """The store refuses; `code` says why in one word, the message what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Connection:
    """One client; `patience` is how many seconds a call waits for a server that is away."""

    def __init__(self, url: str, patience: float = 5.0) -> None:
        self.url = url
        retry = Retry(ExponentialBackoff(cap=RETRY_CAP, base=0.05), max(1, round(patience / RETRY_CAP) + 4))
        self._client: Any = redis.Redis.from_url(
            url, retry=retry, retry_on_error=[*StoreLost], socket_timeout=5.0, socket_connect_timeout=2.0
        )
        self._scripts: dict[str, Any] = {}

    @property
    def client(self) -> Any:
        """The redis-py client, answering bytes. (Its own annotations mix sync and async, hence Any.)"""
        return self._client

    def run(self, script: str, keys: list[str], *arguments: str | bytes | float) -> Any:
        """Run a script of `scripts`, loading it if the server does not know it."""
        if script not in self._scripts:
            self._scripts[script] = self._client.register_script(script)
        return self._scripts[script](keys=keys, args=list(arguments))

    def now_ms(self) -> int:
        """The server's clock: the one clock of all leases."""
        seconds, micros = self._client.time()
        return int(seconds) * 1000 + int(micros) // 1000

    def check(self, ephemeral: bool = False) -> None:
        """Raise StoreError("volatile") unless this server keeps what it is told."""
        if ephemeral:
            self._client.ping()
            return
        persistence = self._client.info("persistence")
        policy = self._client.info("memory").get("maxmemory_policy", "noeviction")
        faults = []
        if not int(persistence.get("aof_enabled", 0)):
            faults.append("appendonly is no: set `appendonly yes`")
        if policy != "noeviction":
            faults.append(f"maxmemory-policy is {policy}: set `maxmemory-policy noeviction`")
        if faults:
            raise StoreError(
                "volatile",
                f"the Redis at {self.url} may lose results: {'; '.join(faults)}; or accept it with --ephemeral",
            )

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()


def text(value: bytes | None) -> str:
    """Redis' bytes as text; nothing is empty."""
    return value.decode() if value is not None else ""

"""Bounds what is open at once: calls and watches, of one client and of all. Nothing queues without end.

A client is an address: a key may be made up, and every caller has one address. All that runs on one machine shares it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from workers.arena.errors import TooBusy

ALL: Final = 16  # times one client's: what all clients together may have open


class Gate:
    """One kind of thing. For one event loop: no locks."""

    def __init__(self, what: str, most: int) -> None:
        self._what, self._most = what, most
        self._open: dict[str, int] = {}
        self._total = 0

    @contextmanager
    def passed(self, peer: str) -> Iterator[None]:
        """Open while inside. Raises TooBusy."""
        client = client_of(peer)
        if self._open.get(client, 0) >= self._most:
            raise TooBusy(f"{self._most} of your {self._what} are open at once: end some, then try again")
        if self._total >= ALL * self._most:
            raise TooBusy(f"{self._total} {self._what} of all clients are open at once: try again in a moment")
        self._open[client] = self._open.get(client, 0) + 1
        self._total += 1
        try:
            yield
        finally:
            self._total -= 1
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


def client_of(peer: str) -> str:
    """The address of `ipv4:10.0.0.7:5012`, `ipv6:[::1]:5012` or `unix:…`, without its port."""
    return "unix" if peer.startswith("unix") else peer.rpartition(":")[0]

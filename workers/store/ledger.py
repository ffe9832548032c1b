"""The ledger, append only. Law: only `Tournaments.settle` appends."""

from collections.abc import Iterator
from typing import Final

from workers.codec import from_json
from workers.model import LedgerEntry
from workers.store import keys
from workers.store.connection import Connection

CHUNK: Final = 200


class Ledger:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def __len__(self) -> int:
        return int(self._db.client.llen(keys.LEDGER))

    def read(self, start: int, count: int = CHUNK) -> list[LedgerEntry]:
        """Up to `count` entries from place `start` on."""
        found = self._db.client.lrange(keys.LEDGER, start, start + count - 1)
        return [from_json(LedgerEntry, raw) for raw in found]

    def of(self, places: list[int]) -> Iterator[LedgerEntry]:
        """The entries at these places (ascending), read run by run."""
        at = 0
        while at < len(places):
            run = 1
            while at + run < len(places) and run < CHUNK and places[at + run] == places[at] + run:
                run += 1
            yield from self.read(places[at], run)
            at += run

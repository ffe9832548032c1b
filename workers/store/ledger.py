"""The ledger, append only, and the leaderboards projected from it.

Law: only `Tournaments.settle` appends; a projection moves its cursor in the same step as its standings.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from workers.codec import from_json, to_json
from workers.model import Leaderboard, LedgerEntry, Standing
from workers.store import keys, scripts
from workers.store.connection import Connection, text

CHUNK: Final = 200
HEAD: Final = "#"


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


class Leaderboards:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def create(self, board: Leaderboard) -> Leaderboard:
        """Store a leaderboard; the one that has this id already wins: parameters never change."""
        self._db.client.hsetnx(keys.LEADERBOARDS, board.leaderboard_id, to_json(board))
        return self.get(board.leaderboard_id) or board

    def get(self, leaderboard_id: str) -> Leaderboard | None:
        """By id."""
        found = self._db.client.hget(keys.LEADERBOARDS, leaderboard_id)
        return None if found is None else from_json(Leaderboard, found)

    def all(self) -> list[Leaderboard]:
        """All of them, by id."""
        found = [from_json(Leaderboard, raw) for raw in self._db.client.hvals(keys.LEADERBOARDS)]
        return sorted(found, key=lambda b: b.leaderboard_id)

    def cursor(self, board: Leaderboard) -> tuple[int, int]:
        """(place in the ledger it reaches, rated matches so far)."""
        head = self._db.client.hget(keys.standings(board.leaderboard_id), HEAD)
        if head is None:
            return board.start, 0
        read = json.loads(head)
        return read["cursor"], read["matches"]

    def standings(self, leaderboard_id: str) -> dict[str, Standing]:
        """By player key."""
        raw = self._db.client.hgetall(keys.standings(leaderboard_id))
        return {text(k): from_json(Standing, v) for k, v in raw.items() if k != HEAD.encode()}

    def project(
        self, board: Leaderboard, expected: int, cursor: int, matches: int, changed: Mapping[str, Standing]
    ) -> bool:
        """Move the cursor and store what changed, if the cursor stands where expected; False: somebody folded."""
        rows = [part for row in _rows(cursor, matches, changed) for part in row]
        names = [keys.standings(board.leaderboard_id)]
        return bool(self._db.run(scripts.PROJECT, names, board.start, expected, *rows))

    def clear(self, leaderboard_id: str) -> None:
        """Forget the projection; the next fold begins at its start."""
        self._db.client.delete(keys.standings(leaderboard_id))

    def dump(self, leaderboard_id: str) -> bytes:
        """The projection as bytes, to compare with a rebuild's; empty before the first fold."""
        return _lines(self._db.client.hgetall(keys.standings(leaderboard_id)).items())


def dump_of(cursor: int, matches: int, standings: Mapping[str, Standing]) -> bytes:
    """What `dump` gives for a leaderboard that stands so."""
    return _lines(_rows(cursor, matches, standings))


def _rows(cursor: int, matches: int, standings: Mapping[str, Standing]) -> list[tuple[bytes, bytes]]:
    head = (HEAD.encode(), to_json({"cursor": cursor, "matches": matches}))
    return [head, *((key.encode(), to_json(standing)) for key, standing in standings.items())]


def _lines(rows: Iterable[tuple[bytes, bytes]]) -> bytes:
    return b"\n".join(key + b" " + value for key, value in sorted(rows))

"""Leaderboards: projections of the ledger. Law: the cursor moves in the same step as all that follows from it.

Nothing here reads a whole leaderboard but `standings`, `dump` and who asks for them.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from workers.codec import from_json, to_json
from workers.model import Leaderboard
from workers.standings import Pair, Projection, Standing, TableSums
from workers.store import keys, scripts
from workers.store.connection import Connection, text

HEAD: Final = "#"
_TABLES: Final = {size: f"{HEAD}{size}" for size in range(2, 5)}  # fields by number of seats
IDLE_MS: Final = 30 * 24 * 3600 * 1000  # without a rated match for so long, a player is idle
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a leaderboard, as raw as it is stored: decoding may be spared where nothing has changed.

    `rows`: key, Standing, Bot (or None), of all from the place asked for on, and of those who share a score with the
    first or the last; `before`: how many are better than all of these. `idle`: the last place in the ledger that was
    appended IDLE_MS ago. `state`: equal only where all of this is, at the same place and of the same length.
    """

    state: str
    board: bytes | None
    head: bytes | None
    size: int
    before: int
    idle: int
    rows: tuple[bytes | None, ...]


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
        return head_of(board, self._db.client.hget(keys.standings(board.leaderboard_id), HEAD))

    def standings(self, leaderboard_id: str) -> dict[str, Standing]:
        """All of them by player key."""
        raw = self._db.client.hgetall(keys.standings(leaderboard_id))
        return {text(k): from_json(Standing, v) for k, v in raw.items() if k[:1] != HEAD.encode()}

    def page(self, leaderboard_id: str, start: int, count: int, known: str = "") -> Page | None:
        """The players from place `start` (the best: 0) on, in one read; None in the `known` state."""
        names = [keys.standings(leaderboard_id), keys.order(leaderboard_id)]
        shared = [keys.LEADERBOARDS, keys.BOTS, keys.LEDGER_TIMES, keys.CHANGES]
        found = self._db.run(scripts.PAGE, names + shared, leaderboard_id, start, start + count - 1, IDLE_MS, known)
        if len(found) == 1:
            return None
        state, board, head, size, before, idle, *rows = found
        return Page(text(state), board, head, size, before, int(idle), tuple(rows))

    def some(self, leaderboard_id: str, players: Sequence[str]) -> dict[str, Standing]:
        """The standings of these player keys, as far as there are any."""
        return self._chosen(keys.standings(leaderboard_id), players, Standing)

    def pairs(self, leaderboard_id: str, names: Sequence[str]) -> dict[str, Pair]:
        """The rows of these pairs, as far as they have met."""
        return self._chosen(keys.pairs(leaderboard_id), names, Pair)

    def history(self, leaderboard_id: str, player: str) -> bytes:
        """A player's packed history: see `standings.history_points`."""
        return self._db.client.hget(keys.histories(leaderboard_id), player) or b""

    def tables(self, leaderboard_id: str) -> dict[int, TableSums]:
        """Sums by seat, by the number of seats."""
        return _tables(self._db.client.hmget(keys.standings(leaderboard_id), list(_TABLES.values())))

    def known(self, board: Leaderboard, cursor: int, players: Sequence[str], pairs: Sequence[str]) -> Projection | None:
        """What is known of these players and pairs, read at once; None if the cursor stands elsewhere by now."""
        name = board.leaderboard_id
        pipe = self._db.client.pipeline(transaction=True)
        pipe.hget(keys.standings(name), HEAD)
        pipe.hmget(keys.standings(name), list(_TABLES.values()))
        pipe.hmget(keys.standings(name), [HEAD, *players])
        pipe.hmget(keys.histories(name), [HEAD, *players])
        pipe.hmget(keys.pairs(name), [HEAD, *pairs])
        head, tables, standings, histories, met = pipe.execute()
        at, matches = head_of(board, head)
        if at != cursor:
            return None
        return Projection(
            matches,
            _decoded(players, standings[1:], Standing),
            _decoded(pairs, met[1:], Pair),
            {key: raw for key, raw in zip(players, histories[1:], strict=True) if raw},
            _tables(tables),
        )

    def project(self, board: Leaderboard, expected: int, cursor: int, changed: Projection) -> bool:
        """Move the cursor and store what changed, if the cursor stands where expected; False: somebody folded."""
        name = board.leaderboard_id
        first = [(field, value, "") for field, value in _heads(cursor, changed)]
        first += [(key, to_json(standing), repr(standing.score)) for key, standing in changed.standings.items()]
        pairs = [(key, to_json(pair)) for key, pair in changed.pairs.items()]
        histories = list(changed.histories.items())
        rows = [part for hash_rows in (first, pairs, histories) for row in hash_rows for part in row]
        names = [keys.standings(name), keys.order(name), keys.pairs(name), keys.histories(name)]
        counts = (len(first), len(pairs), len(histories))
        return bool(self._db.run(scripts.PROJECT, names, board.start, expected, *counts, *rows))

    def clear(self, leaderboard_id: str) -> None:
        """Forget the projection; the next fold begins at its start."""
        name = leaderboard_id
        pipe = self._db.client.pipeline(transaction=True)
        pipe.delete(keys.standings(name), keys.order(name), keys.pairs(name), keys.histories(name))
        pipe.incr(keys.CHANGES)
        pipe.execute()

    def dump(self, leaderboard_id: str) -> bytes:
        """The projection as bytes, to compare with a rebuild's; empty before the first fold."""
        name = leaderboard_id
        pipe = self._db.client.pipeline(transaction=True)
        pipe.hgetall(keys.standings(name)).zrange(keys.order(name), 0, -1, withscores=True)
        pipe.hgetall(keys.pairs(name)).hgetall(keys.histories(name))
        standings, order, pairs, histories = pipe.execute()
        return _lines(standings.items(), order, pairs.items(), histories.items())

    def _chosen(self, name: str, fields: Sequence[str], kind: type[T]) -> dict[str, T]:
        return _decoded(fields, self._db.client.hmget(name, fields), kind) if fields else {}


def dump_of(cursor: int, projection: Projection) -> bytes:
    """What `dump` gives for a leaderboard that stands so."""
    standings = projection.standings
    return _lines(
        [(k.encode(), v) for k, v in _heads(cursor, projection)]
        + [(k.encode(), to_json(v)) for k, v in standings.items()],
        [(k.encode(), v.score) for k, v in standings.items()],
        [(k.encode(), to_json(v)) for k, v in projection.pairs.items()],
        [(k.encode(), v) for k, v in projection.histories.items()],
    )


def head_of(board: Leaderboard, head: bytes | None) -> tuple[int, int]:
    """Cursor and matches, of the head as it is stored."""
    if head is None:
        return board.start, 0
    read = json.loads(head)
    return read["cursor"], read["matches"]


def _heads(cursor: int, projection: Projection) -> list[tuple[str, bytes]]:
    head = (HEAD, to_json({"cursor": cursor, "matches": projection.matches}))
    return [head, *((_TABLES[size], to_json(sums)) for size, sums in projection.tables.items())]


def _tables(rows: Sequence[bytes | None]) -> dict[int, TableSums]:
    return {size: from_json(TableSums, raw) for size, raw in zip(_TABLES, rows, strict=True) if raw is not None}


def _decoded(names: Sequence[str], values: Sequence[bytes | None], kind: type[T]) -> dict[str, T]:
    return {name: from_json(kind, raw) for name, raw in zip(names, values, strict=True) if raw is not None}


def _lines(
    standings: Iterable[tuple[bytes, bytes]],
    order: Iterable[tuple[bytes, float]],
    pairs: Iterable[tuple[bytes, bytes]],
    histories: Iterable[tuple[bytes, bytes]],
) -> bytes:
    scores = [(key, repr(float(score)).encode()) for key, score in order]
    parts = ((b"standing", standings), (b"order", scores), (b"pair", pairs), (b"history", histories))
    return b"\n".join(b" ".join((what, key, value)) for what, rows in parts for key, value in sorted(rows))

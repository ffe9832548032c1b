"""The rounds of endless tournaments: each its own entrants, commitment and secret."""

import json
from collections.abc import Mapping

from workers.codec import from_json, to_json
from workers.model import ENDS, Round, TournamentState
from workers.store import keys, scripts
from workers.store.connection import Connection, text


class Rounds:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def open(
        self, tournament_id: str, opened: Round, secret: bytes, memory: Mapping[str, object], end: int, matches: int
    ) -> bool:
        """Store it with its secret, and what is remembered of those before; False if somebody opened it."""
        t = tournament_id
        names = [keys.tournament(t), keys.rounds(t), keys.round_secrets(t), keys.memory(t)]
        given = (opened.number, end, matches, to_json(opened), secret, to_json(dict(memory)))
        return bool(self._db.run(scripts.OPEN_OWN_ROUND, names, *given))

    def get(self, tournament_id: str, number: int) -> Round | None:
        """Round `number`, from 1."""
        found = self._db.client.lindex(keys.rounds(tournament_id), number - 1)
        return None if found is None else from_json(Round, found)

    def latest(self, tournament_id: str, start: int = 0, stop: int = -1) -> list[Round]:
        """Latest first; `stop` inclusive as in Redis."""
        length = int(self._db.client.llen(keys.rounds(tournament_id)))
        first, last = (length - 1 - at if at >= 0 else -1 - at for at in (stop, start))
        found = self._db.client.lrange(keys.rounds(tournament_id), max(first, 0), last) if last >= 0 else []
        return [from_json(Round, raw) for raw in reversed(found)]

    def secret(self, tournament_id: str, number: int) -> bytes:
        """For the worker that derives seeds. Never shown before the round's end: see `revealed`."""
        found: bytes = self._db.client.lindex(keys.round_secrets(tournament_id), number - 1)
        return found

    def revealed(self, tournament_id: str, opened: Round) -> bytes:
        """The secret once every match of the round has ended, else empty."""
        found = self._db.client.hmget(keys.tournament(tournament_id), "state", "front")
        state, front = TournamentState(text(found[0])), int(found[1])
        ended = state in ENDS or front >= opened.begin + opened.blocks
        return self.secret(tournament_id, opened.number) if ended else b""

    def memory(self, tournament_id: str) -> dict[str, object]:
        """What the format remembers of the rounds before the last that was opened."""
        found: dict[str, object] = json.loads(self._db.client.get(keys.memory(tournament_id)) or "{}")
        return found

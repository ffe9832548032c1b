"""Referees and who is connected to them right now, as told by the arena's attendance; and workers' health."""

from typing import Final

from workers.codec import from_json, to_json
from workers.model import Referee, RefereePresence
from workers.store import keys, scripts
from workers.store.connection import Connection, text

LIFE_MS: Final = 10_000
REGISTERED_MS: Final = 15_000  # a referee that was killed is forgotten after so long
FAILURES_LIFE_S: Final = 24 * 3600  # names of workers hold process ids: they would pile up


class PresenceStore:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def register_referee(self, referee: Referee, life_ms: int = REGISTERED_MS) -> None:
        """Known from now on under its id, in the place of whoever had it; to be renewed before `life_ms` are over."""
        self._register(referee, life_ms, take=True)

    def renew_referee(self, referee: Referee, life_ms: int = REGISTERED_MS) -> bool:
        """Known for as long again, also if the store had forgotten it; False if another has taken its place."""
        return self._register(referee, life_ms, take=False)

    def forget_referee(self, referee: Referee) -> bool:
        """No longer known; False if another has taken its place, who stays."""
        names = [keys.REFEREES, keys.REFEREES_UNTIL, keys.presence(referee.referee_id)]
        return bool(self._db.run(scripts.UNREGISTER, names, referee.referee_id, to_json(referee)))

    def _register(self, referee: Referee, life_ms: int, *, take: bool) -> bool:
        names = [keys.REFEREES, keys.REFEREES_UNTIL]
        return bool(self._db.run(scripts.REGISTER, names, referee.referee_id, to_json(referee), life_ms, int(take)))

    def referees(self) -> list[Referee]:
        """All whose registration holds, by id."""
        found = self._db.run(scripts.REGISTERED, [keys.REFEREES, keys.REFEREES_UNTIL])
        return sorted((from_json(Referee, raw) for raw in found), key=lambda r: r.referee_id)

    def referee(self, referee_id: str) -> Referee | None:
        """By id."""
        found = self._db.client.hget(keys.REFEREES, referee_id)
        return None if found is None else from_json(Referee, found)

    def present(self, presence: RefereePresence, life_ms: int = LIFE_MS) -> None:
        """Who is there; holds for `life_ms`."""
        self._db.client.set(keys.presence(presence.referee_id), to_json(presence), px=life_ms)

    def absent(self, referee_id: str) -> None:
        """Nobody can be seated there for now."""
        self._db.client.delete(keys.presence(referee_id))

    def everywhere(self) -> list[RefereePresence]:
        """Of all registered referees that are attended, by id."""
        ids = [referee.referee_id for referee in self.referees()]
        found = self._db.client.mget([keys.presence(i) for i in ids]) if ids else []
        return [from_json(RefereePresence, raw) for raw in found if raw is not None]

    def start_failed(self, worker: str) -> int:
        """One more start failure in a row of this worker (field case B25); how many now."""
        pipe = self._db.client.pipeline()
        count, _ = pipe.hincrby(keys.WORKERS, worker, 1).expire(keys.WORKERS, FAILURES_LIFE_S).execute()
        return int(count)

    def started(self, worker: str) -> None:
        """This worker can start matches."""
        self._db.client.hdel(keys.WORKERS, worker)

    def start_failures(self) -> dict[str, int]:
        """By worker, of those that could not start their last match."""
        return {text(name): int(count) for name, count in self._db.client.hgetall(keys.WORKERS).items()}

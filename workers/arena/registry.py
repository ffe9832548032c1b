"""What attendance needs of the store, in the store's own words."""

from collections.abc import Mapping

from thousand.v1 import match_pb2 as api
from workers.model import Instance, Player, RefereePresence
from workers.store import Store


class StoreRegistry:
    """Referees, generations and presence in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._since: dict[str, int] = {}

    def referee_addresses(self) -> Mapping[str, str]:
        """Service address by referee id."""
        return {referee.referee_id: referee.service for referee in self._store.presence.referees()}

    def generations(self) -> Mapping[str, int]:
        """Lowest valid generation by bot id."""
        return self._store.people.generations()

    def present(self, referee_id: str, answer: api.AttendResponse) -> None:
        """Store who is present there."""
        instances = tuple(
            Instance(
                Player(seen.bot_id, seen.version),
                seen.instance_id,
                seen.max_matches or 1,
                seen.open_matches,
                tuple(seen.presets),
                seen.leaving,
            )
            for seen in answer.present
        )
        since = self._since.setdefault(referee_id, self._store.now_ms())
        self._store.presence.present(RefereePresence(referee_id, instances, answer.draining, since))

    def absent(self, referee_id: str) -> None:
        """Nobody can be seated there for now."""
        self._since.pop(referee_id, None)
        self._store.presence.absent(referee_id)

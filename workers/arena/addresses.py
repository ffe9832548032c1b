"""The calls about referees: where bots connect."""

from typing import Final

from thousand.v1 import arena_pb2 as api
from workers.store import Store

REFRESH_MS: Final = 5_000


class AddressCalls:
    """Referee addresses. Blocking: called in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list_referees(self, request: api.ListRefereesRequest) -> api.ListRefereesResponse:
        """The referees that are attended right now."""
        attended = {presence.referee_id: presence for presence in self._store.presence.everywhere()}
        referees = [
            api.Referee(
                referee_id=referee.referee_id,
                bot_address=referee.bots,
                draining=attended[referee.referee_id].draining,
            )
            for referee in self._store.presence.referees()
            if referee.referee_id in attended
        ]
        return api.ListRefereesResponse(referees=referees, refresh_ms=REFRESH_MS)

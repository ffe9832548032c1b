"""Who attends this store: one arena, for as long as it says so again."""

from workers.store import keys, scripts_people
from workers.store.connection import Connection, text


class ArenaLease:
    """See the module. A holder is a text of its own that says who it is."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def take(self, holder: str, life_ms: int) -> str:
        """Take it if nobody has it, or renew it; who has it otherwise, else empty."""
        return text(self._db.run(scripts_people.TAKE_LEASE, [keys.ARENA], holder, life_ms))

    def holder(self) -> str:
        """Who has it; empty for nobody."""
        return text(self._db.client.get(keys.ARENA))

    def left_ms(self) -> int:
        """How long it still holds; 0 if nobody has it."""
        return max(0, int(self._db.client.pttl(keys.ARENA)))

    def release(self, holder: str) -> None:
        """Give it back, if it is this holder's."""
        self._db.run(scripts_people.RELEASE_LEASE, [keys.ARENA], holder)

"""The store: everything the platform keeps, in Redis. All keys: `keys`; all that must be atomic: `scripts`."""

from workers.store.blocks import Blocks, Committed
from workers.store.connection import Connection, StoreError, StoreLost
from workers.store.leaderboards import Leaderboards
from workers.store.lease import ArenaLease
from workers.store.ledger import Ledger
from workers.store.people import People
from workers.store.presence import PresenceStore
from workers.store.rounds import Rounds
from workers.store.schedules import Schedules
from workers.store.tournaments import Tournaments

__all__ = ["Committed", "Store", "StoreError", "StoreLost"]


class Store:
    """One connection, and the parts of the store as attributes. Blocking; safe to share between threads.

    `patience`: seconds that a call waits for a server that is away before it raises one of `StoreLost`.
    """

    def __init__(self, url: str, *, patience: float = 5.0) -> None:
        self.connection = Connection(url, patience)
        self.lease = ArenaLease(self.connection)
        self.people = People(self.connection)
        self.presence = PresenceStore(self.connection)
        self.tournaments = Tournaments(self.connection)
        self.rounds = Rounds(self.connection)
        self.schedules = Schedules(self.connection)
        self.blocks = Blocks(self.connection)
        self.ledger = Ledger(self.connection)
        self.leaderboards = Leaderboards(self.connection)

    def now_ms(self) -> int:
        """The store's clock, which all leases are measured by."""
        return self.connection.now_ms()

    def check(self, ephemeral: bool = False) -> None:
        """Raise StoreError("volatile") unless the server keeps what it is told (append-only file, no eviction)."""
        self.connection.check(ephemeral)

    def close(self) -> None:
        """Give the connections back."""
        self.connection.close()

"""Strikes and forfeits: what a bot's faults cost it, and nobody else.

Law: each fault is one strike; the fifth in a match forfeits it. Who forfeited is last, whatever the caretaker reaches.
"""

from collections.abc import Iterable

from thousand.record import Cause, Strike


class Penalties:
    """The strikes of one match."""

    __slots__ = ("_allowed", "by_seat", "forfeits", "log")

    def __init__(self, players: int, allowed: int, earlier: Iterable[Strike] = ()) -> None:
        self._allowed = allowed
        self.by_seat = [0] * players
        self.forfeits: list[int] = []  # in the order they forfeited
        self.log: list[Strike] = []
        for strike in earlier:
            self.add(strike)

    def add(self, strike: Strike) -> None:
        """Count a strike; the last one allowed forfeits."""
        self.log.append(strike)
        self.by_seat[strike.seat] += 1
        if self.by_seat[strike.seat] >= self._allowed and strike.seat not in self.forfeits:
            self.forfeits.append(strike.seat)

    def strike(self, seat: int, before: int, cause: Cause, message: str) -> Strike:
        """A new strike of this seat at the decision that journal entry number `before` will answer."""
        strike = Strike(seat, before, cause, message)
        self.add(strike)
        return strike

    def forfeited(self, seat: int) -> bool:
        """Whether the caretaker plays this seat to the end."""
        return seat in self.forfeits

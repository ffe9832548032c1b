"""Clocks: how long a seat may think, and what a decision costs its bank. All times are milliseconds passed in.

Law: a bank is never negative, and a clock never runs while it is the referee that keeps a seat waiting.
"""

from thousand.bot import Clocks

UNLIMITED = Clocks(startup_ms=0, decision_ms=0, free_ms=0, bank_ms=0, increment_ms=0)


class SeatClock:
    """One seat's clock in one match: what is left in its bank, and since when it thinks."""

    __slots__ = ("bank_ms", "clocks", "limit_ms", "started")

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self.bank_ms = clocks.bank_ms
        self.started: int | None = None  # when its decision was sent; None: no decision runs
        self.limit_ms = self._limit()  # the longest a decision may take now; None: no limit is set

    def _limit(self) -> int | None:
        clocks = self.clocks
        if clocks.free_ms or clocks.bank_ms or clocks.increment_ms:
            allowance = clocks.free_ms + self.bank_ms
            return min(clocks.decision_ms, allowance) if clocks.decision_ms else allowance
        return clocks.decision_ms or None

    def start(self, now: int) -> None:
        """The decision was sent. A second start changes nothing: being sent again gives no new time."""
        if self.started is None:
            self.started = now

    def elapsed(self, now: int) -> int:
        """How long the seat has been thinking; 0 before its decision was sent."""
        return 0 if self.started is None else max(0, now - self.started)

    def left(self, now: int) -> int | None:
        """What is left of this decision, never negative; None: no limit is set."""
        limit = self.limit_ms
        return None if limit is None else max(0, limit - self.elapsed(now))

    def deadline(self, grace_ms: int) -> int | None:
        """When the decision is lost; None: never, or its clock does not run."""
        limit = self.limit_ms
        return None if limit is None or self.started is None else self.started + limit + grace_ms

    def stop(self, now: int, *, answered: bool) -> int:
        """Ends the decision; returns its time, charged beyond the free time. Only an answer earns the increment."""
        elapsed = self.elapsed(now)
        self.started = None
        charged = elapsed - self.clocks.free_ms
        if charged > 0 or self.clocks.increment_ms:
            self.bank_ms = max(0, self.bank_ms - max(0, charged)) + (self.clocks.increment_ms if answered else 0)
            self.limit_ms = self._limit()
        return elapsed

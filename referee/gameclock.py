"""The referee's own clock: monotonic milliseconds that stand still while the referee itself is late.

A beat is due every few milliseconds. When one comes late, the event loop was busy or the machine slept, and answers
that came meanwhile could not be read: that time is nobody's thinking time, so the clock does not count it (B13).
"""

from collections.abc import Callable

BEAT_MS = 9
SLACK_MS = 15  # a beat that is later than this stops the clock


class GameClock:
    """`now()` in ms. Call `beat()` every BEAT_MS."""

    __slots__ = ("_base", "_beat", "_monotonic_ns")

    def __init__(self, monotonic_ns: Callable[[], int]) -> None:
        self._monotonic_ns = monotonic_ns
        self._base = 0
        self._beat = monotonic_ns()

    def now(self) -> int:
        """Milliseconds since the start, without those in which the referee was stalled."""
        return (self._base + min(self._monotonic_ns() - self._beat, _CAP_NS)) // 1_000_000

    def beat(self) -> int:
        """Says that the referee is alive. Returns the milliseconds it was stalled before."""
        at = self._monotonic_ns()
        since = at - self._beat
        self._base += min(since, _CAP_NS)
        self._beat = at
        return max(0, since - _CAP_NS) // 1_000_000


_CAP_NS = (BEAT_MS + SLACK_MS) * 1_000_000

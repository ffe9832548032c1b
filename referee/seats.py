"""What a table knows of one seat."""

from referee.clocks import SeatClock
from referee.outputs import Ask, LastAnswer
from thousand.record import Cause, Strike
from thousand.rules import Event


class SeatState:
    """Its clock, what it has not been told, and its open decision."""

    __slots__ = ("ask", "clock", "gone", "last", "live", "pending", "ready", "strikes")

    def __init__(self, clock: SeatClock) -> None:
        self.clock = clock
        self.ready = False
        self.gone: Cause | None = None  # its stream is gone, and why
        self.live = False  # told events as they happen
        self.pending: list[Event] = []  # what it may know and has not been told
        self.last: LastAnswer | None = None
        self.ask: Ask | None = None  # its open decision
        self.strikes: list[Strike] = []  # at its open decision

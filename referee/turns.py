"""When decisions of bots that play many matches are written: together, once there is nothing left to read.

Law: what is held is held for HOLD_S at most, and no clock runs meanwhile. A message of three decisions costs little
more than a message of one.
"""

import asyncio
from typing import Final, Protocol

HOLD_S: Final = 0.003
_QUIET: Final = 2  # turns of the event loop: what has arrived takes one to get here


class Held(Protocol):
    """A stream with something to write."""

    def release(self) -> None:
        """Write it."""


class Turns:
    """Holds streams until the event loop runs dry."""

    __slots__ = ("_held", "_quiet", "_since")

    def __init__(self) -> None:
        self._held: list[Held] = []
        self._quiet = 0
        self._since = 0.0

    def busy(self) -> None:
        """Something was read: more may follow."""
        self._quiet = 0

    def hold(self, stream: Held) -> None:
        """Release the stream soon, with the others."""
        if not self._held:
            loop = asyncio.get_running_loop()
            self._quiet = 0
            self._since = loop.time()
            loop.call_soon(self._turn, loop)
        self._held.append(stream)

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        self._quiet += 1
        if self._quiet <= _QUIET and loop.time() - self._since < HOLD_S:
            loop.call_soon(self._turn, loop)
            return
        held, self._held = self._held, []
        for stream in held:
            stream.release()

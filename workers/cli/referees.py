"""The referees of `arena up --referees N`: processes of this machine, started again when they end."""

import asyncio
import logging
import sys
from pathlib import Path
from typing import Final

from workers.cli.processes import Child, start, stop_all, trim

log = logging.getLogger("arena")
LOOK_EVERY: Final = 0.5
REST: Final = 2.0  # seconds before one that ended is started again
STOP_GRACE: Final = 20.0  # they let open matches go on for a while first


class Referees:
    """`referee-1` … `referee-N`. To be kept from the main thread: they die with the thread that started them."""

    def __init__(self, count: int, data: Path, redis: str) -> None:
        self._data, self._redis = data, redis
        self._names = [f"referee-{number}" for number in range(1, count + 1)]
        self._children: dict[str, Child] = {}

    async def keep(self) -> None:
        """Start all of them, and again whoever ends, until cancelled."""
        for name in self._names:
            self._start(name)
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for name, child in list(self._children.items()):
                trim(child.log)
                if child.process.poll() is not None:
                    log.error("%s ended with code %s: see %s", name, child.process.returncode, child.log)
                    await asyncio.sleep(REST)
                    self._start(name)

    def stop(self) -> None:
        """Stop all: bots are told."""
        stop_all(list(self._children.values()), STOP_GRACE)

    def _start(self, name: str) -> None:
        command = [sys.executable, "-m", "workers.cli.referee", "--data", str(self._data), "--redis", self._redis]
        log_file = self._data / "log" / f"arena-{name}.log"
        self._children[name] = start(name, [*command, "--id", name], log=log_file)

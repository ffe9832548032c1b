"""All processes of one arena on this machine: Redis, arena, referee, workers, house bots.

`arena demo` and the end-to-end tests play on a stage. Law: leaving it stops all of them, and whatever happens to the
process that set it, nothing stays running.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from workers.cli.embedded import DataDir, start_redis
from workers.cli.processes import Child, start, stop_all


@dataclass(slots=True)
class Stage:
    """Set it part by part; parts may be killed and set again (the same data, the same addresses)."""

    folder: Path
    say: Callable[[str], None] = lambda text: None
    data: DataDir = field(init=False)
    redis: Child = field(init=False)
    redis_url: str = field(init=False, default="")
    arena: Child = field(init=False)
    address: str = field(init=False, default="")
    organiser_key: str = field(init=False, default="")
    referees: list[Child] = field(init=False, default_factory=list)
    workers: list[Child] = field(init=False, default_factory=list)
    bots: list[Child] = field(init=False, default_factory=list)

    def __enter__(self) -> Self:
        self.data = DataDir(self.folder)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start_redis(self) -> None:
        """The store, on the port it had before, if it had one."""
        port = int(self.redis_url.rpartition(":")[2].partition("/")[0]) if self.redis_url else 0
        self.redis, self.redis_url = start_redis(self.data, port)

    def start_arena(self, house: int = 4) -> None:
        """The public service, on the address it had before, if it had one."""
        options = ["--listen", self.address or "127.0.0.1:0", "--house", str(house), "--new-organiser-key"]
        self.arena = self._start("arena", "up", *self._store(), *options, "--json", ready=True)
        told = self.arena.first_json()
        self.address, self.organiser_key = told["arena"], told["organiser_key"]

    def start_referee(self, name: str = "referee-1") -> Child:
        """A referee that the arena knows."""
        child = self._start(name, "referee", *self._store(), "--id", name, "--json", ready=True)
        child.first_json()
        self.referees.append(child)
        return child

    def start_worker(self, name: str) -> Child:
        """One RQ worker."""
        child = self._start(name, "worker", *self._store(), "--name", name)
        self.workers.append(child)
        return child

    def start_house_bot(self, name: str, at_once: int = 0) -> Child:
        """One house bot, connected through the arena, in at most `at_once` matches at once."""
        options = ["--data", str(self.folder), "--server", self.address]
        options += ["--at-once", str(at_once)] if at_once else []
        child = self._start(f"bot {name}", "house", name, *options)
        self.bots.append(child)
        return child

    def start_all(self, house: Sequence[str], workers: int, at_once: int = 0, referees: int = 1) -> None:
        """Everything, in order."""
        self.say("starting Redis")
        self.start_redis()
        self.say("starting the arena")
        self.start_arena(len(house))
        several = "a referee" if referees == 1 else f"{referees} referees"
        self.say(f"starting {several}, {workers} workers, {len(house)} bots")
        for number in range(1, referees + 1):
            self.start_referee(f"referee-{number}")
        for number in range(1, workers + 1):
            self.start_worker(f"worker-{number}")
        for name in house:
            self.start_house_bot(name, at_once)

    def check(self) -> None:
        """Raise ChildFailed if any of them has ended."""
        for child in self.children():
            child.check()

    def children(self) -> list[Child]:
        """All that was started, those first that must stop first."""
        rest = [getattr(self, name, None) for name in ("arena", "redis")]
        return [*self.workers, *self.bots, *self.referees, *(child for child in rest if child is not None)]

    def close(self) -> None:
        """Stop everything: workers before the referee they call, Redis last."""
        for group in (self.workers, self.bots, self.referees):
            stop_all(group, grace=3.0)
        for name in ("arena", "redis"):
            child = getattr(self, name, None)
            if child is not None:
                child.stop(grace=3.0)
        self.data.release()

    def _store(self) -> list[str]:
        return ["--data", str(self.folder), "--redis", self.redis_url]

    def _start(self, name: str, module: str, *arguments: str, ready: bool = False) -> Child:
        log = self.folder / "log" / (name.replace(" ", "-") + ".log")
        return start(name, [sys.executable, "-m", f"workers.cli.{module}", *arguments], log=log, ready=ready)

"""Hosts matches of the benchmark's bots and puts their journals into Redis, as a worker does."""

import asyncio
import faulthandler
import itertools
import signal
import sys
import time
from typing import Any

import grpc
import redis.asyncio
import uvloop

from thousand.bot import Clocks
from thousand.rules import PRESETS, seed_from_int
from thousand.v1 import match_pb2 as pb
from thousand.wire import clocks_to, ruleset_to

CLOCKS = Clocks(startup_ms=30_000, decision_ms=50_000, free_ms=10_000, bank_ms=1_200_000)
NUMBERS = itertools.count(1)
TABLES = 10


class Journals:
    """Journals on their way into Redis: whatever is ready goes in one round trip."""

    def __init__(self, redis_url: str) -> None:
        self._redis: Any = redis.asyncio.from_url(redis_url, socket_timeout=None)  # a busy machine is no error
        self._ready: list[tuple[str, pb.JournalBatch]] = []
        self._more = asyncio.Event()
        self.stored = 0  # entries

    def add(self, key: str, batch: pb.JournalBatch) -> None:
        """A batch of a match, to be stored."""
        self._ready.append((key, batch))
        self._more.set()

    async def store(self) -> None:
        """Store for ever. What counts is what is stored."""
        while True:
            await self._more.wait()
            self._more.clear()
            ready, self._ready = self._ready, []
            pipeline = self._redis.pipeline(transaction=False)
            for key, batch in ready:
                pipeline.rpush(key, batch.SerializeToString())
            await pipeline.execute()
            self.stored += sum(len(batch.entries) for _, batch in ready)

    async def forget(self) -> None:
        """Drop what was measured."""
        await self._redis.flushdb()


class Table:
    """Matches of the same three bots, told over one call as those of a block are: when one ends the next one begins."""

    def __init__(self, hosting: "Hosting", number: int) -> None:
        self._hosting = hosting
        self._bots = [f"bot-{number * 3 + seat}" for seat in range(3)]

    async def play(self, at_once: int) -> None:
        """So many at once, until cancelled."""
        call = self._hosting.call()
        try:
            for _ in range(at_once):
                await call.write(self._next())
            while (data := await call.read()) is not grpc.aio.EOF:
                for item in pb.HostMatchesResponse.FromString(data).items:
                    if item.said.HasField("journal"):
                        self._hosting.journals.add(f"bench:{item.match_id}", item.said.journal)
                    elif item.HasField("refused") or any(c.strikes for c in item.said.record.outcome.conduct):
                        raise RuntimeError(f"{item}"[:2000])
                    else:
                        await call.write(self._next())
            raise RuntimeError(await call.details())
        finally:
            call.cancel()  # or the referee plays on, unheard

    def _next(self) -> bytes:
        number = next(NUMBERS)
        match = pb.HostMatchRequest(
            match_id=f"match-{number}",
            block_id=f"block-{number}",
            fence=1,
            ruleset=ruleset_to(PRESETS["tournament"]),
            preset="tournament",
            seed=seed_from_int(number),
            seats=[pb.SeatAssignment(bot_id=bot, version=1) for bot in self._bots],
            clocks=clocks_to(CLOCKS),
        )
        return pb.HostMatchesRequest(match=match).SerializeToString()


class Hosting:
    """All tables together."""

    def __init__(self, address: str, token: str, journals: Journals) -> None:
        self.journals = journals
        self._host: Any = grpc.aio.insecure_channel(address).stream_stream("/thousand.v1.MatchService/HostMatches")
        self._metadata = [("authorization", f"Bearer {token}")]

    def call(self) -> Any:
        """A call of HostMatches."""
        return self._host(metadata=self._metadata)

    async def measure(self, matches: int, seconds: float) -> float:
        """Decisions per second in so many matches at once, the same number at each of the ten tables."""
        tasks = [asyncio.create_task(Table(self, number).play(matches // TABLES)) for number in range(TABLES)]
        await asyncio.sleep(0.5)
        before, begun = self.journals.stored, time.perf_counter()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        rate = (self.journals.stored - before) / (time.perf_counter() - begun)
        for task in done:
            task.result()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.2)
        await self.journals.forget()
        return rate


async def main(address: str, token: str, redis_url: str) -> None:
    """A rate for each line on stdin, which holds matches and seconds."""
    faulthandler.register(signal.SIGUSR1)
    journals = Journals(redis_url)
    storing = asyncio.create_task(journals.store())
    hosting = Hosting(address, token, journals)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        matches, seconds = line.split()
        print(await hosting.measure(int(matches), float(seconds)), flush=True)
        if storing.done():
            storing.result()


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(*sys.argv[1:4]))

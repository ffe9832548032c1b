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


class Hosting:
    """All lanes together: a lane plays one match after another with the same three bots."""

    def __init__(self, address: str, token: str, journals: Journals) -> None:
        self._host: Any = grpc.aio.insecure_channel(address).unary_stream("/thousand.v1.MatchService/HostMatch")
        self._metadata = [("authorization", f"Bearer {token}")]
        self._journals = journals

    async def lane(self, number: int, lanes: int) -> None:
        """Matches of the bots of this table, for ever."""
        table = number % 10
        bots = [f"bot-{table * 3 + seat}" for seat in range(3)]
        while True:
            match = next(NUMBERS)
            await self._play(f"match-{lanes}-{match}", bots, match)

    async def _play(self, match_id: str, bots: list[str], seed: int) -> None:
        request = pb.HostMatchRequest(
            match_id=match_id,
            block_id=match_id,
            fence=1,
            ruleset=ruleset_to(PRESETS["tournament"]),
            preset="tournament",
            seed=seed_from_int(seed),
            seats=[pb.SeatAssignment(bot_id=bot, version=1) for bot in bots],
            clocks=clocks_to(CLOCKS),
        )
        key = f"bench:{match_id}"
        call = self._host(request.SerializeToString(), metadata=self._metadata)
        try:
            while (data := await call.read()) is not grpc.aio.EOF:
                response = pb.HostMatchResponse.FromString(data)
                if response.HasField("journal"):
                    self._journals.add(key, response.journal)
                elif any(seat.strikes for seat in response.record.outcome.conduct):
                    raise RuntimeError(f"strikes: {response.record.outcome.conduct}")
            if await call.code() is not grpc.StatusCode.OK:
                raise RuntimeError(await call.details())
        finally:
            call.cancel()  # or the referee plays on, unheard

    async def measure(self, lanes: int, seconds: float) -> float:
        """Decisions per second in as many matches at once as there are lanes."""
        tasks = [asyncio.create_task(self.lane(number, lanes)) for number in range(lanes)]
        await asyncio.sleep(0.5)
        before, begun = self._journals.stored, time.perf_counter()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        rate = (self._journals.stored - before) / (time.perf_counter() - begun)
        for task in done:
            task.result()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.2)
        await self._journals.forget()
        return rate


async def main(address: str, token: str, redis_url: str) -> None:
    """A rate for each line on stdin, which holds lanes and seconds."""
    faulthandler.register(signal.SIGUSR1)
    journals = Journals(redis_url)
    storing = asyncio.create_task(journals.store())
    hosting = Hosting(address, token, journals)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        lanes, seconds = line.split()
        print(await hosting.measure(int(lanes), float(seconds)), flush=True)
        if storing.done():
            storing.result()


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(*sys.argv[1:4]))

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


class Hosting:
    """All lanes together: a lane plays one match after another with the same three bots."""

    def __init__(self, address: str, token: str, redis_url: str) -> None:
        channel = grpc.aio.insecure_channel(address)
        self._host = channel.unary_stream(
            "/thousand.v1.MatchService/HostMatch",
            request_serializer=pb.HostMatchRequest.SerializeToString,
            response_deserializer=pb.HostMatchResponse.FromString,
        )
        self._metadata = [("authorization", f"Bearer {token}")]
        self._redis: Any = redis.asyncio.from_url(redis_url)
        self.decisions = 0

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
        async for response in self._host(request, metadata=self._metadata):
            if response.WhichOneof("item") == "journal":
                await self._redis.rpush(key, response.journal.SerializeToString())
                self.decisions += len(response.journal.entries)
            elif any(seat.strikes for seat in response.record.outcome.conduct):
                raise RuntimeError(f"strikes: {response.record.outcome.conduct}")
        await self._redis.delete(key)

    async def measure(self, lanes: int, seconds: float) -> float:
        """Decisions per second in as many matches at once as there are lanes."""
        tasks = [asyncio.create_task(self.lane(number, lanes)) for number in range(lanes)]
        await asyncio.sleep(0.5)
        before, begun = self.decisions, time.perf_counter()
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        rate = (self.decisions - before) / (time.perf_counter() - begun)
        for task in done:
            task.result()
        left = set(tasks)
        while left:  # a cancellation may be lost between a call and the store
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=0.5)
        await asyncio.sleep(0.2)
        return rate


async def main(address: str, token: str, redis_url: str) -> None:
    """A rate for each line on stdin, which holds lanes and seconds."""
    faulthandler.register(signal.SIGUSR1)
    hosting = Hosting(address, token, redis_url)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        lanes, seconds = line.split()
        print(await hosting.measure(int(lanes), float(seconds)), flush=True)


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(*sys.argv[1:4]))

"""Clients of the bare echo: a message of a given size, its answer, the next one.

Streams take turns at tables of so many, as bots do: one of a table is asked at a time. At tables of one, all are.
"""

import asyncio
import sys
import time
from typing import Any

import grpc
import uvloop


async def talk(table: list[Any], message: bytes, end: float) -> int:
    """How many answers came before `end` on the streams of a table, which take turns."""
    count = 0
    while time.perf_counter() < end:
        stream = table[count % len(table)]
        await stream.write(message)
        await stream.read()
        count += 1
    return count


async def main(port: int, size: int, streams: int) -> None:
    """A rate for each line on stdin, which holds the seconds to measure and how many streams a table has."""
    channels = [
        grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range(streams)
    ]
    open_streams: list[Any] = [channel.stream_stream("/Echo/Play")() for channel in channels]
    message = bytes(size)
    await asyncio.gather(*(talk([stream], message, time.perf_counter() + 0.2) for stream in open_streams))
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        seconds, seats = float(line.split()[0]), int(line.split()[1])
        tables = [open_streams[first : first + seats] for first in range(0, streams, seats)]
        begun = time.perf_counter()
        counts = await asyncio.gather(*(talk(table, message, begun + seconds) for table in tables))
        print(sum(counts) / (time.perf_counter() - begun), flush=True)


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(*map(int, sys.argv[1:4])))

"""Clients of the bare echo: on each stream a message of a given size, its answer, the next one."""

import asyncio
import sys
import time
from typing import Any

import grpc
import uvloop


async def talk(stream: Any, message: bytes, end: float) -> int:
    """How many answers came before `end`."""
    count = 0
    while time.perf_counter() < end:
        await stream.write(message)
        await stream.read()
        count += 1
    return count


async def main(port: int, size: int, streams: int) -> None:
    """A rate for each line on stdin, which holds the seconds to measure."""
    channels = [
        grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range(streams)
    ]
    open_streams: list[Any] = [channel.stream_stream("/Echo/Play")() for channel in channels]
    message = bytes(size)
    await asyncio.gather(*(talk(stream, message, time.perf_counter() + 0.2) for stream in open_streams))
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        begun = time.perf_counter()
        counts = await asyncio.gather(*(talk(stream, message, begun + float(line)) for stream in open_streams))
        print(sum(counts) / (time.perf_counter() - begun), flush=True)


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(*map(int, sys.argv[1:4])))

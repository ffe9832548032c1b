"""An arena over a Redis whose URL is the argument; prints its address, then answers until its input ends."""

import asyncio
import sys
import tempfile
from pathlib import Path

from workers.arena.app import Arena, Settings
from workers.queue import BlockQueue
from workers.scheduler import Scheduler
from workers.store import Store


async def serve(url: str, folder: Path) -> None:
    """Until end of input."""
    store = Store(url)
    arena = Arena(Settings(folder, "", "127.0.0.1:0"), store, Scheduler(store, BlockQueue(url)))
    told = await arena.start()
    print(told.address, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await arena.stop()
    store.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        asyncio.run(serve(sys.argv[1], Path(data)))

"""One arena attends a store: a lease that the living one renews, and that a second one is told of.

Everything in the store bears two ticks at once, so a lease lost is told and ended, not repaired.
"""

import asyncio
import logging
import os
import socket
import time
from typing import Final

from workers.store import Store, StoreError, StoreLost

log = logging.getLogger("arena")
LIFE_MS: Final = 4_000
RENEW_EVERY: Final = 1.0  # seconds
LOOK_EVERY: Final = 0.2


class StoreLease:
    """`take` it at the start, `hold` it while the arena runs, `release` it at the end."""

    def __init__(self, store: Store, address: str) -> None:
        self._store = store
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
        self._holder = f"at {address}, process {os.getpid()} on {socket.gethostname()}, since {since} UTC"
        self.lost = asyncio.Event()

    async def take(self) -> None:
        """Wait for the lease of an arena that died; raise StoreError("attended") naming one that lives."""
        left, waited = LIFE_MS, False
        while other := await asyncio.to_thread(self._store.lease.take, self._holder, LIFE_MS):
            now_left = await asyncio.to_thread(self._store.lease.left_ms)
            if now_left > left:
                raise StoreError(
                    "attended",
                    f"another arena attends this store ({other}): stop it, or give this one a Redis of its own",
                )
            if not waited:
                log.info("another arena has attended this store (%s): waiting whether it lives", other)
            left, waited = now_left, True
            await asyncio.sleep(LOOK_EVERY)

    async def hold(self) -> None:
        """Renew it until cancelled; `lost` is set, and this ends, if another arena has taken it."""
        while True:
            await asyncio.sleep(RENEW_EVERY)
            try:
                other = await asyncio.to_thread(self._store.lease.take, self._holder, LIFE_MS)
            except StoreLost:
                continue  # nobody can take it meanwhile, either
            if other:
                log.error("another arena attends this store now (%s): this one stops", other)
                self.lost.set()
                return

    async def release(self) -> None:
        """Let the next one begin at once."""
        try:
            await asyncio.to_thread(self._store.lease.release, self._holder)
        except StoreLost:
            log.warning("the store is away: its lease ends by itself")

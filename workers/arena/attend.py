"""Attends the referees: tells each which tokens hold, and stores who is present there.

Law: one stream per registered referee, dialled again for as long as it is registered; what a referee last said counts
only while its stream lives.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Final, Protocol

import grpc

from thousand.channels import open_aio_channel
from thousand.v1 import match_pb2 as api
from thousand.v1.match_pb2_grpc import MatchServiceStub

log = logging.getLogger("arena.attend")
LOOK_EVERY: Final = 0.25  # seconds between looks at the store for new generations, made by whatever process
REFEREES_EVERY: Final = 0.5
BACKOFF: Final = (0.1, 0.2, 0.5, 1.0)
_KEEPALIVE: Final = (("grpc.keepalive_time_ms", 10_000), ("grpc.keepalive_timeout_ms", 5_000))


class Registry(Protocol):
    """What attending needs of the store (blocking; called in a thread)."""

    def referee_addresses(self) -> Mapping[str, str]:
        """Service address by referee id."""
        ...

    def generations(self) -> Mapping[str, int]:
        """Lowest valid generation by bot id, of those above 0."""
        ...

    def present(self, referee_id: str, answer: api.AttendResponse) -> None:
        """Store who is present there; it holds for a few seconds."""
        ...

    def absent(self, referee_id: str) -> None:
        """Nobody can be seated there for now."""
        ...


class Attendance:
    """All streams to referees. `run` until cancelled."""

    def __init__(self, registry: Registry, service_token: str) -> None:
        self._registry = registry
        self._metadata = (("authorization", f"Bearer {service_token}"),)
        self._tasks: dict[str, tuple[str, asyncio.Task[None]]] = {}
        self._news = asyncio.Condition()

    async def generations_changed(self) -> None:
        """Tell every referee now instead of at the next look."""
        async with self._news:
            self._news.notify_all()

    async def run(self) -> None:
        """Keep one stream to each registered referee."""
        try:
            while True:
                with _logged("list referees"):
                    await self._match_tasks(await asyncio.to_thread(self._registry.referee_addresses))
                await asyncio.sleep(REFEREES_EVERY)
        finally:
            for _, task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*(task for _, task in self._tasks.values()), return_exceptions=True)

    async def _match_tasks(self, wanted: Mapping[str, str]) -> None:
        for referee_id, (address, task) in list(self._tasks.items()):
            if wanted.get(referee_id) != address:
                del self._tasks[referee_id]
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        for referee_id, address in wanted.items():
            if referee_id not in self._tasks:
                task = asyncio.create_task(self._keep(referee_id, address), name=f"attend {referee_id}")
                self._tasks[referee_id] = (address, task)

    async def _keep(self, referee_id: str, address: str) -> None:
        failures = 0
        try:
            while True:
                try:
                    async for answer in self._attend(address):
                        failures = 0
                        await asyncio.to_thread(self._registry.present, referee_id, answer)
                except grpc.aio.AioRpcError as error:
                    if failures == 0:
                        log.warning("referee %s at %s: %s %s", referee_id, address, error.code(), error.details())
                except Exception:
                    log.exception("attending %s failed", referee_id)
                with _logged("store absence"):
                    await asyncio.to_thread(self._registry.absent, referee_id)
                await asyncio.sleep(BACKOFF[min(failures, len(BACKOFF) - 1)])
                failures += 1
        finally:
            with suppress(Exception):
                await asyncio.shield(asyncio.to_thread(self._registry.absent, referee_id))

    async def _attend(self, address: str) -> AsyncIterator[api.AttendResponse]:
        async with open_aio_channel(address, _KEEPALIVE) as channel:
            stub = MatchServiceStub(channel)
            stream = stub.Attend(self._told(), metadata=self._metadata)
            async for answer in stream:
                yield answer

    async def _told(self) -> AsyncIterator[api.AttendRequest]:
        told: dict[str, int] = {}
        first = True
        while True:
            current = dict(await asyncio.to_thread(self._registry.generations))
            news = {bot: lowest for bot, lowest in current.items() if told.get(bot, 0) != lowest}
            if first or news:
                yield api.AttendRequest(
                    generations=[
                        api.BotGeneration(bot_id=bot, lowest_generation=lowest) for bot, lowest in sorted(news.items())
                    ]
                )
            told, first = current, False
            async with self._news:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._news.wait(), LOOK_EVERY)


class _logged:  # noqa: N801 - reads like a function
    """Whatever fails inside is logged, and the loop around it goes on."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: object) -> bool:
        if isinstance(error, Exception):
            log.error("%s: %s", self._what, error)
            return True
        return False

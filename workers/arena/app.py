"""Runs the arena: serves ArenaService, attends referees, and ticks. One per store: see `lease`."""

import asyncio
import errno
import logging
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from thousand.address import is_local
from thousand.v1.arena_pb2_grpc import add_ArenaServiceServicer_to_server
from workers.arena.addresses import AddressCalls
from workers.arena.attend import Attendance
from workers.arena.comparisons import ComparisonCalls
from workers.arena.house import OWNER_ID, OWNER_NAME, house_bot_id, house_names
from workers.arena.keys import hash_api_key, make_keys, new_api_key
from workers.arena.leaderboards import LeaderboardCalls
from workers.arena.lease import StoreLease
from workers.arena.people import PeopleCalls
from workers.arena.planning import PlanCalls
from workers.arena.quotas import OwnerQuotas
from workers.arena.registry import StoreRegistry
from workers.arena.rounds import RoundCalls
from workers.arena.schedules import ScheduleCalls
from workers.arena.service import ArenaService
from workers.arena.tournaments import TournamentCalls
from workers.arena.watching import Feeds
from workers.model import Owner, Role
from workers.quotas import Quotas
from workers.scheduler import Scheduler
from workers.store import Store, StoreError

log = logging.getLogger("arena")
ORGANISER_ID: Final = "organiser"
TICK_EVERY: Final = 0.2  # seconds
GRACE: Final = 2.0  # seconds for open calls at the stop
SERVICE: Final = "thousand.v1.ArenaService"
_OPTIONS: Final = (
    ("grpc.so_reuseport", 0),  # one arena per address
    ("grpc.max_receive_message_length", 1 << 20),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to run. `listen`: HOST:PORT, port 0 for a free one. `house`: how many house bots are registered."""

    data: Path
    redis_url: str
    listen: str = "127.0.0.1:4800"
    house: int = 4
    ephemeral: bool = False
    new_organiser_key: bool = False
    tls: tuple[bytes, bytes] | None = None  # certificate chain and key in PEM: for an address beyond this machine
    quotas: Quotas = field(default_factory=Quotas)


@dataclass(frozen=True, slots=True)
class Started:
    """Told once, when the arena answers. `organiser_key` is empty unless it was made just now."""

    address: str
    organiser_key: str


class CannotListen(Exception):
    """The address is taken, or is not this machine's; the message names it."""


def prepare(settings: Settings, store: Store) -> str:
    """Make the house and the organiser; the organiser's API key if it is new, else empty."""
    store.people.index()
    now = store.now_ms()
    store.people.create_owner(Owner(OWNER_ID, OWNER_NAME, house=True, created_ms=now))
    for name in house_names(settings.house):
        store.people.create_bot(OWNER_ID, name, "house bot", bot_id=house_bot_id(name), created_ms=now)
    store.people.create_owner(Owner(ORGANISER_ID, "organiser", Role.ORGANISER, created_ms=now))
    key = new_api_key()
    made = store.people.set_api_key(ORGANISER_ID, hash_api_key(key), first=not settings.new_organiser_key)
    return key if made else ""


class Arena:
    """A running arena: `start`, then `stop`. Raises CannotListen, StoreError, StoreLost at the start.

    `lease.lost`: another arena has taken the store over.
    """

    lease: StoreLease

    def __init__(self, settings: Settings, store: Store, scheduler: Scheduler) -> None:
        self._settings, self._store = settings, store
        keys = make_keys(settings.data)
        attendance = Attendance(StoreRegistry(store), keys.service_token())
        ticker = Ticker(scheduler, store)
        quotas = OwnerQuotas(store, settings.quotas)
        tournaments = TournamentCalls(store, quotas, scheduler.advance, ticker.nudge)
        schedules, rounds = ScheduleCalls(store, tournaments), RoundCalls(store, tournaments)
        people, addresses = PeopleCalls(store, keys, quotas), AddressCalls(store)
        leaderboards = LeaderboardCalls(store)
        plans, comparisons = PlanCalls(store), ComparisonCalls(store, tournaments, quotas)
        feeds = Feeds(store, tournaments.match)
        self._service = ArenaService(
            store,
            people,
            tournaments,
            addresses,
            leaderboards,
            schedules,
            plans,
            rounds,
            comparisons,
            attendance,
            feeds,
            settings.quotas,
        )
        self._background = (attendance.run, ticker.run, feeds.run)
        self._tasks: list[asyncio.Task[None]] = []
        self._health = health.aio.HealthServicer()
        self._server = grpc.aio.server(options=_OPTIONS)
        add_ArenaServiceServicer_to_server(self._service, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)

    async def start(self) -> Started:
        """Answer calls from now on."""
        address = _listen(self._server, self._settings)  # first: a key made for nothing would never be shown
        await asyncio.to_thread(self._store.check, self._settings.ephemeral)
        self.lease = StoreLease(self._store, address)
        await self.lease.take()
        organiser_key = await asyncio.to_thread(prepare, self._settings, self._store)
        await self._server.start()
        self._tasks = [asyncio.create_task(run()) for run in (self.lease.hold, *self._background)]
        for name in ("", SERVICE):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        log.info("arena at %s", address)
        return Started(address, organiser_key)

    async def stop(self) -> None:
        """Refuse what comes, end watches, let open calls finish for a moment."""
        log.info("stopping")
        await self._health.enter_graceful_shutdown()
        self._service.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.stop(GRACE)
        await self.lease.release()


async def serve(settings: Settings, store: Store, scheduler: Scheduler, started: Callable[[Started], None]) -> None:
    """Run an arena until SIGTERM or SIGINT. Raises StoreError if another arena takes over its store."""
    arena = Arena(settings, store, scheduler)
    started(await arena.start())
    try:
        ends = [asyncio.create_task(one) for one in (_stop_signal(), arena.lease.lost.wait())]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for task in ends:
            task.cancel()
    finally:
        await arena.stop()
    if arena.lease.lost.is_set():
        raise StoreError("attended", "another arena attends this store now: the log says which")


def _listen(server: grpc.aio.Server, settings: Settings) -> str:
    listen = settings.listen
    host, _, port = listen.rpartition(":")
    local = is_local(listen)
    if not local and settings.tls is None:
        raise CannotListen(f"{listen}: beyond this machine only with --tls-cert and --tls-key: API keys need TLS")
    if not listen.startswith("unix:"):
        _try_to_bind(host.strip("[]"), int(port), listen)
    try:
        if local or settings.tls is None:
            bound = server.add_insecure_port(listen)
        else:
            certificate, key = settings.tls
            bound = server.add_secure_port(listen, grpc.ssl_server_credentials([(key, certificate)]))
    except RuntimeError as error:
        raise CannotListen(f"{listen}: {error}; choose another with --listen") from None
    return listen if listen.startswith("unix:") else f"{host}:{bound}"


def _try_to_bind(host: str, port: int, listen: str) -> None:
    """gRPC says only that it failed; the system says why."""
    try:
        family, kind, number, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, number) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except OSError as error:
        why = "in use: stop what listens there" if error.errno == errno.EADDRINUSE else f"no place to listen ({error})"
        raise CannotListen(f"{listen} is {why}, or choose another with --listen") from None


async def _stop_signal() -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


class Ticker:
    """Calls the scheduler's tick every fifth of a second, and at once when nudged. A failing tick is logged, and the
    next one tries again."""

    def __init__(self, scheduler: Scheduler, store: Store) -> None:
        self._scheduler, self._store = scheduler, store
        self._loop = asyncio.get_running_loop()
        self._nudged = asyncio.Event()

    def nudge(self) -> None:
        """From any thread: look now."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._nudged.set)

    async def run(self) -> None:
        """Tick until cancelled."""
        while True:
            self._nudged.clear()
            try:
                await asyncio.to_thread(self._tick)
            except Exception:
                log.exception("a tick failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._nudged.wait(), TICK_EVERY)

    def _tick(self) -> Any:
        return self._scheduler.tick(self._store.now_ms())

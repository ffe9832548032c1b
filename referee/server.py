"""A running referee: two addresses, the beat that drives clocks and journals, and a graceful stop."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any, Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from referee import logs
from referee.auth import Keys
from referee.gameclock import BEAT_MS, GameClock
from referee.limits import Limits
from referee.service import Services
from thousand.address import fault, is_local

_CHECK_EVERY: Final = 10  # beats between looks at streams
_PRUNE_EVERY: Final = 500
_NAMES: Final = ("", "thousand.v1.BotService", "thousand.v1.MatchService")


@dataclass(frozen=True, slots=True)
class Tls:
    """A certificate chain and its key, in PEM: for addresses beyond this machine; those on it stay plaintext."""

    certificate: bytes
    key: bytes


class Referee:
    """Hosts matches between `start` and `stop`."""

    def __init__(
        self, keys: Keys, *, limits: Limits | None = None, unattended: bool = False, tls: Tls | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.clock = GameClock(time.monotonic_ns)
        self.services = Services(keys, self.limits, self.clock.now, unattended=unattended)
        self.bots_address = ""
        self.service_address = ""
        self._tls = tls
        self._health = health.aio.HealthServicer()
        self._servers: list[Any] = []
        self._beat: asyncio.Task[None] | None = None

    async def start(self, bots: str = "127.0.0.1:0", service: str = "127.0.0.1:0") -> None:
        """Listen. Raises ValueError for plaintext beyond this machine, RuntimeError for an address in use."""
        limits = self.limits
        self.bots_address = await self._listen(bots, self.services.bot_handlers(), limits.transport_message_bytes)
        self.service_address = await self._listen(service, self.services.match_handlers(), limits.service_message_bytes)
        await self._serving(health_pb2.HealthCheckResponse.SERVING)
        self._beat = asyncio.create_task(self._beats())

    async def drain(self, seconds: float) -> None:
        """Take nothing new, tell idle bots, let open matches finish within `seconds`; then end them for elsewhere."""
        instances, hosts = self.services.instances, self.services.hosts
        instances.draining = True
        instances.changed.set()
        await self._serving(health_pb2.HealthCheckResponse.NOT_SERVING)
        logs.info("draining", matches=len(hosts.by_match), seconds=seconds)
        for instance in instances:
            if instance.session is not None and not instance.seats:
                instance.session.say_goodbye()
        end = time.monotonic() + seconds
        while hosts.by_match and time.monotonic() < end:  # noqa: ASYNC110 - a second more is no matter
            await asyncio.sleep(0.02)
        hosts.stop_all(grpc.StatusCode.UNAVAILABLE, "the referee is stopping")
        for instance in instances:
            if instance.session is not None:
                instance.session.say_goodbye()

    async def stop(self, grace: float = 1.0) -> None:
        """Close everything; calls that do not end within `grace` seconds are cancelled."""
        await asyncio.gather(*(server.stop(grace) for server in self._servers))
        if self._beat is not None:
            self._beat.cancel()
            await asyncio.gather(self._beat, return_exceptions=True)

    async def _listen(self, address: str, handlers: grpc.GenericRpcHandler, message_bytes: int) -> str:
        server = grpc.aio.server(options=self._options(message_bytes))
        server.add_generic_rpc_handlers((handlers,))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        if wrong := fault(address):
            raise ValueError(wrong)
        if is_local(address):
            port = server.add_insecure_port(address)
        elif self._tls is not None:
            pair = [(self._tls.key, self._tls.certificate)]
            port = server.add_secure_port(address, grpc.ssl_server_credentials(pair))
        else:
            raise ValueError(f"{address}: beyond this machine only with --tls-cert and --tls-key")
        await server.start()
        self._servers.append(server)
        return address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"

    def _options(self, message_bytes: int) -> list[tuple[str, int]]:
        limits = self.limits
        return [
            ("grpc.so_reuseport", 0),  # an address is one process's
            ("grpc.max_receive_message_length", message_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.keepalive_time_ms", int(limits.ping_s * 1000)),
            ("grpc.keepalive_timeout_ms", int(limits.ping_timeout_s * 1000)),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_recv_ping_interval_without_data_ms", int(limits.pinged_s * 1000)),
            ("grpc.http2.min_ping_interval_without_data_ms", int(limits.pinged_s * 1000)),
            ("grpc.http2.max_pings_without_data", 0),
            ("grpc.http2.max_ping_strikes", 5),
            ("grpc.max_concurrent_streams", limits.streams_total),
        ]

    async def _serving(self, status: Any) -> None:
        for name in _NAMES:
            await self._health.set(name, status)

    async def _beats(self) -> None:
        number = 0
        while True:
            await asyncio.sleep(BEAT_MS / 1000)
            number += 1
            stalled = self.clock.beat()
            if stalled > 1000:
                logs.warning("the referee was stalled: its clocks stood still", ms=stalled)
            try:
                self.services.hosts.beat(self.clock.now())
                if number % _CHECK_EVERY == 0:
                    at = time.monotonic()
                    for session in list(self.services.sessions):
                        session.check(at)
                if number % _PRUNE_EVERY == 0:
                    self.services.instances.prune(self.clock.now())
            except Exception:
                logs.failure("beat failed")

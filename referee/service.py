"""The two services: BotService for bots, MatchService for workers and the arena. Handlers are async generators.

Messages of Play and of hosting pass gRPC as bytes: they are parsed where a bad one can be blamed on its sender, and are
put together where each is made.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from referee import logs
from referee.auth import Keys, Refused
from referee.callers import Caller
from referee.hosts import Host, Hosts
from referee.instances import Instance, Instances
from referee.limits import Limits
from referee.outputs import Setup, Stored
from referee.sessions import Context, Session
from thousand.bot import Clocks
from thousand.record import RecordError, Seat
from thousand.v1 import match_pb2 as pb
from thousand.wire import WireError, clocks_from, entry_from, ruleset_from
from thousand.wire.records import strike_from

PRESENCE_EVERY_S: Final = 2.0
PRESENCE_REST_S: Final = 0.02  # changes within it are told together
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_MS: Final = 24 * 3600 * 1000


class Services:
    """What both services share."""

    def __init__(self, keys: Keys, limits: Limits, now: Callable[[], int], *, unattended: bool) -> None:
        self.limits = limits
        self.now = now
        self.keys = keys
        self.instances = Instances(limits, unattended=unattended)
        self.hosts = Hosts(limits)
        self.sessions: set[Session] = set()

    def bot_handlers(self) -> grpc.GenericRpcHandler:
        """BotService."""
        play: Any = grpc.stream_stream_rpc_method_handler(self.play)
        return grpc.method_handlers_generic_handler("thousand.v1.BotService", {"Play": play})

    def match_handlers(self) -> grpc.GenericRpcHandler:
        """MatchService."""
        return grpc.method_handlers_generic_handler(
            "thousand.v1.MatchService",
            {
                "HostMatch": grpc.unary_stream_rpc_method_handler(self.host_match),
                "HostMatches": grpc.stream_stream_rpc_method_handler(self.host_matches),
                "Attend": grpc.stream_stream_rpc_method_handler(
                    self.attend, pb.AttendRequest.FromString, pb.AttendResponse.SerializeToString
                ),
            },
        )

    async def play(self, _requests: Any, context: Context) -> None:
        """A bot's stream. It reads and writes by `context`, in fewer steps than as iterators."""
        try:
            token = self.keys.bot(context.invocation_metadata())
            self.instances.admit(token, self.now())
        except Refused as refused:
            await context.abort(refused.status, refused.reason)
        call = asyncio.current_task()
        assert call is not None
        session = Session(token, self.instances, self.limits, self.now, call.cancel)
        self.sessions.add(session)
        reader = asyncio.create_task(session.read(context))
        released = False

        def release(*_: object) -> None:
            nonlocal released
            if not released:
                released = True
                reader.cancel()
                self.sessions.discard(session)
                session.close()
                self.instances.dismiss(token)

        call.add_done_callback(release)  # a call cut off while it writes leaves this generator where it is
        try:
            await session.write(context)
            ended = session.ended
        finally:
            release()
        if ended is not None and ended.status is not grpc.StatusCode.OK:
            await context.abort(ended.status, ended.reason)

    async def host_match(self, data: bytes, context: Context) -> AsyncIterator[bytes]:
        """A match, from its seats to its record."""
        try:
            self.keys.service(context.invocation_metadata())
            host = self._open(_request(data))
        except Refused as refused:
            await context.abort(refused.status, refused.reason)

        def release(*_: object) -> None:
            host.stop(grpc.StatusCode.ABORTED, "its caller went away")
            self.hosts.remove(host)

        call = asyncio.current_task()
        assert call is not None
        call.add_done_callback(release)  # as in `play`
        try:
            ended = False
            while not ended:
                await host.wake.wait()
                host.wake.clear()
                ended = host.ended
                for message in host.take():
                    yield message
        finally:
            release()
        if host.refusal is not None:
            await context.abort(host.refusal.status, host.refusal.reason)

    async def host_matches(self, requests: Any, context: Context) -> AsyncIterator[bytes]:
        """Several matches, each from its seats to its record."""
        try:
            self.keys.service(context.invocation_metadata())
        except Refused as refused:
            await context.abort(refused.status, refused.reason)
        caller = Caller(self._open, self.hosts, self.limits)
        reader = asyncio.create_task(caller.read(requests))

        def release(*_: object) -> None:
            reader.cancel()
            caller.drop_all()

        call = asyncio.current_task()
        assert call is not None
        call.add_done_callback(release)  # as in `play`
        try:
            while not caller.over:
                await caller.wake.wait()
                if message := caller.take():
                    yield message
        finally:
            release()
        if caller.fault is not None:
            await context.abort(caller.fault.status, caller.fault.reason)

    def _open(self, request: pb.HostMatchRequest, wake: asyncio.Event | None = None) -> Host:
        if self.instances.draining:
            raise Refused(grpc.StatusCode.UNAVAILABLE, "the referee is stopping: host it elsewhere")
        setup, clocks, journal = _setup(request)
        self.hosts.claim(setup.match_id, request.block_id, request.fence)
        seats: list[Instance] = []
        for wanted in request.seats:
            found = self.instances.find(wanted.bot_id, wanted.version, wanted.instance_id, setup.preset, seats)
            seats.append(found)
        watched = request.public_events
        host = Host(setup, clocks, seats, self.instances, self.limits, self.now, spectators=watched, wake=wake)
        try:
            host.open(journal)
        except RecordError as error:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"journal: {error}") from error
        self.hosts.add(host, request.block_id)
        logs.info(
            "match opened",
            match=setup.match_id,
            block=request.block_id,
            fence=request.fence,
            bots=[instance.key.bot for instance in seats],
            resumed_at=len(journal),
        )
        return host

    async def attend(self, requests: Any, context: Context) -> AsyncIterator[pb.AttendResponse]:
        """The arena: generations down, presence up."""
        try:
            self.keys.service(context.invocation_metadata())
        except Refused as refused:
            await context.abort(refused.status, refused.reason)
        me = object()
        reader = asyncio.create_task(self._attended(requests, me))
        try:
            while not reader.done():
                if self.instances.attendant is me:
                    self.instances.changed.clear()
                    yield self._presence()
                    await asyncio.sleep(PRESENCE_REST_S)
                    await _either(self.instances.changed.wait(), reader, PRESENCE_EVERY_S)
                else:
                    await asyncio.wait({reader}, timeout=PRESENCE_REST_S)
        finally:
            reader.cancel()
            if self.instances.attendant is me:
                self.instances.attendant = None
                logs.warning("no arena attends")

    async def _attended(self, requests: Any, me: object) -> None:
        """The first message makes this stream the attendant: another one ends."""
        first = True
        async for request in requests:
            for item in request.generations:
                self.instances.lowest_generation(item.bot_id, item.lowest_generation)
            if first:
                first = False
                self.instances.attendant = me
                logs.info("an arena attends")
            elif self.instances.attendant is not me:
                return

    def _presence(self) -> pb.AttendResponse:
        return pb.AttendResponse(
            draining=self.instances.draining,
            present=[
                pb.Presence(
                    bot_id=instance.key.bot,
                    version=instance.key.version,
                    instance_id=instance.key.instance,
                    max_matches=instance.max_matches,
                    open_matches=len(instance.seats),
                    presets=sorted(instance.presets),
                    leaving=instance.leaving,
                )
                for instance in self.instances
                if instance.session is not None
            ],
        )


async def _either(event: Any, reader: "asyncio.Task[None]", seconds: float) -> None:
    waiting = asyncio.ensure_future(event)
    try:
        await asyncio.wait({waiting, reader}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()


def _request(data: bytes) -> pb.HostMatchRequest:
    try:
        return pb.HostMatchRequest.FromString(data)
    except DecodeError:
        raise _bad("the message is no HostMatchRequest") from None


def _setup(request: pb.HostMatchRequest) -> tuple[Setup, Clocks, list[Stored]]:
    """What is to be played. Raises Refused(INVALID_ARGUMENT) naming the field."""
    for name in ("match_id", "block_id"):
        if not _ID.fullmatch(getattr(request, name)):
            raise _bad(f"{name}: 1 to 64 characters of A-Z a-z 0-9 _ -")
    if not request.HasField("ruleset"):
        raise _bad("ruleset is not set")
    if len(request.seed) != 32:
        raise _bad(f"seed: 32 bytes, not {len(request.seed)}")
    clocks = clocks_from(request.clocks) if request.HasField("clocks") else Clocks()
    times = (clocks.startup_ms, clocks.decision_ms, clocks.free_ms, clocks.bank_ms, clocks.increment_ms)
    if max(times) > _LONGEST_MS:
        raise _bad("clocks: nothing over a day; 0 is no limit")
    try:
        ruleset = ruleset_from(request.ruleset)
        journal = [Stored(entry_from(e), tuple(strike_from(s) for s in e.strikes)) for e in request.journal]
    except WireError as error:
        raise _bad(str(error)) from error
    if [entry.seq for entry in request.journal] != list(range(len(journal))):
        raise _bad("journal: entries must be numbered from 0 without gaps")
    if len(request.seats) != ruleset.players:
        raise _bad(f"seats: {ruleset.players} are needed, {len(request.seats)} are given")
    named = [(s.bot_id, s.version, s.instance_id) for s in request.seats if s.instance_id]
    if len(set(named)) != len(named):
        raise _bad("seats: one instance cannot hold two seats of a match")
    seats = tuple(Seat(seat.bot_id, seat.version) for seat in request.seats)
    first_dealer = request.first_dealer if request.HasField("first_dealer") else None
    first_hundred = request.first_hundred if request.HasField("first_hundred") else None
    if max(first_dealer or 0, first_hundred or 0) >= ruleset.players:
        raise _bad(f"first_dealer, first_hundred: a seat from 0 to {ruleset.players - 1}")
    whence = (first_dealer, first_hundred, request.table)
    return Setup(request.match_id, ruleset, request.seed, seats, request.preset, *whence), clocks, journal


def _bad(reason: str) -> Refused:
    return Refused(grpc.StatusCode.INVALID_ARGUMENT, reason)

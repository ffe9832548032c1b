"""A real referee in a test: keys made for it, bots connected to it, matches hosted on it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import grpc
import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.auth import Keys
from referee.limits import Limits
from referee.server import Referee
from tests.support.scripted_bot import ScriptedBot
from thousand.bot import Clocks
from thousand.rules import PRESETS, Ruleset, seed_from_int
from thousand.v1 import match_pb2 as pb
from thousand.v1 import record_pb2
from thousand.wire import clocks_to, ruleset_to

PRIVATE = Ed25519PrivateKey.generate()
LONG = Clocks(startup_ms=5000, decision_ms=5000, free_ms=5000, bank_ms=0)
SHORT = Clocks(startup_ms=1500, decision_ms=300, free_ms=100, bank_ms=3000, increment_ms=0)
HOST = "/thousand.v1.MatchService/HostMatch"
ATTEND = "/thousand.v1.MatchService/Attend"


def sign(**claims: object) -> str:
    """A token signed with the tests' key."""
    return jwt.encode(claims, PRIVATE, algorithm="EdDSA")


def bot_token(bot: str, version: int = 1, generation: int = 0) -> str:
    """A bot's token."""
    return sign(aud="thousand-bot", kid="k", bot=bot, version=version, generation=generation)


SERVICE = sign(aud="thousand-service")


def short_rules(preset: str = "tournament", deals: int = 1) -> Ruleset:
    """A preset whose matches end soon."""
    return replace(PRESETS[preset], max_deals=deals)


@dataclass
class Hosted:
    """What HostMatch said."""

    entries: list[record_pb2.JournalEntry] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    batches: int = 0
    record: record_pb2.MatchRecord | None = None
    code: grpc.StatusCode | None = None
    details: str = ""

    def causes(self, seat: int) -> list[int]:
        """The causes of this seat's strikes."""
        assert self.record is not None
        return [strike.cause for strike in self.record.strikes if strike.seat == seat]


@dataclass
class Court:
    """A referee and all that a test does with it."""

    referee: Referee
    channel: grpc.aio.Channel
    tasks: list["asyncio.Task[Any]"] = field(default_factory=list)
    bots: list[ScriptedBot] = field(default_factory=list)

    async def bot(self, name: str, *, version: int = 1, generation: int = 0, **flags: Any) -> ScriptedBot:
        """A bot that plays in the background; connected when this returns (unless it was refused)."""
        bot = ScriptedBot(self.referee.bots_address, bot_token(name, version, generation), **flags)
        self.bots.append(bot)
        task = asyncio.create_task(bot.run())
        self.tasks.append(task)
        await self.until(lambda: bool(bot.messages) or task.done())
        return bot

    async def three(self, *flags: dict[str, Any], **common: Any) -> list[ScriptedBot]:
        """Bots a, b and c; flags by seat."""
        rest = [*flags, {}, {}, {}]
        return [await self.bot(name, **{**common, **rest[seat]}) for seat, name in enumerate("abc")]

    async def until(self, true: Any, seconds: float = 10.0) -> None:
        """Wait until it holds."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110 - many things may make it true
                await asyncio.sleep(0.005)

    def request(
        self,
        bots: Sequence[str] = "abc",
        *,
        match_id: str = "match-0123456789ab",
        block_id: str = "block-0123456789ab",
        fence: int = 1,
        ruleset: Ruleset | None = None,
        preset: str = "tournament",
        seed: int = 1,
        clocks: Clocks = SHORT,
        journal: Sequence[record_pb2.JournalEntry] = (),
        public_events: bool = False,
    ) -> pb.HostMatchRequest:
        """A request that makes sense."""
        return pb.HostMatchRequest(
            match_id=match_id,
            block_id=block_id,
            fence=fence,
            ruleset=ruleset_to(ruleset or short_rules(preset)),
            preset=preset,
            seed=seed_from_int(seed),
            seats=[pb.SeatAssignment(bot_id=bot, version=1) for bot in bots],
            clocks=clocks_to(clocks),
            journal=journal,
            public_events=public_events,
        )

    async def host(self, request: pb.HostMatchRequest | None = None, token: str = SERVICE, **options: Any) -> Hosted:
        """Host a match to its end, however it ends."""
        hosted = Hosted()
        await self.host_into(hosted, request or self.request(**options), token)
        return hosted

    def hosting(self, **options: Any) -> tuple[Hosted, "asyncio.Task[None]"]:
        """Host a match in the background."""
        hosted = Hosted()
        task = asyncio.create_task(self.host_into(hosted, self.request(**options)))
        self.tasks.append(task)
        return hosted, task

    async def host_into(self, hosted: Hosted, request: pb.HostMatchRequest, token: str = SERVICE) -> None:
        """Host a match and note what it says."""
        call = self.channel.unary_stream(
            HOST,
            request_serializer=pb.HostMatchRequest.SerializeToString,
            response_deserializer=pb.HostMatchResponse.FromString,
        )
        stream = call(request, metadata=[("authorization", f"Bearer {token}")])
        try:
            async for response in stream:
                kind = response.WhichOneof("item")
                if kind == "journal":
                    hosted.batches += 1
                    hosted.entries += response.journal.entries
                elif kind == "events":
                    hosted.events += response.events.events
                else:
                    hosted.record = response.record
            hosted.code = await stream.code()
        except grpc.aio.AioRpcError as error:
            hosted.code, hosted.details = error.code(), error.details() or ""
        finally:
            stream.cancel()

    def attend(self) -> Any:
        """An Attend stream."""
        call = self.channel.stream_stream(
            ATTEND,
            request_serializer=pb.AttendRequest.SerializeToString,
            response_deserializer=pb.AttendResponse.FromString,
        )
        return call(metadata=[("authorization", f"Bearer {SERVICE}")])

    async def ended(self) -> None:
        """All bots' streams have ended."""
        await asyncio.wait_for(asyncio.gather(*self.tasks), 10)


async def refused(address: str, token: str, **flags: Any) -> tuple[str, str]:
    """How a stream with this token ends."""
    bot = ScriptedBot(address, token, **flags)
    await asyncio.wait_for(bot.run(), 5)
    assert bot.code is not None
    assert not bot.messages
    return bot.code.name, bot.details


@contextlib.asynccontextmanager
async def court(limits: Limits | None = None, *, unattended: bool = True) -> AsyncIterator[Court]:
    """A referee on ports of its own, stopped at the end with all that plays on it."""
    referee = Referee(Keys([PRIVATE.public_key()]), limits=limits, unattended=unattended)
    await referee.start()
    channel = grpc.aio.insecure_channel(
        referee.service_address,
        options=[("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1)],
    )
    here = Court(referee, channel)
    try:
        yield here
    finally:
        for task in here.tasks:
            task.cancel()
        await asyncio.gather(*here.tasks, return_exceptions=True)
        await channel.close()
        await referee.stop(0)

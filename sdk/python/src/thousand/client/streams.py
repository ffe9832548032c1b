"""Keeps a Play stream to each referee that the arena names, or to the one referee given.

Items that are ready travel as one message. A lost stream is opened again under the same instance id, and what is still
open is asked again there.
"""

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from importlib import metadata
from typing import Any, Final

import grpc

from thousand.bot import Bot
from thousand.channels import open_aio_channel
from thousand.client.player import Player
from thousand.v1 import arena_pb2, play_pb2
from thousand.v1.arena_pb2_grpc import ArenaServiceStub
from thousand.v1.play_pb2_grpc import BotServiceStub
from thousand.wire import WireError

log = logging.getLogger("thousand")

PROTOCOL: Final = 1
CHANNEL_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
)
FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 5.0
_FATAL: Final = {
    grpc.StatusCode.UNAUTHENTICATED: "the token is not valid here: make a new one with `thousand bot token NAME`",
    grpc.StatusCode.PERMISSION_DENIED: "this token may not play",
    grpc.StatusCode.INVALID_ARGUMENT: "the referee could not read this client",
    grpc.StatusCode.FAILED_PRECONDITION: "this client and the referee have no protocol version in common",
    grpc.StatusCode.ALREADY_EXISTS: "another process runs under this instance id and has taken over",
}


class ClientError(Exception):
    """The connection ended for a reason that trying again cannot mend; the text says which, and what to do."""


class Connections:
    """A stream to each referee that the arena names, or to the one referee given."""

    def __init__(self, player: Player, server: str) -> None:
        self._player = player
        self._server = server
        self._streams: dict[str, asyncio.Task[None]] = {}
        self._list_again = asyncio.Event()

    async def keep(self) -> None:
        """Until all is finished after a Leave. Raises ClientError."""
        try:
            pause = FIRST_PAUSE_S
            while not (self._player.leaving.is_set() and not self._streams):
                try:
                    refresh_s = await self._open_streams()
                    pause = FIRST_PAUSE_S
                except grpc.aio.AioRpcError as error:
                    _raise_if_fatal(error.code(), error.details())
                    log.warning("%s: %s; trying again", self._server, error.details())
                    refresh_s = pause = min(pause * 2, LONGEST_PAUSE_S)
                await self._wait(refresh_s)
        finally:
            for task in self._streams.values():
                task.cancel()
            await asyncio.gather(*self._streams.values(), return_exceptions=True)

    async def _wait(self, seconds: float) -> None:
        """Until it is time to list again, or a stream has ended for good."""
        self._list_again.clear()
        waiting = asyncio.create_task(self._list_again.wait())
        done, _ = await asyncio.wait({waiting, *self._streams.values()}, timeout=seconds, return_when="FIRST_COMPLETED")
        waiting.cancel()
        for address, task in list(self._streams.items()):
            if task in done:
                del self._streams[address]
                task.result()  # raises ClientError

    async def _open_streams(self) -> float:
        """Lists referees and opens what is new; returns the seconds until the next listing."""
        if self._player.leaving.is_set():
            return 1.0
        async with open_aio_channel(self._server, CHANNEL_OPTIONS) as arena:
            try:
                stub = ArenaServiceStub(arena)
                listed = await stub.ListReferees(
                    arena_pb2.ListRefereesRequest(), metadata=self._player.auth, timeout=10
                )
                addresses = [referee.bot_address for referee in listed.referees if not referee.draining]
                refresh_s = listed.refresh_ms / 1000 or 5.0
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
                    raise
                addresses, refresh_s = [self._server], 3600.0  # no arena: a referee's own address
        for address in addresses:
            if address not in self._streams:
                stream = Stream(self._player, address, self._list_again, forever=address == self._server)
                self._streams[address] = asyncio.create_task(stream.keep())
        return refresh_s


def _raise_if_fatal(code: grpc.StatusCode | None, details: str | None) -> None:
    if code in _FATAL:
        raise ClientError(f"{_FATAL[code]} ({details})")


class Stream:
    """One Play stream, opened again after every loss."""

    def __init__(self, player: Player, address: str, lost: asyncio.Event, *, forever: bool) -> None:
        self._player = player
        self._address = address
        self._lost = lost
        self._forever = forever  # the only address: never give up
        self._out: asyncio.Queue[play_pb2.PlayRequestItem | None] = asyncio.Queue()
        self._thinking: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._asked: dict[str, play_pb2.Decision] = {}
        self._welcomed = False

    async def keep(self) -> None:
        """Until the referee ends it, it is given up, or the bot has left. Raises ClientError."""
        pause, failures = FIRST_PAUSE_S, 0
        while True:
            try:
                async with open_aio_channel(self._address, CHANNEL_OPTIONS) as opened:
                    self._welcomed = False
                    await self._talk(opened)
                if self._player.leaving.is_set():
                    return
                code, details = grpc.StatusCode.OK, "the referee ended the stream"
            except grpc.aio.AioRpcError as error:
                code, details = error.code(), error.details() or ""
                _raise_if_fatal(code, details)
            finally:
                for task in self._thinking.values():
                    task.cancel()
                self._thinking.clear()
            self._lost.set()
            failures = 0 if self._welcomed else failures + 1
            pause = FIRST_PAUSE_S if self._welcomed else min(pause * 2, LONGEST_PAUSE_S)
            if not self._forever and failures > 6:
                log.warning("%s does not answer: left to the arena's list", self._address)
                return
            if not self._welcomed:
                log.warning("%s: %s (%s); trying again in %.1f s", self._address, details, code.name, pause)
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))

    async def _requests(self) -> AsyncIterator[play_pb2.PlayRequest]:
        bot_class = self._player.bot_class
        hello = play_pb2.Hello(
            protocol_min=PROTOCOL,
            protocol_max=PROTOCOL,
            client=f"thousand-python {_version()}",
            instance_id=self._player.instance_id,
            max_matches=bot_class.max_matches,
            presets=bot_class.presets or (),
        )
        yield play_pb2.PlayRequest(items=[play_pb2.PlayRequestItem(hello=hello)])
        if self._player.leaving.is_set():
            self._say(leave=play_pb2.Leave())
        while (item := await self._out.get()) is not None:
            items = [item]
            while not self._out.empty():
                more = self._out.get_nowait()
                if more is None:
                    return
                items.append(more)
            yield play_pb2.PlayRequest(items=items)

    def _say(self, **item: Any) -> None:
        self._out.put_nowait(play_pb2.PlayRequestItem(**item))

    async def _talk(self, opened: grpc.aio.Channel) -> None:
        self._out = asyncio.Queue()
        call = BotServiceStub(opened).Play(self._requests(), metadata=self._player.auth)
        leaving = asyncio.create_task(self._leave())
        try:
            async for response in call:
                for item in response.items:
                    self._hear(item)
            code = await call.code()
            if code is not grpc.StatusCode.OK:
                raise grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), await call.details())
        finally:
            leaving.cancel()
            self._out.put_nowait(None)
            call.cancel()

    async def _leave(self) -> None:
        await self._player.leaving.wait()
        self._say(leave=play_pb2.Leave())

    def _hear(self, item: play_pb2.PlayResponseItem) -> None:
        match item.WhichOneof("item"):
            case "welcome":
                self._welcomed = True
                log.info("connected to %s (%s) as %s", self._address, item.welcome.referee, item.welcome.bot_id)
            case "match_started":
                try:
                    self._player.start(item.match_started)
                except WireError:
                    log.exception("match %s cannot be read: is this client too old?", item.match_started.match_id)
                    return
                self._say(ready=play_pb2.Ready(match_id=item.match_started.match_id))
            case "decision":
                self._asked[item.decision.match_id] = item.decision
                self._decide(item.decision)
            case "answer_rejected":
                self._rejected(item.answer_rejected)
            case "match_finished":
                self._asked.pop(item.match_finished.match_id, None)
                self._player.finish(item.match_finished)
            case "goodbye":
                log.info("%s says goodbye: %s", self._address, item.goodbye.reason)

    def _decide(self, decision: play_pb2.Decision) -> None:
        key = (decision.match_id, decision.decision_id)
        bot = self._player.bots.get(decision.match_id)
        if key in self._thinking or bot is None:
            return
        task = asyncio.create_task(self._answer(bot, decision))
        self._thinking[key] = task
        task.add_done_callback(lambda _: self._thinking.pop(key, None))

    async def _answer(self, bot: Bot, decision: play_pb2.Decision) -> None:
        self._say(answer=await self._player.answer(bot, decision))

    def _rejected(self, message: play_pb2.AnswerRejected) -> None:
        log.error(
            "match %s, decision %d rejected: %s (strike %d)",
            *(message.match_id, message.decision_id, message.reason, message.strikes),
        )
        asked = self._asked.get(message.match_id)
        if asked is not None and asked.decision_id == message.decision_id:
            self._decide(asked)


def _version() -> str:
    try:
        return metadata.version("thousand-sdk")
    except metadata.PackageNotFoundError:
        return "unknown"

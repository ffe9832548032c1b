"""A bot's Play stream: reads what the bot says, and writes whatever is ready for it as one message.

Law: one writer per stream; a bot that breaks a limit loses its own stream, and slows nobody.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from referee import encoding, logs
from referee.answers import Indexed, indexed_answers
from referee.auth import BotToken, Refused
from referee.instances import Instance, Instances, Key, OpenSeat
from referee.limits import Bucket, Limits
from referee.outputs import Dropped, Fate
from thousand.record import Cause
from thousand.v1 import play_pb2 as pb
from thousand.wire import WireError, action_from

PROTOCOL: Final = 1
REFEREE: Final = "thousand-referee 0.1.0"
_MAX_ID: Final = 64
_MAX_PRESETS: Final = 100
Context = Any  # grpc.aio.ServicerContext, whose stubs do not know a stream of bytes
_EOF: Final[Any] = grpc.aio.EOF


class Session:
    """One stream."""

    __slots__ = (
        "_asked", "_bucket", "_cut", "_held", "_instances", "_limits", "_now", "_out", "_size", "_wake", "begun",
        "closed", "ended", "instance", "lost_as", "token", "writing_since",
    )  # fmt: skip

    def __init__(
        self, token: BotToken, instances: Instances, limits: Limits, now: Callable[[], int], cut: Callable[[], object]
    ) -> None:
        self.token = token
        self.instance: Instance | None = None
        self.ended: Refused | None = None  # how the stream ends, once it is to end
        self.lost_as = Cause.DISCONNECTED
        self.begun = time.monotonic()
        self.writing_since: float | None = None  # a message waits for the bot to take it
        self.closed = False
        self._instances = instances
        self._limits = limits
        self._now = now
        self._cut = cut  # ends the call from outside, when its writer is stuck
        self._bucket = Bucket(limits.unasked_burst, limits.unasked_per_s, now())
        self._out: list[bytes] = []
        self._asked: list[OpenSeat] = []
        self._size = 0
        self._held = False  # until its turn comes
        self._wake: asyncio.Future[None] | None = None

    # writing

    def send(self, message: bytes, asked: OpenSeat | None = None) -> None:
        """Queue a message. A decision's clock starts when it is handed to the stream, or now if the bot is behind."""
        if self.closed:
            return
        self._out.append(message)
        self._size += len(message)
        if asked is not None:
            if self.writing_since is None:
                self._asked.append(asked)
            else:
                asked.host.sent(asked.seat)
        if self._size > self._limits.unread_bytes:
            self.flooded(f"{self._size} bytes of output are unread")
        if self._held:
            return
        if asked is not None and self.instance is not None and len(self.instance.seats) > 1:
            self._held = True
            self._instances.turns.hold(self)
        else:
            self._awake()

    def release(self) -> None:
        """What is held may be written."""
        self._held = False
        self._awake()

    async def write(self, stream: Context) -> None:
        """Write until the stream is to end."""
        while (message := await self.ready()) is not None:
            await stream.write(message)

    async def ready(self) -> bytes | None:
        """The next message to write; None: the stream is to end."""
        self.writing_since = None
        while not self._out or (self._held and self.ended is None):
            if self.ended is not None:
                return None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        message = self._out[0] if len(self._out) == 1 else b"".join(self._out)
        self._out = []
        self._size = 0
        self.writing_since = time.monotonic()
        asked, self._asked = self._asked, []
        for host, seat in asked:
            host.sent(seat)
        return message

    def say_goodbye(self) -> None:
        """The referee stops: the bot is told, and the stream ends."""
        if self.ended is None:
            self.send(encoding.goodbye("the referee is stopping", reconnect=True))
            self.end(grpc.StatusCode.OK, "")

    def end(self, status: grpc.StatusCode, reason: str, *, detach: bool = True) -> None:
        """End the stream after what is queued; the seats count as disconnected from now on."""
        if self.ended is not None:
            return
        self.ended = Refused(status, reason)
        if status is not grpc.StatusCode.OK:
            logs.info("stream ended", bot=self.token.bot, status=status.name, reason=reason)
        if detach:
            self._detach()
        else:
            self.instance = None  # another stream has taken its place
        self._awake()

    def flooded(self, what: str) -> None:
        """A limit was broken: the stream is cut off."""
        if self.ended is None:
            self.lost_as = Cause.FLOODED
            self._out.clear()
            self._size = 0
            self.end(grpc.StatusCode.RESOURCE_EXHAUSTED, f"cut off: {what}")
        if self.writing_since is not None:
            self._cut()  # its writer may never come back to tell

    def unasked(self) -> None:
        """The bot said something nobody asked for; too much of it is a flood."""
        if not self._bucket.take(self._now()):
            self.flooded("too many messages that nobody asked for")

    def check(self, at: float) -> None:
        """Called now and then: a bot that says nothing at first, or takes nothing, is let go."""
        if self.ended is not None and self.writing_since is not None and at - self.writing_since > 1.0:
            self._cut()
        elif self.writing_since is not None and at - self.writing_since > self._limits.unread_s:
            self.flooded(f"output is unread for {self._limits.unread_s:.0f} s")
        elif self.instance is None and self.ended is None and at - self.begun > self._limits.hello_s:
            self.end(grpc.StatusCode.INVALID_ARGUMENT, f"no Hello within {self._limits.hello_s:.0f} s")

    def close(self) -> None:
        """The call is over, for whatever reason."""
        self.closed = True
        self._out.clear()
        if self.ended is None:
            self.ended = Refused(grpc.StatusCode.OK, "")
            self._detach()

    def _awake(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def _detach(self) -> None:
        instance, self.instance = self.instance, None
        if instance is None or instance.session is not self:
            return
        instance.session = None
        for host, seat in list(instance.seats.values()):
            host.disconnect(seat, self.lost_as)
        self._instances.detach(instance)

    # reading

    async def read(self, stream: Context) -> None:
        """Read until the bot's side ends: then it is gone."""
        try:
            while (data := await stream.read()) is not _EOF:
                self.receive(data, self._now())
                if self.ended is not None:
                    return
        except (grpc.RpcError, grpc.aio.BaseError):
            pass
        except Exception:
            logs.failure("reader failed", bot=self.token.bot)
        self.end(grpc.StatusCode.OK, "")

    def receive(self, data: bytes, at: int) -> None:
        """One message from the bot, received at `at`. Never raises: whatever it holds is the bot's own matter."""
        self._instances.turns.busy()
        try:
            self._receive(data, at)
        except Refused as refused:
            self.end(refused.status, refused.reason)
        except Exception:
            logs.failure("message failed", bot=self.token.bot)
            self.end(grpc.StatusCode.INTERNAL, "the referee failed on this message; it has been logged")

    def _receive(self, data: bytes, at: int) -> None:
        if len(data) > self._limits.message_bytes:
            self.flooded(f"a message of {len(data)} bytes is over the limit of {self._limits.message_bytes}")
            return
        if self.instance is not None:
            answers = indexed_answers(data)
            if answers is not None and len(answers) <= self._limits.items:
                self._indexed(answers, at)
                return
        try:
            message = pb.PlayRequest.FromString(data)
        except DecodeError:
            self._unreadable("the message is no PlayRequest", at)
            return
        items = message.items
        if not items:
            self.unasked()
        if len(items) > self._limits.items:
            self.flooded(f"{len(items)} items in one message are over the limit of {self._limits.items}")
            return
        for item in items:
            if self.ended is not None:
                return
            self._item(item, at)

    def _indexed(self, answers: list[Indexed], at: int) -> None:
        for match_id, decision_id, index in answers:
            if self.ended is not None or self.instance is None:
                return
            open_seat = self._open_seat(self.instance, match_id, decision_id)
            if open_seat is not None:
                host, seat = open_seat
                host.answer(seat, decision_id, index, at)

    def _item(self, item: pb.PlayRequestItem, at: int) -> None:
        kind = item.WhichOneof("item")
        if kind == "hello":
            self._hello(item.hello)
        elif self.instance is None:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "the first item must be Hello")
        elif kind == "answer":
            self._answer(self.instance, item.answer, at)
        elif kind == "ready":
            self._ready(self.instance, item.ready.match_id)
        elif kind == "early_pass":
            self._early_pass(self.instance, item.early_pass.match_id)
        elif kind == "leave":
            self._leave(self.instance)
        else:
            self.unasked()  # an item of a later protocol, or none

    def _hello(self, hello: pb.Hello) -> None:
        if self.instance is not None:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "Hello comes once, first")
        if not hello.protocol_min <= PROTOCOL <= hello.protocol_max:
            raise Refused(
                grpc.StatusCode.FAILED_PRECONDITION,
                f"no common protocol version: this client speaks {hello.protocol_min} to {hello.protocol_max}, "
                f"the referee {PROTOCOL} to {PROTOCOL}",
            )
        name = hello.instance_id
        if not 1 <= len(name) <= _MAX_ID or not name.isprintable():
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"hello.instance_id must have 1 to {_MAX_ID} characters")
        if hello.max_matches > self._limits.matches_per_instance:
            most = self._limits.matches_per_instance
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"hello.max_matches must be at most {most}")
        if len(hello.presets) > _MAX_PRESETS:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, f"hello.presets: at most {_MAX_PRESETS}")
        instance = self._instances.attach(self, Key(self.token.bot, self.token.version, name))
        instance.max_matches = hello.max_matches or 1
        instance.presets = frozenset(hello.presets)
        instance.live_events = hello.live_events
        self.instance = instance
        logs.info("bot connected", bot=self.token.bot, version=self.token.version, instance=name, client=hello.client)
        self.send(encoding.welcome(self.token.bot, self.token.version, PROTOCOL, REFEREE))
        for match_id, told in list(instance.finished.items()):
            if not told.sent:
                instance.finished[match_id] = told._replace(sent=True)
                self.send(told.message)
        for host, seat in list(instance.seats.values()):
            host.reconnect(seat)

    def _answer(self, instance: Instance, answer: pb.Answer, at: int) -> None:
        open_seat = self._open_seat(instance, answer.match_id, answer.decision_id)
        if open_seat is None:
            return
        host, seat = open_seat
        choice = answer.WhichOneof("choice")
        if choice == "index":
            host.answer(seat, answer.decision_id, answer.index, at)
        elif choice == "action":
            try:
                action = action_from(answer.action, "answer.action")
            except WireError as error:
                host.malformed(seat, answer.decision_id, str(error), at)
            else:
                host.answer(seat, answer.decision_id, action, at)
        else:
            host.malformed(seat, answer.decision_id, "answer.choice is not set: send an action or an index", at)

    def _unreadable(self, reason: str, at: int) -> None:
        """Nobody can say which decision was meant: it counts against each that is open."""
        if self.instance is None:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "the first message is no PlayRequest with a Hello")
        self.unasked()
        if self.instance is not None:
            for host, seat in list(self.instance.seats.values()):
                host.malformed(seat, None, reason, at)

    def _ready(self, instance: Instance, match_id: str) -> None:
        open_seat = self._open_seat(instance, match_id, 0)
        if open_seat is not None:
            if open_seat.host.table.seats[open_seat.seat].ready:
                self.unasked()
            open_seat.host.ready(open_seat.seat)

    def _early_pass(self, instance: Instance, match_id: str) -> None:
        open_seat = self._open_seat(instance, match_id, 0)
        if open_seat is not None:
            open_seat.host.early_pass(open_seat.seat)

    def _leave(self, instance: Instance) -> None:
        instance.leaving = True
        self._instances.changed.set()
        if not instance.seats:
            self.end(grpc.StatusCode.OK, "")

    def _open_seat(self, instance: Instance, match_id: str, decision_id: int) -> OpenSeat | None:
        """Where the bot plays this match. One that is over is told again (field case B78); others are none of its."""
        open_seat = instance.seats.get(match_id)
        if open_seat is not None:
            return open_seat
        told = instance.finished.get(match_id)
        if told is not None:
            self.send(told.message)
        else:
            self.send(encoding.dropped(match_id[:_MAX_ID], Dropped(0, decision_id, Fate.NO_SUCH_MATCH)))
        self.unasked()
        return None

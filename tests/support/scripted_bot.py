"""A bot for tests that plays by script over real gRPC, with a flag for every kind of misbehaviour.

It knows the protocol's messages and nothing else. `python -m tests.support.scripted_bot ADDRESS TOKEN` plays as a
process of its own, to be stopped or killed.
"""

import asyncio
import contextlib
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

import grpc

from thousand.v1 import action_pb2
from thousand.v1 import play_pb2 as pb

METHOD = "/thousand.v1.BotService/Play"


class Fault(Enum):
    """What a bot does wrong, from decision number `at` on."""

    NONE = auto()
    NEVER_READY = auto()
    NEVER_ANSWERS = auto()
    ILLEGAL = auto()  # an action that is not legal, each time it is asked
    ILLEGAL_ONCE = auto()  # and then a legal one
    BAD_INDEX = auto()
    MALFORMED = auto()  # bytes that are no message
    EMPTY = auto()  # an answer without a choice
    UNSPECIFIED = auto()  # an action with enums left at 0
    DIES = auto()
    FLOODS = auto()
    HUGE = auto()  # a message over the limit
    DOES_NOT_READ = auto()
    LATE = auto()  # after `delay_s`
    TWICE = auto()


@dataclass
class ScriptedBot:
    """One instance; `await run()` plays until its stream ends."""

    address: str
    token: str
    fault: Fault = Fault.NONE
    at: int = 0
    only: int | None = None  # how many decisions the fault lasts; None: all
    delay_s: float = 0.0
    instance_id: str = "one"
    max_matches: int = 1
    presets: tuple[str, ...] = ()
    live_events: bool = False
    choose: Callable[[pb.Decision], int] | None = None
    options: tuple[tuple[str, int], ...] = ()
    # what it has seen
    messages: list[pb.PlayResponse] = field(default_factory=list)
    finished: dict[str, pb.MatchFinished] = field(default_factory=dict)
    asked: int = 0
    code: grpc.StatusCode | None = None
    details: str = ""
    ended: asyncio.Event = field(default_factory=asyncio.Event)  # `run` is over
    stream: Any = None
    _channel: Any = None

    def items(self, kind: str) -> list[Any]:
        """All items of a kind received so far."""
        return [getattr(i, kind) for m in self.messages for i in m.items if i.WhichOneof("item") == kind]

    async def connect(self) -> "ScriptedBot":
        """Open the stream and say Hello."""
        await self.connect_silently()
        await self.say(hello=self.hello())
        return self

    async def connect_silently(self) -> "ScriptedBot":
        """Open the stream and say nothing."""
        options = [("grpc.use_local_subchannel_pool", 1), *self.options]
        self._channel = grpc.aio.insecure_channel(self.address, options=options)
        call = self._channel.stream_stream(METHOD, response_deserializer=pb.PlayResponse.FromString)
        metadata = [("authorization", f"Bearer {self.token}")] if self.token else []
        self.stream = call(metadata=metadata)
        return self

    def hello(self) -> pb.Hello:
        """What it says first."""
        return pb.Hello(
            protocol_min=1,
            protocol_max=1,
            client="scripted",
            instance_id=self.instance_id,
            max_matches=self.max_matches,
            presets=self.presets,
            live_events=self.live_events,
        )

    async def say(self, **item: Any) -> None:
        """One item, as a message of its own."""
        await self.send(pb.PlayRequest(items=[pb.PlayRequestItem(**item)]).SerializeToString())

    async def send(self, data: bytes) -> None:
        """Any bytes; what a closed stream says is seen when it is read."""
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self.stream.write(data)

    async def run(self) -> "ScriptedBot":
        """Play until the stream ends, however it ends."""
        try:
            if self.stream is None:
                await self.connect()
            async for message in self.stream:  # `read` would forget what came together with the end
                self.messages.append(message)
                for item in message.items:
                    await self._heard(item)
            self.code, self.details = await self.stream.code(), await self.stream.details()
        except grpc.aio.AioRpcError as error:
            self.code, self.details = error.code(), error.details() or ""
        finally:
            self.code = self.code or grpc.StatusCode.CANCELLED  # by itself
            await self.close()
            self.ended.set()
        return self

    async def close(self) -> None:
        """End the stream at once, as a process that dies does."""
        if self._channel is not None:
            if self.stream is not None:
                self.stream.cancel()
            await self._channel.close()

    async def _heard(self, item: pb.PlayResponseItem) -> None:
        kind = item.WhichOneof("item")
        if kind == "match_started" and self.fault is not Fault.NEVER_READY:
            await self.say(ready=pb.Ready(match_id=item.match_started.match_id))
        elif kind == "decision":
            await self._asked(item.decision)
        elif kind == "answer_rejected" and self.fault is not Fault.MALFORMED:
            rejected = item.answer_rejected
            index = 0 if self.fault is Fault.ILLEGAL_ONCE else 10_000
            await self._answer(rejected.match_id, rejected.decision_id, index)
        elif kind == "answer_rejected":
            await self.send(b"\xff\xfe\xfd")
        elif kind == "match_finished":
            self.finished[item.match_finished.match_id] = item.match_finished

    async def _answer(self, match_id: str, decision_id: int, index: int) -> None:
        await self.say(answer=pb.Answer(match_id=match_id, decision_id=decision_id, index=index))

    async def _asked(self, decision: pb.Decision) -> None:
        number, self.asked = self.asked, self.asked + 1
        lasts = self.only is None or number < self.at + self.only
        if number >= self.at and lasts and self.fault is not Fault.NONE:
            await self._misbehave(decision)
        else:
            await self._good(decision)

    async def _good(self, decision: pb.Decision) -> None:
        await self._answer(decision.match_id, decision.decision_id, (self.choose or by_chance)(decision))

    async def _misbehave(self, decision: pb.Decision) -> None:
        match_id, number = decision.match_id, decision.decision_id
        bad: dict[Fault, pb.Answer] = {
            Fault.EMPTY: pb.Answer(match_id=match_id, decision_id=number),
            Fault.UNSPECIFIED: pb.Answer(match_id=match_id, decision_id=number, action=action_pb2.Action()),
            Fault.BAD_INDEX: pb.Answer(match_id=match_id, decision_id=number, index=10_000),
        }
        illegal = action_pb2.Action(kind=action_pb2.ACTION_KIND_CHOOSE, amount=1)
        bad[Fault.ILLEGAL] = pb.Answer(match_id=match_id, decision_id=number, action=illegal)
        bad[Fault.ILLEGAL_ONCE] = bad[Fault.ILLEGAL]
        if self.fault in bad:
            await self.say(answer=bad[self.fault])
        elif self.fault is Fault.MALFORMED:
            await self.send(b"\xff\xff\xff")
        elif self.fault is Fault.DIES:
            self.stream.cancel()
        elif self.fault is Fault.FLOODS:
            for _ in range(3000):
                await self.say(answer=pb.Answer(match_id="no-such-match", decision_id=1, index=0))
        elif self.fault is Fault.HUGE:
            await self.send(_huge(500_000))
        elif self.fault is Fault.DOES_NOT_READ:
            await asyncio.sleep(3600)
        elif self.fault is Fault.LATE:
            await asyncio.sleep(self.delay_s)
            await self._good(decision)
        elif self.fault is Fault.TWICE:
            await self._good(decision)
            await self._good(decision)


def by_chance(decision: pb.Decision) -> int:
    """An action drawn by the decision alone, so that the same decision gets the same answer; it plays every deal."""
    order = list(range(len(decision.actions)))
    random.Random(f"{decision.view.seat}/{decision.decision_id}").shuffle(order)
    given_up = (action_pb2.ACTION_KIND_WRITE_OFF, action_pb2.ACTION_KIND_REDEAL)
    return next((index for index in order if decision.actions[index].kind not in given_up), 0)


def first(decision: pb.Decision) -> int:
    """The first legal action."""
    return 0 if decision.actions else -1


def _huge(size: int) -> bytes:
    return pb.PlayRequest(items=[pb.PlayRequestItem(hello=pb.Hello(client="x" * size))]).SerializeToString()


async def _main() -> None:
    address, token = sys.argv[1:3]
    bot = ScriptedBot(address, token)
    await bot.run()
    print(bot.code, bot.details, sorted(bot.finished), flush=True)


if __name__ == "__main__":
    asyncio.run(_main())

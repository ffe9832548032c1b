"""The client against a BotService that scripts the conversation: real gRPC on a free port."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import grpc
import pytest

from referee.limits import Limits
from thousand import Bot
from thousand.client import CHANNEL_OPTIONS, ClientError, run, serve
from thousand.rules import Action, Match, MatchResult, View, apply, bot_seed, decision, new_match, preset, seed_from_int
from thousand.rules import view as view_of
from thousand.v1 import play_pb2 as pb
from thousand.v1.play_pb2_grpc import BotServiceServicer, add_BotServiceServicer_to_server
from thousand.wire import action_from, actions_to, outcome_to, ruleset_to, view_to

Script = Callable[["Stream"], Awaitable[None]]


class Stream:
    """One Play stream as the referee's script sees it."""

    def __init__(self, requests: AsyncIterator[pb.PlayRequest], out: "asyncio.Queue[pb.PlayResponse | None]") -> None:
        self._requests = requests
        self._out = out
        self._items: list[pb.PlayRequestItem] = []

    def say(self, **item: Any) -> None:
        self._out.put_nowait(pb.PlayResponse(items=[pb.PlayResponseItem(**item)]))

    async def hear(self, kind: str) -> Any:
        while True:
            while self._items:
                item = self._items.pop(0)
                if item.WhichOneof("item") == kind:
                    return getattr(item, kind)
            self._items = list((await anext(self._requests)).items)

    async def welcome(self) -> pb.Hello:
        hello: pb.Hello = await self.hear("hello")
        self.say(welcome=pb.Welcome(protocol=1, bot_id="b1", version=1, referee="test"))
        return hello

    async def seat(self, match: Match, match_id: str, *, resumed: bool = False) -> None:
        self.say(
            match_started=pb.MatchStarted(
                match_id=match_id, ruleset=ruleset_to(match.ruleset), seat=0, bot_seed=bot_seed(match.seed, 0),
                resumed=resumed, preset="tournament",
            )
        )  # fmt: skip
        assert (await self.hear("ready")).match_id == match_id

    def ask(self, match: Match, match_id: str, number: int) -> None:
        asked = decision(match)
        assert asked is not None
        self.say(
            decision=pb.Decision(
                match_id=match_id, decision_id=number, view=view_to(view_of(match, asked.seat)),
                actions=actions_to(asked.actions),
            )
        )  # fmt: skip


class Scripted(BotServiceServicer):
    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.failures: list[BaseException] = []
        self.done = False

    async def Play(self, request_iterator: Any, context: Any) -> AsyncIterator[pb.PlayResponse]:  # noqa: N802
        out: asyncio.Queue[pb.PlayResponse | None] = asyncio.Queue()
        script = self.scripts.pop(0)

        async def perform() -> None:
            try:
                await script(Stream(request_iterator, out))
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                self.failures.append(error)
            finally:
                self.done = not self.scripts
                out.put_nowait(None)

        task = asyncio.create_task(perform())
        try:
            while (response := await out.get()) is not None:
                yield response
            if self.failures:
                error = self.failures[0]
                if isinstance(error, Abort):
                    await context.abort(error.code, "scripted")
        finally:
            task.cancel()


class Abort(Exception):
    def __init__(self, code: grpc.StatusCode) -> None:
        super().__init__(code)
        self.code = code


async def play(bot_class: type[Bot], *scripts: Script) -> Scripted:
    """Run the bot until the last script has ended, then stop it."""
    service = Scripted(*scripts)
    server = grpc.aio.server()
    add_BotServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    client = asyncio.create_task(serve(bot_class, f"127.0.0.1:{port}", "token"))
    try:
        while not (client.done() or service.done or service.failures):  # noqa: ASYNC110 - three things end it
            await asyncio.sleep(0.01)
        if service.failures:
            await asyncio.wait({client}, timeout=5)
        await asyncio.sleep(0.05)
    finally:
        client.cancel()
        results = await asyncio.gather(client, return_exceptions=True)
        await server.stop(0)
    for failure in service.failures:
        if not isinstance(failure, Abort):
            raise failure
    if isinstance(results[0], ClientError):
        raise results[0]
    return service


class First(Bot):
    """Plays the first legal action and remembers what it was told."""

    seen: list[Any]

    def on_start(self) -> None:
        type(self).seen.append(("start", self.start.match_id, self.start.resumed))

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        type(self).seen.append(("decide", view.decision))
        return actions[0]

    def on_finish(self, result: MatchResult) -> None:
        type(self).seen.append(("finish", result.ranking))


def fresh() -> Match:
    match = new_match(preset("tournament"), seed_from_int(1), first_dealer=2)
    while (asked := decision(match)) is not None and asked.seat != 0:
        apply(match, asked.actions[0])
    return match


async def test_a_match_is_started_played_and_finished() -> None:
    First.seen = []
    result = MatchResult((1000, 0, 0), (1, 2, 2), (0,), (0, 0, 0), 9, False)

    async def script(stream: Stream) -> None:
        hello = await stream.welcome()
        assert (hello.protocol_min, hello.protocol_max, hello.max_matches) == (1, 1, 1)
        match = fresh()
        await stream.seat(match, "m1")
        stream.ask(match, "m1", 0)
        answer = await stream.hear("answer")
        assert (answer.match_id, answer.decision_id, answer.index) == ("m1", 0, 0)
        stream.say(match_finished=pb.MatchFinished(match_id="m1", outcome=outcome_to(result, players=3)))

    await play(First, script, _idle)
    assert First.seen == [("start", "m1", False), ("decide", 0), ("finish", (1, 2, 2))]


async def _idle(stream: Stream) -> None:
    await stream.welcome()


async def test_b77_a_lost_stream_is_opened_again_under_the_same_instance_and_the_open_decision_answered_once() -> None:
    First.seen = []
    instances: list[str] = []
    match = fresh()

    async def cut_off(stream: Stream) -> None:
        instances.append((await stream.welcome()).instance_id)
        await stream.seat(match, "m1")
        stream.ask(match, "m1", 4)

    async def again(stream: Stream) -> None:
        instances.append((await stream.welcome()).instance_id)
        await stream.seat(match, "m1", resumed=True)
        stream.ask(match, "m1", 4)
        stream.ask(match, "m1", 4)  # said twice: thought about once
        assert (await stream.hear("answer")).decision_id == 4

    await play(First, cut_off, again, _idle)
    assert len(set(instances)) == 1
    assert ("start", "m1", True) in First.seen


class Failing(Bot):
    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        raise RuntimeError("my own bug")


class Illegal(Bot):
    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        return Action.parse("bid 295")


async def test_a_bot_that_fails_is_told_with_its_traceback_and_the_match_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        match = fresh()
        await stream.seat(match, "m1")
        stream.ask(match, "m1", 0)
        assert (await stream.hear("answer")).WhichOneof("choice") is None
        stream.ask(match, "m1", 1)
        assert (await stream.hear("answer")).decision_id == 1

    with caplog.at_level(logging.INFO, "thousand"):
        await play(Failing, script, _idle)
    assert "my own bug" in caplog.text


async def test_an_illegal_action_is_named_locally_and_sent_for_the_referee_to_judge(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def script(stream: Stream) -> None:
        await stream.welcome()
        match = fresh()
        await stream.seat(match, "m1")
        stream.ask(match, "m1", 0)
        assert str(action_from((await stream.hear("answer")).action)) == "bid 295"
        rejected = pb.AnswerRejected(match_id="m1", decision_id=0, reason="not legal now", strikes=1)
        stream.say(answer_rejected=rejected)
        assert (await stream.hear("answer")).decision_id == 0

    with caplog.at_level(logging.INFO, "thousand"):
        await play(Illegal, script, _idle)
    assert "bid 295 is none of" in caplog.text
    assert "not legal now" in caplog.text


class Hooked(First):
    def on_start(self) -> None:
        raise RuntimeError("a bug at the start")

    def on_finish(self, result: MatchResult) -> None:
        raise RuntimeError("a bug at the end")


async def test_a_fault_in_a_hook_is_told_and_the_bot_plays_on(caplog: pytest.LogCaptureFixture) -> None:
    result = MatchResult((1000, 0, 0), (1, 2, 2), (0,), (0, 0, 0), 9, False)

    async def script(stream: Stream) -> None:
        await stream.welcome()
        for match_id in ("m1", "m2"):
            match = fresh()
            await stream.seat(match, match_id)
            stream.ask(match, match_id, 0)
            await stream.hear("answer")
            stream.say(match_finished=pb.MatchFinished(match_id=match_id, outcome=outcome_to(result, players=3)))

    Hooked.seen = []
    with caplog.at_level(logging.INFO, "thousand"):
        await play(Hooked, script, _idle)
    assert "a bug at the start" in caplog.text
    assert "a bug at the end" in caplog.text


async def test_b78_a_match_that_ended_while_the_stream_was_lost_is_told_again_and_not_answered() -> None:
    First.seen = []
    result = MatchResult((1000, 0, 0), (1, 2, 2), (0,), (0, 0, 0), 9, False)
    finished = pb.MatchFinished(match_id="m1", outcome=outcome_to(result, players=3))
    match = fresh()

    async def lost(stream: Stream) -> None:
        await stream.welcome()
        await stream.seat(match, "m1")

    async def over(stream: Stream) -> None:
        await stream.welcome()
        stream.say(match_finished=finished)
        stream.say(match_finished=finished)  # heard twice: told once
        stream.ask(match, "m1", 9)  # of no match that is open: left alone
        await stream.seat(match, "m2")
        stream.ask(match, "m2", 0)
        assert (await stream.hear("answer")).match_id == "m2"

    await play(First, lost, over, _idle)
    assert First.seen.count(("finish", (1, 2, 2))) == 1


async def test_a_bot_that_leaves_ends_by_itself_once_the_referee_ends_the_stream() -> None:
    welcomed = asyncio.Event()

    async def until_leave(stream: Stream) -> None:
        await stream.welcome()
        welcomed.set()
        await stream.hear("leave")

    service = Scripted(until_leave)
    server = grpc.aio.server()
    add_BotServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    client = asyncio.create_task(serve(First, f"127.0.0.1:{port}", "token"))
    await asyncio.wait_for(welcomed.wait(), 10)
    signal.raise_signal(signal.SIGINT)
    await asyncio.wait_for(client, 5)
    await server.stop(0)
    assert not service.failures


def test_b60_the_client_pings_no_oftener_than_a_referee_allows() -> None:
    ping_ms = dict(CHANNEL_OPTIONS)["grpc.keepalive_time_ms"]
    assert ping_ms >= Limits().pinged_s * 1000


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "token is not valid"),
        (grpc.StatusCode.ALREADY_EXISTS, "taken over"),
        (grpc.StatusCode.FAILED_PRECONDITION, "protocol version"),
    ],
)
async def test_what_trying_again_cannot_mend_ends_with_the_reason(code: grpc.StatusCode, words: str) -> None:
    async def script(stream: Stream) -> None:
        await stream.hear("hello")
        raise Abort(code)

    with pytest.raises(ClientError, match=words):
        await play(First, script)


def test_a_run_without_token_or_port_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THOUSAND_TOKEN", raising=False)
    monkeypatch.setattr("sys.argv", ["my_bot.py"])
    with pytest.raises(SystemExit, match="thousand bot create"):
        run(First, "127.0.0.1:1", None)
    with pytest.raises(SystemExit, match="HOST:PORT"):
        run(First, "arena", "token")


@pytest.mark.parametrize(
    ("presets", "words"), [(("clasic",), "no 'clasic'"), ((), "a list of names"), ("classic", "a list of names")]
)
async def test_presets_nobody_could_seat_it_in_are_refused_before_it_connects(presets: Any, words: str) -> None:
    class Wrong(First):
        pass

    Wrong.presets = presets
    with pytest.raises(ClientError, match=words):
        await serve(Wrong, "127.0.0.1:1", "token")

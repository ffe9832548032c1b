"""Streams: who is let in, who is cut off, reconnecting, attending, stopping."""

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives import serialization
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.auth import Keys
from referee.limits import Limits
from referee.server import Referee
from tests.support.processes import gone
from tests.support.referees import PRIVATE, SERVICE, Hosted, bot_token, court, short_rules, sign
from tests.support.scripted_bot import Fault, ScriptedBot
from thousand.bot import Clocks
from thousand.v1 import clock_pb2 as c
from thousand.v1 import match_pb2, play_pb2, result_pb2

LONG = Clocks(startup_ms=5000, decision_ms=5000, free_ms=5000, bank_ms=0)


async def refused(address: str, token: str, **flags: Any) -> tuple[str, str]:
    """How a stream with this token ends."""
    bot = ScriptedBot(address, token, **flags)
    await asyncio.wait_for(bot.run(), 5)
    assert bot.code is not None
    assert not bot.messages
    return bot.code.name, bot.details


@pytest.mark.parametrize(
    ("token", "status"),
    [
        ("", "UNAUTHENTICATED"),
        ("nonsense", "UNAUTHENTICATED"),
        (SERVICE, "PERMISSION_DENIED"),
        (sign(aud="thousand-bot", bot="bot-a"), "UNAUTHENTICATED"),
        (sign(aud="thousand-bot", bot="bot-a", version=1, exp=1), "UNAUTHENTICATED"),
    ],
)
async def test_only_a_bots_token_plays(token: str, status: str) -> None:
    async with court() as here:
        code, details = await refused(here.referee.bots_address, token)
        assert code == status
        assert "bot-a" not in details


async def test_a_bots_token_hosts_nothing() -> None:
    async with court() as here:
        await here.three()
        hosted = await here.host(token=bot_token("a"))
        assert (hosted.code, hosted.record) == (grpc.StatusCode.PERMISSION_DENIED, None)
        assert hosted.details == "this needs a thousand-service token"


async def test_another_bots_match_is_as_good_as_none() -> None:
    async with court() as here:
        await here.three({"fault": Fault.NEVER_ANSWERS})
        stranger = await here.bot("stranger", instance_id="one")
        hosted, _ = here.hosting(clocks=LONG)
        await here.until(lambda: here.bots[0].asked or here.bots[1].asked or here.bots[2].asked)
        for match_id in ("match-0123456789ab", "match-none"):
            await stranger.say(answer=play_pb2.Answer(match_id=match_id, decision_id=0, index=0))
            await stranger.say(ready=play_pb2.Ready(match_id=match_id))
        await here.until(lambda: len(stranger.items("answer_received")) == 4)
        assert {r.fate for r in stranger.items("answer_received")} == {play_pb2.ANSWER_FATE_NO_SUCH_MATCH}
        assert not hosted.record


async def test_protocol_versions_are_negotiated() -> None:
    async with court() as here:
        bot = ScriptedBot(here.referee.bots_address, bot_token("a"))
        await bot.connect_silently()
        await bot.say(hello=play_pb2.Hello(protocol_min=2, protocol_max=3, instance_id="x"))
        await bot.run()
        assert bot.code is grpc.StatusCode.FAILED_PRECONDITION
        assert "2 to 3" in bot.details
        assert "1 to 1" in bot.details


async def test_b32_an_instance_never_plays_more_than_it_says() -> None:
    async with court() as here:
        await here.three()
        first, task = here.hosting(match_id="match-1")
        await here.until(lambda: here.bots[0].items("match_started"))
        second = await here.host(match_id="match-2", block_id="block-2")
        assert second.code is grpc.StatusCode.FAILED_PRECONDITION
        await task
        assert first.record is not None
        third = await here.host(match_id="match-2", block_id="block-2")
        assert third.record is not None


async def test_one_instance_plays_several_matches_at_once() -> None:
    async with court() as here:
        await here.three(max_matches=4)
        both = await asyncio.gather(*(here.host(match_id=f"match-{n}", block_id="block", seed=n) for n in range(4)))
        assert all(hosted.record is not None and not hosted.record.strikes for hosted in both)


async def test_a_bot_is_never_seated_where_it_cannot_play() -> None:
    async with court() as here:
        await here.three(presets=("classic",))
        assert (await here.host()).code is grpc.StatusCode.FAILED_PRECONDITION
        custom = await here.host(preset="", ruleset=short_rules())
        assert custom.code is grpc.StatusCode.FAILED_PRECONDITION
        assert (await here.host(preset="classic")).record is not None


async def test_b33_b77_a_reconnected_bot_goes_on() -> None:
    """Its stream is cut before Ready, and again when it is asked; the same instance id gets everything again."""
    async with court() as here:
        bots = await here.three({}, {"fault": Fault.NEVER_READY}, {})
        hosted, task = here.hosting(clocks=LONG, ruleset=short_rules())
        await here.until(lambda: bots[1].items("match_started"))
        await bots[1].close()
        second = await here.bot("b", fault=Fault.DIES, at=2)
        await here.until(lambda: second.asked == 3)
        await here.until(lambda: second.code is not None)
        await asyncio.sleep(0.1)
        third = await here.bot("b")
        await asyncio.wait_for(task, 5)
        assert hosted.record is not None
        assert not hosted.record.strikes
        again = third.items("decision")[0]
        lost = second.items("decision")[-1]
        assert again.decision_ms <= lost.decision_ms - 100 + 50
        again.decision_ms = lost.decision_ms = 0
        assert again == lost
        assert third.items("match_started")[0].resumed


async def test_the_same_instance_replaces_its_old_stream() -> None:
    async with court() as here:
        old = await here.bot("a", instance_id="x")
        await here.bot("a", instance_id="x")
        other = await here.bot("a", instance_id="y")
        await here.until(lambda: old.code is not None)
        assert old.code is grpc.StatusCode.ALREADY_EXISTS
        assert other.code is None
        assert len(list(here.referee.services.instances)) == 2


async def test_b78_an_answer_after_the_end_is_told_the_result() -> None:
    async with court() as here:
        bots = await here.three()
        hosted = await here.host()
        assert hosted.record is not None
        await here.until(lambda: bots[0].finished)
        await bots[0].close()
        again = await here.bot("a")
        await again.say(answer=play_pb2.Answer(match_id="match-0123456789ab", decision_id=3, index=0))
        await here.until(lambda: again.finished)
        assert again.finished["match-0123456789ab"].outcome == hosted.record.outcome


async def test_a_bot_that_missed_the_end_is_told_when_it_comes_back() -> None:
    async with court() as here:
        bots = await here.three({"fault": Fault.DIES, "at": 1})
        await here.host(clocks=Clocks(startup_ms=500, decision_ms=50, free_ms=50, bank_ms=0))
        assert not bots[0].finished
        again = await here.bot("a")
        await here.until(lambda: again.finished)


async def test_leave_finishes_open_matches_and_takes_no_new_ones() -> None:
    async with court() as here:
        bots = await here.three(max_matches=2)
        hosted, task = here.hosting(ruleset=short_rules(deals=3))
        await here.until(lambda: hosted.entries)
        await bots[0].say(leave=play_pb2.Leave())
        await asyncio.sleep(0.05)
        if not task.done():
            second = await here.host(match_id="match-2", block_id="block-2")
            assert second.code is grpc.StatusCode.FAILED_PRECONDITION
        await task
        await here.until(lambda: bots[0].code is not None)
        assert bots[0].code is grpc.StatusCode.OK
        assert bots[0].finished


async def test_b58_streams_beyond_the_limit_are_refused_at_once() -> None:
    async with court(Limits(streams=10)) as here:
        for number in range(10):
            await here.bot("a", instance_id=f"i{number}")
        code, details = await refused(here.referee.bots_address, bot_token("a"), instance_id="one-more")
        assert code == "RESOURCE_EXHAUSTED"
        assert "10 streams" in details
        other = await here.bot("b")  # another token is not slowed
        assert other.code is None
        stub: Any = health_pb2_grpc.HealthStub(here.channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(service="thousand.v1.BotService"))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        await here.bots[0].close()
        await here.until(lambda: here.bots[0].code is not None)
        again = await here.bot("a", instance_id="one-more")
        assert again.code is None


async def test_streams_begun_too_fast_are_refused() -> None:
    async with court(Limits(streams_begun_burst=5, streams_begun_per_s=0.1)) as here:
        for _ in range(5):
            bot = await here.bot("a")
            await bot.close()
        code, _ = await refused(here.referee.bots_address, bot_token("a"))
        assert code == "RESOURCE_EXHAUSTED"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_b59_a_killed_or_stopped_process_is_noticed(how: signal.Signals) -> None:
    async with court(Limits(grace_ms=50)) as here:
        await here.bot("a")
        await here.bot("c")
        process = subprocess.Popen(  # noqa: ASYNC220 - it takes a moment
            [sys.executable, "-m", "tests.support.scripted_bot", here.referee.bots_address, bot_token("b")],
            stdout=subprocess.DEVNULL,
        )
        try:
            await here.until(lambda: len(here.referee.services.sessions) == 3)
            await here.until(lambda: all(i.session for i in here.referee.services.instances))
            hosted, task = here.hosting(
                ruleset=short_rules(deals=3), clocks=Clocks(startup_ms=5000, decision_ms=150, free_ms=150, bank_ms=0)
            )
            await here.until(lambda: len(hosted.entries) > 3)
            process.send_signal(how)
            if how is signal.SIGKILL:
                await here.until(lambda: len(here.referee.services.sessions) == 2, 1.0)
            await asyncio.wait_for(task, 10)
            assert hosted.record is not None
            expected = c.STRIKE_CAUSE_DISCONNECTED if how is signal.SIGKILL else c.STRIKE_CAUSE_TIMEOUT
            assert set(hosted.causes(1)) == {expected}
        finally:
            process.kill()
            process.wait()
        await here.until(lambda: len(here.referee.services.sessions) == 2)


async def test_b60_pings_as_the_sdk_sends_them_are_welcome() -> None:
    """Pings every second, ten times what the SDK sends, over an idle stream and one with calls."""
    options = (
        ("grpc.keepalive_time_ms", 1000),
        ("grpc.keepalive_timeout_ms", 1000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    )
    async with court() as here:
        bot = await here.bot("a", options=options)
        await asyncio.sleep(5)
        assert bot.code is None


async def test_b60_too_many_pings_get_a_readable_reason() -> None:
    async with court(Limits(pinged_s=30.0)) as here:
        options = (
            ("grpc.keepalive_time_ms", 100),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_pings_without_data", 0),
        )
        bot = await here.bot("a", options=options)
        await here.until(lambda: bot.code is not None, 10)
        assert bot.code is grpc.StatusCode.UNAVAILABLE
        assert "ping" in bot.details.lower()


async def test_b72_garbage_on_one_seat_touches_nobody_else() -> None:
    """10,000 random messages by one bot, while two other matches are played as if it were not there."""

    async def transcript(fuzz: bool) -> list[list[bytes]]:
        async with court(Limits(unasked_burst=10**9)) as here:
            for name in ("a", "b", "c", "d", "e", "f", "g", "h"):
                await here.bot(name)
            fuzzer = await here.bot("fuzzer", fault=Fault.NEVER_ANSWERS)
            jobs = [
                here.hosting(bots=bots, match_id=f"match-{bots}", block_id=bots, seed=n, clocks=LONG)
                for n, bots in enumerate(("abc", "def"))
            ]
            if fuzz:
                quick = Clocks(startup_ms=1000, decision_ms=60, free_ms=60, bank_ms=0)
                request = here.request(bots=["fuzzer", "g", "h"], match_id="match-fuzz", block_id="fz", clocks=quick)
                third = Hosted()
                jobs.append((third, asyncio.create_task(here.host_into(third, request))))
                await garbage(fuzzer)
            await asyncio.gather(*(task for _, task in jobs))
            assert all(hosted.record is not None for hosted, _ in jobs)
            return [
                [entry.action.SerializeToString() for entry in hosted.record.journal]
                for hosted, _ in jobs[:2]
                if hosted.record is not None
            ]

    assert await transcript(True) == await transcript(False)


async def garbage(bot: ScriptedBot) -> None:
    """Random bytes, and random bytes inside good messages."""
    draw = random.Random(72)
    for number in range(10_000):
        data = draw.randbytes(draw.randrange(40))
        if number % 3 == 0:
            answer = play_pb2.Answer(match_id="match-fuzz", decision_id=draw.randrange(4))
            answer.action.kind = draw.randrange(40)  # type: ignore[assignment]  # any number
            data = play_pb2.PlayRequest(items=[play_pb2.PlayRequestItem(answer=answer)]).SerializeToString()
        elif number % 3 == 1:
            data = b"\x0a" + bytes([len(data)]) + data
        await bot.send(data)
        if number % 200 == 0:
            await asyncio.sleep(0)


async def test_flooding_is_bounded_by_a_bucket() -> None:
    async with court() as here:
        bot = await here.bot("a")
        other = await here.bot("b")
        answer = play_pb2.Answer(match_id="none", decision_id=1, index=0)
        await bot.send(play_pb2.PlayRequest(items=[play_pb2.PlayRequestItem(answer=answer)] * 300).SerializeToString())
        await here.until(lambda: bot.code is not None)
        assert bot.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert other.code is None


async def test_b67_bytes_that_are_no_text_are_refused() -> None:
    async with court() as here:
        other = await here.bot("b")
        bot = ScriptedBot(here.referee.bots_address, bot_token("a"))
        await bot.connect_silently()
        await bot.send(b"\x0a\x0a\x0a\x08\x08\x01\x10\x01\x22\x02\xff\xfe")
        await bot.run()
        assert bot.code is grpc.StatusCode.INVALID_ARGUMENT
        assert other.code is None


# fences and resuming


async def test_an_older_fence_is_refused_and_a_newer_one_takes_over() -> None:
    async with court() as here:
        bots = await here.three()
        first, task = here.hosting(fence=5, ruleset=short_rules(deals=40), clocks=LONG)
        await here.until(lambda: len(first.entries) > 20)
        older = await here.host(fence=4)
        assert older.code is grpc.StatusCode.ABORTED
        second = await here.host(fence=6, ruleset=short_rules(deals=40), clocks=LONG, journal=first.entries)
        await task
        assert first.code is grpc.StatusCode.ABORTED
        assert first.record is None
        assert second.record is not None
        assert not second.record.strikes
        assert [e.seq for e in second.record.journal] == list(range(len(second.record.journal)))
        assert bots[0].items("match_started")[-1].resumed
        late = await here.host(fence=5)
        assert late.code is grpc.StatusCode.ABORTED


async def test_a_match_resumed_from_its_journal_ends_as_if_undisturbed() -> None:
    async with court() as here:
        await here.three()
        whole = await here.host(ruleset=short_rules(deals=3))
        assert whole.record is not None
        half = whole.entries[: len(whole.entries) // 2]
        resumed = await here.host(ruleset=short_rules(deals=3), fence=2, journal=half)
        assert resumed.record is not None
        assert resumed.record.outcome == whole.record.outcome
        assert [e.action for e in resumed.record.journal] == [e.action for e in whole.record.journal]
        assert resumed.entries[0].seq == len(half)


async def test_a_caller_that_goes_away_ends_the_match_without_a_result() -> None:
    async with court() as here:
        bots = await here.three()
        hosted, task = here.hosting(ruleset=short_rules(deals=100))
        await here.until(lambda: hosted.entries)
        task.cancel()
        await here.until(lambda: all(bot.finished for bot in bots))
        for bot in bots:
            (finished,) = bot.finished.values()
            assert finished.outcome.reason == result_pb2.END_REASON_ABORTED
        assert all(not instance.seats for instance in here.referee.services.instances)


async def test_journal_batches_come_within_20_ms_of_their_first_entry() -> None:
    async with court() as here:
        await here.three()
        hosted = await here.host(ruleset=short_rules(deals=3), public_events=True)
        assert hosted.record is not None
        assert len(hosted.entries) > hosted.batches > 1
        kinds = {event.WhichOneof("event") for event in hosted.events}
        assert {"deal_started", "card_played", "deal_scored", "match_ended"} <= kinds
        assert "hand_dealt" not in kinds


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"match_id": "a b"}, "match_id"),
        ({"block_id": ""}, "block_id"),
        ({"seed": b"short"}, "seed"),
        ({"ruleset": None}, "ruleset"),
    ],
)
async def test_requests_that_make_no_sense_are_refused_by_field(change: dict[str, Any], field: str) -> None:
    async with court() as here:
        await here.three()
        request = here.request()
        for name, value in change.items():
            request.ClearField(name)  # type: ignore[arg-type]  # any of its names
            if value is not None:
                setattr(request, name, value)
        hosted = await here.host(request)
        assert hosted.code is grpc.StatusCode.INVALID_ARGUMENT
        assert hosted.details.startswith(field)


async def test_a_fault_of_ours_ends_one_match_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with court() as here:
        bots = await here.three(max_matches=2)
        bad, task = here.hosting(match_id="match-bad", block_id="bad", ruleset=short_rules(deals=50))
        await here.until(lambda: bad.entries)
        table = here.referee.services.hosts.by_match["match-bad"][0].table
        monkeypatch.setattr(type(table), "_took", broken(type(table)._took, table))
        good = await here.host(match_id="match-good", block_id="good")
        await task
        assert bad.code is grpc.StatusCode.INTERNAL
        assert "logged" in bad.details
        assert good.record is not None
        assert bots[0].finished["match-bad"].outcome.reason == result_pb2.END_REASON_ABORTED


def broken(method: Any, table: object) -> Any:
    """The method, failing for this table."""

    def took(self: object, *args: Any) -> None:
        if self is table:
            raise RuntimeError("broken")
        method(self, *args)

    return took


# the arena


async def test_without_an_arena_no_new_bot_is_admitted_but_an_open_match_goes_on() -> None:
    async with court(unattended=False) as here:
        code, _ = await refused(here.referee.bots_address, bot_token("a"))
        assert code == "UNAVAILABLE"
        arena = here.attend()
        await arena.write(match_pb2.AttendRequest())
        assert not (await arena.read()).present
        bots = await here.three()
        hosted, task = here.hosting(ruleset=short_rules(deals=3), clocks=LONG)
        await here.until(lambda: hosted.entries)
        arena.cancel()
        await here.until(lambda: here.referee.services.instances.attendant is None)
        await bots[0].close()
        await here.bot("a")
        await asyncio.wait_for(task, 10)
        assert hosted.record is not None
        code, _ = await refused(here.referee.bots_address, bot_token("new"))
        assert code == "UNAVAILABLE"


async def test_revoked_tokens_lose_their_streams_within_a_second() -> None:
    async with court(unattended=False) as here:
        arena = here.attend()
        await arena.write(match_pb2.AttendRequest())
        await arena.read()
        bots = await here.three(generation=1)
        begun = time.monotonic()
        lowest = [match_pb2.BotGeneration(bot_id="b", lowest_generation=2)]
        await arena.write(match_pb2.AttendRequest(generations=lowest))
        await here.until(lambda: bots[1].code is not None, 1.0)
        assert time.monotonic() - begun < 1
        assert bots[1].code is grpc.StatusCode.UNAUTHENTICATED
        assert "revoked" in bots[1].details
        assert bots[0].code is bots[2].code is None
        code, _ = await refused(here.referee.bots_address, bot_token("b", generation=1))
        assert code == "UNAUTHENTICATED"
        again = await here.bot("b", generation=2)
        assert again.code is None
        arena.cancel()


async def test_presence_is_told_on_change() -> None:
    async with court() as here:
        arena = here.attend()
        await arena.write(match_pb2.AttendRequest())
        seen: list[Any] = []

        async def watch() -> None:
            while (answer := await arena.read()) is not grpc.aio.EOF:
                seen.append({p.bot_id: (p.open_matches, p.max_matches, p.leaving) for p in answer.present})

        watching = asyncio.create_task(watch())
        await here.three()
        await here.until(lambda: seen and len(seen[-1]) == 3)
        hosted, task = here.hosting(ruleset=short_rules(deals=3))
        await here.until(lambda: {"a": (1, 1, False)}.items() <= seen[-1].items())
        await task
        assert hosted.record
        await here.until(lambda: seen[-1]["a"] == (0, 1, False))
        await here.bots[0].close()
        await here.until(lambda: "a" not in seen[-1])
        watching.cancel()
        arena.cancel()


# stopping, as a real process


class Process:
    """`python -m referee`."""

    def __init__(self, folder: Path, *options: str) -> None:
        key = folder / "public_key.pem"
        write_key(key)
        command = [sys.executable, "-m", "referee", "--public-key", str(key), *options]
        self.popen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.popen.stdout is not None
        self.line = self.popen.stdout.readline()

    @property
    def told(self) -> dict[str, Any]:
        """Its first line."""
        told: dict[str, Any] = json.loads(self.line)
        return told


async def test_b63_sigterm_tells_bots_ends_matches_and_exits_with_0(tmp_path: Path) -> None:
    process = await asyncio.to_thread(Process, tmp_path, "--unattended", "--drain", "1")
    try:
        async with court() as here:  # its channel and helpers, its referee replaced
            await here.channel.close()
            here.channel = grpc.aio.insecure_channel(process.told["service"])
            here.referee.bots_address = process.told["bots"]
            names = [f"bot{n}" for n in range(18)]
            bots = [await here.bot(name) for name in names]
            rules = short_rules(deals=200)
            jobs = [
                here.hosting(
                    bots=names[n * 3 : n * 3 + 3], match_id=f"match-{n}", block_id=f"b{n}", ruleset=rules, clocks=LONG
                )
                for n in range(6)
            ]
            idle = await here.bot("idle")
            await here.until(lambda: all(hosted.entries for hosted, _ in jobs))
            begun = time.monotonic()
            process.popen.send_signal(signal.SIGTERM)
            await here.until(lambda: idle.code is not None, 1.5)
            assert idle.items("goodbye")[0].reconnect
            refused_one = await here.host(bots=names[:3], match_id="match-x", block_id="x")
            assert refused_one.code is grpc.StatusCode.UNAVAILABLE
            await asyncio.wait_for(asyncio.gather(*(task for _, task in jobs)), 6)
            for hosted, _ in jobs:
                assert hosted.record is not None or hosted.code is grpc.StatusCode.UNAVAILABLE
            await here.until(lambda: all(bot.code is not None for bot in bots))
            assert all(bot.items("goodbye") for bot in bots)
            code = await asyncio.to_thread(process.popen.wait, 5)
            assert code == 0
            assert time.monotonic() - begun < 1 + 4
        assert process.popen.stderr is not None
        for line in process.popen.stderr.read().splitlines():
            logged = json.loads(line)
            assert logged["event"]
            assert "eyJ" not in line  # no token
    finally:
        process.popen.kill()
        process.popen.wait()
        for pipe in (process.popen.stdout, process.popen.stderr):
            assert pipe is not None
            pipe.close()


def test_the_process_ends_with_its_parent(tmp_path: Path) -> None:
    key = tmp_path / "public_key.pem"
    write_key(key)
    code = (
        "import subprocess, sys, time\n"
        f"command = [sys.executable, '-m', 'referee', '--public-key', {str(key)!r}, '--die-with-parent']\n"
        "child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)\n"
        "print(child.stdout.readline(), flush=True)\n"
        "time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-S", "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = json.loads(parent.stdout.readline())["pid"]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(child, 5)


def test_a_key_that_is_not_there_is_said_plainly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "--public-key", str(tmp_path / "none.pem")]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "none.pem" in ended.stderr


def write_key(file: Path) -> None:
    """The tests' public key."""
    pem = PRIVATE.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    file.write_bytes(pem)


async def test_plaintext_beyond_this_machine_is_refused() -> None:
    referee = Referee(Keys([PRIVATE.public_key()]))
    with pytest.raises(ValueError, match="--tls-cert"):
        await referee.start("0.0.0.0:0")


async def test_one_address_is_one_processs() -> None:
    async with court() as here:
        second = Referee(Keys([PRIVATE.public_key()]))
        with pytest.raises(RuntimeError):
            await second.start(here.referee.bots_address)

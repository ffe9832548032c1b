"""A bot's stream: who is let in, who is cut off, reconnecting, leaving."""

import asyncio
import random
import signal
import subprocess
import sys
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from referee.limits import Limits
from tests.support.referees import LONG, SERVICE, Hosted, bot_token, court, refused, short_rules, sign
from tests.support.scripted_bot import Fault, ScriptedBot
from thousand.bot import Clocks
from thousand.v1 import clock_pb2 as c
from thousand.v1 import play_pb2


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
        hosted, task = here.hosting(ruleset=short_rules(deals=20))
        await here.until(lambda: hosted.entries)
        await bots[0].say(leave=play_pb2.Leave())
        await here.until(lambda: any(instance.leaving for instance in here.referee.services.instances))
        second = await here.host(match_id="match-2", block_id="block-2")
        assert not task.done()  # its first match is going on
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
            await here.until(lambda: sum(i.session is not None for i in here.referee.services.instances) == 3, 20)
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

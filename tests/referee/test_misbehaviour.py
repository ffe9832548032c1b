"""Each misbehaviour ends in the right cause, charged to the right seat, within its clock; the others are told."""

import asyncio
import time
from typing import Any

import pytest

from referee.clocks import UNLIMITED
from referee.limits import Limits
from tests.support.referees import Court, bot_token, court, short_rules
from tests.support.scripted_bot import Fault, ScriptedBot
from thousand.bot import Clocks
from thousand.v1 import clock_pb2 as c
from thousand.v1 import play_pb2, result_pb2

RULES = short_rules(deals=2)
FAST = Clocks(startup_ms=400, decision_ms=150, free_ms=150, bank_ms=0, increment_ms=0)
CAUSES = {
    Fault.NEVER_ANSWERS: c.STRIKE_CAUSE_TIMEOUT,
    Fault.ILLEGAL: c.STRIKE_CAUSE_ILLEGAL,
    Fault.BAD_INDEX: c.STRIKE_CAUSE_ILLEGAL,
    Fault.MALFORMED: c.STRIKE_CAUSE_MALFORMED,
    Fault.EMPTY: c.STRIKE_CAUSE_MALFORMED,
    Fault.UNSPECIFIED: c.STRIKE_CAUSE_MALFORMED,
    Fault.DIES: c.STRIKE_CAUSE_DISCONNECTED,
    Fault.FLOODS: c.STRIKE_CAUSE_FLOODED,
    Fault.HUGE: c.STRIKE_CAUSE_FLOODED,
    Fault.DOES_NOT_READ: c.STRIKE_CAUSE_TIMEOUT,
}


async def told(here: Court, bots: list[ScriptedBot]) -> None:
    """Each of these bots learns the outcome, and is charged nothing."""
    await here.until(lambda: all(bot.finished for bot in bots))
    for bot in bots:
        (finished,) = bot.finished.values()
        (started,) = bot.items("match_started")
        assert finished.outcome.reason == result_pb2.END_REASON_FINISHED
        assert not finished.outcome.conduct[started.seat].strikes


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("fault", CAUSES)
async def test_b02_a_fault_is_charged_to_its_seat_and_the_others_are_told(fault: Fault, seat: int) -> None:
    flags: list[dict[str, Any]] = [{}, {}, {}]
    flags[seat] = {"fault": fault, "at": 2}
    async with court(Limits(grace_ms=50)) as here:
        bots = await here.three(*flags)
        begun = time.monotonic()
        hosted = await here.host(ruleset=RULES, clocks=FAST)
        took = time.monotonic() - begun
        assert hosted.record is not None, hosted.details
        assert hosted.record.outcome.reason == result_pb2.END_REASON_FINISHED
        causes = hosted.causes(seat)
        main = CAUSES[fault]
        later = {c.STRIKE_CAUSE_TIMEOUT, c.STRIKE_CAUSE_ILLEGAL}  # of what the bot goes on to say
        assert causes[0] == main, causes
        assert set(causes) <= {main, *later}
        assert len(causes) == 5
        assert list(hosted.record.forfeits) == [seat]
        assert hosted.record.outcome.ranking[seat] == 3
        assert took < 5 * 0.3 + 2
        others = [bots[s] for s in range(3) if s != seat]
        assert all(not hosted.causes(s) for s in range(3) if s != seat)
        await told(here, others)
        for s, bot in enumerate(bots):
            if s != seat:
                assert bot.code is None  # its stream is still open: nobody was cut off for another's fault


async def test_b01_who_never_connects_cannot_be_seated() -> None:
    async with court() as here:
        await here.bot("a")
        await here.bot("c")
        hosted = await here.host()
        assert hosted.code is not None
        assert hosted.code.name == "FAILED_PRECONDITION"
        assert "bot b" in hosted.details


@pytest.mark.parametrize("way", ["silent", "gone"])
async def test_b01_no_show_is_charged_to_who_was_not_ready(way: str) -> None:
    async with court() as here:
        bots = await here.three({}, {"fault": Fault.NEVER_READY}, {})
        hosted, task = here.hosting(clocks=FAST)
        if way == "gone":
            await here.until(lambda: bots[1].items("match_started"))
            bots[1].stream.cancel()
        await asyncio.wait_for(task, 3)
        assert hosted.record is not None
        outcome = hosted.record.outcome
        assert outcome.reason == result_pb2.END_REASON_NO_SHOW
        assert [seat.no_show for seat in outcome.conduct] == [False, True, False]
        assert not outcome.scores
        assert not any(seat.strikes for seat in outcome.conduct)
        await here.until(lambda: bots[0].finished and bots[2].finished)
        assert not hosted.entries


async def test_b06_the_verdict_comes_while_waiting() -> None:
    clocks = Clocks(startup_ms=1000, decision_ms=300, free_ms=300, bank_ms=0)
    async with court(Limits(grace_ms=50)) as here:
        await here.three({"fault": Fault.LATE, "delay_s": 0.8, "only": 1})
        hosted, task = here.hosting(ruleset=short_rules(), clocks=clocks)
        await here.until(lambda: hosted.entries and any(e.seat == 0 for e in hosted.entries))
        entry = next(e for e in hosted.entries if e.seat == 0)
        assert entry.cause == c.STRIKE_CAUSE_TIMEOUT
        assert 300 <= entry.elapsed_ms < 500
        bot = here.bots[0]
        await here.until(lambda: bot.items("answer_received"))  # the late answer is dropped, and said so
        assert bot.items("answer_received")[0].fate == play_pb2.ANSWER_FATE_STALE
        await task


async def test_b09_one_slow_answer_costs_a_strike_three_cost_three() -> None:
    clocks = Clocks(startup_ms=1000, decision_ms=200, free_ms=200, bank_ms=0)
    for slow in (1, 3):
        async with court(Limits(grace_ms=40)) as here:
            await here.three({}, {"fault": Fault.LATE, "delay_s": 0.3, "at": 1, "only": slow})
            hosted = await here.host(ruleset=short_rules(), clocks=clocks)
            assert hosted.record is not None
            assert len(hosted.causes(1)) >= slow  # an answer to a lost decision delays the next one as well
            assert not hosted.record.forfeits


async def test_a_good_answer_after_a_rejected_one_counts() -> None:
    async with court() as here:
        bots = await here.three({}, {"fault": Fault.ILLEGAL_ONCE, "at": 1, "only": 1})
        hosted = await here.host()
        assert hosted.causes(1) == [c.STRIKE_CAUSE_ILLEGAL]
        (rejected,) = bots[1].items("answer_rejected")
        assert rejected.actions
        assert rejected.strikes == 1
        assert "legal" in rejected.reason
        entry = next(e for e in hosted.entries if e.strikes)
        assert (entry.seat, entry.cause) == (1, c.STRIKE_CAUSE_OWN)


async def test_b11_the_evidence_is_in_the_record() -> None:
    async with court() as here:
        await here.three({}, {}, {"fault": Fault.ILLEGAL, "at": 1, "only": 1})
        hosted = await here.host()
        assert hosted.record is not None
        strike = hosted.record.strikes[0]
        assert (strike.seat, strike.cause) == (2, c.STRIKE_CAUSE_ILLEGAL)
        assert "choose 1" in strike.message
        assert hosted.record.journal[strike.before].seat == 2
        assert hosted.record.match_id == "match-0123456789ab"


async def test_answering_twice_is_harmless() -> None:
    async with court(Limits(unasked_burst=10_000)) as here:
        bots = await here.three({"fault": Fault.TWICE})
        hosted = await here.host(ruleset=short_rules())
        assert hosted.record is not None
        assert not hosted.record.strikes
        fates = {received.fate for received in bots[0].items("answer_received")}
        assert fates <= {play_pb2.ANSWER_FATE_STALE, play_pb2.ANSWER_FATE_NO_SUCH_MATCH}


async def test_b17_a_bot_is_told_what_was_measured() -> None:
    clocks = Clocks(startup_ms=1000, decision_ms=200, free_ms=200, bank_ms=0)
    async with court(Limits(grace_ms=40)) as here:
        bots = await here.three({"fault": Fault.LATE, "delay_s": 0.3, "at": 1, "only": 1})
        await here.host(ruleset=short_rules(), clocks=clocks)
        decisions = bots[0].items("decision")
        assert not decisions[0].HasField("last_answer")
        assert decisions[1].last_answer.cause == c.STRIKE_CAUSE_OWN
        lost = decisions[2].last_answer
        assert lost.elapsed_ms >= 200
        assert (lost.cause, lost.strikes, lost.decision_id) == (c.STRIKE_CAUSE_TIMEOUT, 1, 1)


async def test_b19_a_dead_bot_ends_the_wait_without_any_clock() -> None:
    async with court() as here:
        bots = await here.three({}, {"fault": Fault.DIES, "at": 1})
        begun = time.monotonic()
        hosted = await here.host(ruleset=short_rules(), clocks=UNLIMITED)
        assert time.monotonic() - begun < 2
        assert set(hosted.causes(1)) == {c.STRIKE_CAUSE_DISCONNECTED}
        await told(here, [bots[0], bots[2]])


@pytest.mark.parametrize(
    ("clocks", "delay_s"),
    [
        (Clocks(startup_ms=1000, decision_ms=150, free_ms=0, bank_ms=10_000), 0.3),
        (Clocks(startup_ms=1000, decision_ms=10_000, free_ms=100, bank_ms=100), 0.35),
        (Clocks(startup_ms=1000, decision_ms=0, free_ms=150, bank_ms=0), 0.3),
        (Clocks(startup_ms=1000, decision_ms=0, free_ms=0, bank_ms=150, increment_ms=50), 0.35),
    ],
    ids=["decision", "bank", "free", "increment"],
)
async def test_b15_each_limit_is_applied(clocks: Clocks, delay_s: float) -> None:
    async with court(Limits(grace_ms=30)) as here:
        await here.three({"fault": Fault.LATE, "delay_s": delay_s, "only": 1, "choose": lambda d: 0})
        hosted, task = here.hosting(ruleset=short_rules(), clocks=clocks)
        await here.until(lambda: any(e.seat == 0 for e in hosted.entries))
        first = next(e for e in hosted.entries if e.seat == 0)
        assert first.cause == c.STRIKE_CAUSE_TIMEOUT
        assert first.bank_ms <= clocks.bank_ms
        task.cancel()


async def test_b15_clocks_that_make_no_sense_are_refused() -> None:
    async with court() as here:
        await here.three()
        hosted = await here.host(clocks=Clocks(decision_ms=4_000_000_000))
        assert hosted.code is not None
        assert hosted.code.name == "INVALID_ARGUMENT"
        assert "clocks" in hosted.details


async def test_b62_a_message_over_the_limit_ends_its_own_stream_with_the_reason() -> None:
    for size, why in ((100_000, "over the limit of 65536"), (5 << 20, "arger than max")):
        async with court() as here:
            bot = await here.bot("a")
            other = await here.bot("b")
            hello = play_pb2.Hello(client="x" * size)
            await bot.say(hello=hello)
            await here.until(lambda bot=bot: bot.code is not None)
            assert bot.code is not None
            assert bot.code.name == "RESOURCE_EXHAUSTED", bot.details
            assert why in bot.details
            assert other.code is None


async def test_unread_output_is_bounded() -> None:
    """A bot that takes nothing while it makes the referee talk is cut off."""
    limits = Limits(unread_bytes=50_000, unasked_burst=10**9)
    async with court(limits) as here:
        bot = await here.bot("a", fault=Fault.DOES_NOT_READ, options=(("grpc.http2.lookahead_bytes", 1024),))
        other = await here.bot("b")
        here.tasks[0].cancel()  # nobody reads any more
        await asyncio.sleep(0)
        bot = ScriptedBot(here.referee.bots_address, bot.token, instance_id="two")
        await bot.connect()
        answer = play_pb2.Answer(match_id="m" * 60, decision_id=1, index=0)
        items = [play_pb2.PlayRequestItem(answer=answer)] * 500
        data = play_pb2.PlayRequest(items=items).SerializeToString()
        for _ in range(2000):
            await bot.send(data)
            if not any(s.token.bot == "a" for s in here.referee.services.sessions):
                break
        await here.until(lambda: not any(s.token.bot == "a" for s in here.referee.services.sessions))
        assert other.code is None
        await bot.close()


async def test_no_hello_ends_the_stream() -> None:
    async with court(Limits(hello_s=0.2)) as here:
        bot = ScriptedBot(here.referee.bots_address, bot_token("a"))
        await bot.connect_silently()
        await bot.run()
        assert bot.code is not None
        assert bot.code.name == "INVALID_ARGUMENT"


async def test_b66_zero_is_never_an_action() -> None:
    async with court() as here:
        bots = await here.three({"fault": Fault.UNSPECIFIED, "only": 1})
        hosted = await here.host()
        assert hosted.causes(0)[0] == c.STRIKE_CAUSE_MALFORMED
        (rejected, *_) = bots[0].items("answer_rejected")
        assert "action.kind is not set" in rejected.reason
        assert bots[0].items("match_started")[0].seat == 0  # seat 0 is a seat


async def test_b13_the_referees_own_delay_is_not_the_bots() -> None:
    """The event loop is held up for 400 ms again and again; no answer is late for it."""
    clocks = Clocks(startup_ms=5000, decision_ms=200, free_ms=200, bank_ms=0)
    async with court(Limits(grace_ms=50)) as here:
        await here.three()

        async def hold_up() -> None:
            for _ in range(5):
                await asyncio.sleep(0.03)
                time.sleep(0.4)  # noqa: ASYNC251 - that is the fault

        busy = asyncio.create_task(hold_up())
        hosted = await here.host(ruleset=RULES, clocks=clocks)
        await busy
        assert hosted.record is not None
        assert not hosted.record.strikes
        assert max(e.elapsed_ms for e in hosted.entries) < 150

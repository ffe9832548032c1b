"""Hosting matches and attending: the good case, fences, resuming, bad requests, revoked tokens, presence."""

import asyncio
import time
from typing import Any

import grpc
import pytest

from tests.support.referees import LONG, SHORT, bot_token, court, refused, short_rules
from thousand.record import replay
from thousand.rules import PRESETS, bot_seed, one_deal
from thousand.v1 import clock_pb2, match_pb2, result_pb2
from thousand.wire import record_from


async def test_three_bots_play_a_match_and_all_are_told() -> None:
    async with court() as here:
        bots = await here.three()
        hosted = await here.host()
        assert hosted.record is not None, (hosted.code, hosted.details)
        assert hosted.record.outcome.reason == result_pb2.END_REASON_FINISHED
        assert [e.seq for e in hosted.entries] == list(range(len(hosted.entries)))
        assert len(hosted.record.journal) == len(hosted.entries)
        assert all(e.cause == clock_pb2.STRIKE_CAUSE_OWN for e in hosted.entries)
        assert replay(record_from(hosted.record)).result is not None
        await here.until(lambda: all(bot.finished for bot in bots))
        for bot in bots:
            (finished,) = bot.finished.values()
            assert finished.outcome == hosted.record.outcome
        assert SHORT.bank_ms >= hosted.entries[-1].bank_ms > 0


async def test_a_later_match_of_a_series_begins_with_the_dealer_it_is_given() -> None:
    async with court() as here:
        await here.three()
        request = here.request(public_events=True)
        request.first_dealer, request.first_hundred = 2, 1
        hosted = await here.host(request)
        assert hosted.record is not None, hosted.details
        assert (hosted.record.first_dealer, hosted.record.first_hundred) == (2, 1)
        (begun,) = [event.deal_started for event in hosted.events if event.HasField("deal_started")][:1]
        assert (begun.dealer, begun.hundred) == (2, 1)
        record = record_from(hosted.record)
        assert replay(record).result == record.result
        request.first_dealer, request.match_id, request.fence = 3, "match-other", 2
        wrong = await here.host(request)
        assert wrong.code is grpc.StatusCode.INVALID_ARGUMENT
        assert "first_dealer" in wrong.details


async def test_the_tables_of_a_board_have_the_same_cards_and_no_bot_can_tell_by_its_seed() -> None:
    async with court() as here:
        bots = await here.three()
        records = []
        for table in (0, 1):
            request = here.request(match_id=f"match-table-{table}", ruleset=one_deal(PRESETS["tournament"]))
            request.table = table
            hosted = await here.host(request)
            assert hosted.record is not None, hosted.details
            records.append(record_from(hosted.record))
        assert [record.table for record in records] == [0, 1]
        assert records[0].seed == records[1].seed
        assert [replay(record).deal.deck for record in records] == [replay(records[0]).deal.deck] * 2
        for seat, bot in enumerate(bots):
            told = [started.bot_seed for started in bot.items("match_started")]
            assert told == [bot_seed(records[0].seed, seat, table) for table in (0, 1)]
            assert told[0] != told[1]


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


async def test_a_fault_of_ours_ends_one_match_only() -> None:
    async with court() as here:
        bots = await here.three(max_matches=2)
        bad, task = here.hosting(match_id="match-bad", block_id="bad", ruleset=short_rules(deals=50))
        await here.until(lambda: bad.entries)
        table = here.referee.services.hosts.by_match["match-bad"][0].table
        table.match.asked.clear()  # the next answer finds no count to add to
        good = await here.host(match_id="match-good", block_id="good")
        await task
        assert bad.code is grpc.StatusCode.INTERNAL
        assert "logged" in bad.details
        assert good.record is not None
        assert bots[0].finished["match-bad"].outcome.reason == result_pb2.END_REASON_ABORTED


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

"""Several matches over one call of HostMatches: each ends for itself, and they are told together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from referee.callers import Caller
from referee.limits import Limits
from tests.support.referees import LONG, SERVICE, Court, bot_token, court, short_rules
from thousand.record import replay
from thousand.v1 import match_pb2 as pb
from thousand.wire import record_from

METHOD = "/thousand.v1.MatchService/HostMatches"


class Call:
    """A call, and what it said by match."""

    def __init__(self, here: Court, token: str = SERVICE) -> None:
        method: Any = here.channel.stream_stream(METHOD, response_deserializer=pb.HostMatchesResponse.FromString)
        self.stream: Any = method(metadata=[("authorization", f"Bearer {token}")])
        self.entries: dict[str, int] = {}
        self.records: dict[str, Any] = {}
        self.refused: dict[str, pb.HostingRefusal] = {}
        self.together = 0  # messages that told of more than one match

    async def ask(self, request: pb.HostMatchRequest) -> None:
        """Ask for one more match."""
        await self.stream.write(pb.HostMatchesRequest(match=request).SerializeToString())

    async def read(self) -> grpc.StatusCode:
        """To its end; how it ended."""
        with suppress(grpc.aio.AioRpcError):
            await self._read()
        code: grpc.StatusCode = await self.stream.code()
        return code

    async def _read(self) -> None:
        async for message in self.stream:
            self.together += len({item.match_id for item in message.items}) > 1
            for item in message.items:
                if item.HasField("refused"):
                    self.refused[item.match_id] = item.refused
                elif item.said.HasField("record"):
                    self.records[item.match_id] = item.said.record
                else:
                    seqs = [entry.seq for entry in item.said.journal.entries]
                    first = self.entries.get(item.match_id, 0)
                    assert seqs == list(range(first, first + len(seqs))), "no entry is lost, none comes twice"
                    self.entries[item.match_id] = first + len(seqs)


async def test_matches_of_one_call_end_each_with_its_record() -> None:
    async with court() as here:
        await here.three(max_matches=4)
        call = Call(here)
        for number in range(3):
            await call.ask(here.request(match_id=f"match-{number}", seed=number, ruleset=short_rules(deals=3)))
        await call.ask(here.request(bots="abz", match_id="match-none", block_id="block-none"))
        await call.stream.done_writing()
        assert await asyncio.wait_for(call.read(), 20) is grpc.StatusCode.OK
        assert sorted(call.records) == ["match-0", "match-1", "match-2"]
        for match_id, record in call.records.items():
            assert len(record.journal) == call.entries[match_id]
            assert replay(record_from(record)).result is not None
        assert call.refused["match-none"].status == grpc.StatusCode.FAILED_PRECONDITION.value[0]
        assert "z" in call.refused["match-none"].message
        assert call.together, "what is ready goes together"
        assert not here.referee.services.hosts.by_match


async def test_a_match_that_is_taken_over_is_refused_alone() -> None:
    async with court() as here:
        await here.three(max_matches=4)
        call = Call(here)
        reading = asyncio.create_task(call.read())
        for name in ("mine", "yours"):
            request = here.request(match_id=name, block_id=f"block-{name}", ruleset=short_rules(deals=30), clocks=LONG)
            await call.ask(request)
        await here.until(lambda: len(call.entries) == 2)
        other, task = here.hosting(match_id="mine", block_id="block-mine", fence=2, ruleset=short_rules(deals=1))
        await here.until(lambda: "mine" in call.refused)
        assert call.refused["mine"].status == grpc.StatusCode.ABORTED.value[0]
        await call.stream.done_writing()
        assert await asyncio.wait_for(reading, 20) is grpc.StatusCode.OK
        assert list(call.records) == ["yours"]
        await task
        assert other.record is not None


async def test_a_caller_that_goes_away_drops_all_its_matches() -> None:
    async with court() as here:
        bots = await here.three(max_matches=4)
        call = Call(here)
        reading = asyncio.create_task(call.read())
        for number in range(2):
            await call.ask(here.request(match_id=f"match-{number}", ruleset=short_rules(deals=100), clocks=LONG))
        await here.until(lambda: len(call.entries) == 2)
        call.stream.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await here.until(lambda: not here.referee.services.hosts.by_match)
        await here.until(lambda: all(len(bot.finished) == 2 for bot in bots))


async def test_bytes_that_are_no_request_end_the_call_and_what_it_plays() -> None:
    async with court() as here:
        await here.three(max_matches=4)
        call = Call(here)
        await call.ask(here.request(ruleset=short_rules(deals=100), clocks=LONG))
        await call.stream.write(b"\xff\xff\xff")
        assert await asyncio.wait_for(call.read(), 10) is grpc.StatusCode.INVALID_ARGUMENT
        assert not here.referee.services.hosts.by_match


async def test_a_bots_token_hosts_nothing() -> None:
    async with court() as here:
        call = Call(here, token=bot_token("a"))
        assert await asyncio.wait_for(call.read(), 10) is grpc.StatusCode.PERMISSION_DENIED


async def test_who_asks_on_without_taking_refusals_is_cut_off() -> None:
    async with court(Limits(refusals=3)) as here:
        await here.three(max_matches=4)
        services = here.referee.services
        caller = Caller(services._open, services.hosts, services.limits)

        async def asked() -> AsyncIterator[bytes]:
            for number in range(5):
                request = here.request(bots="abz", match_id=f"match-{number}")
                yield pb.HostMatchesRequest(match=request).SerializeToString()

        await caller.read(asked())
        assert caller.fault is not None
        assert caller.fault.status is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert len(pb.HostMatchesResponse.FromString(caller.take()).items) == 3


async def test_a_fault_of_ours_at_the_opening_refuses_that_match_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    async with court() as here:
        await here.three(max_matches=4)
        find = here.referee.services.instances.find

        def fault(bot: str, *rest: Any) -> Any:
            if bot == "z":
                raise RuntimeError("broken")
            return find(bot, *rest)

        monkeypatch.setattr(here.referee.services, "instances", SimpleNamespace(find=fault, draining=False))
        services, wake = here.referee.services, asyncio.Event()
        caller = Caller(lambda request, _: services._open(request, wake), services.hosts, services.limits)
        caller._ask(pb.HostMatchesRequest(match=here.request(bots="abz", match_id="bad")).SerializeToString())
        assert caller.fault is None
        (item,) = pb.HostMatchesResponse.FromString(caller.take()).items
        assert item.refused.status == grpc.StatusCode.INTERNAL.value[0]
        assert not caller.over

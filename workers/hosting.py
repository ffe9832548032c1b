"""Plays the matches of one block on a referee: streams journals into the store, commits records, keeps the lease.

Law: nothing is decided here that the store has not accepted; whoever finds the lease gone stops at once.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import grpc

from thousand.channels import open_aio_channel
from thousand.rules import Ruleset
from thousand.rules.seeds import first_dealer
from thousand.v1 import match_pb2 as api
from thousand.v1 import record_pb2, result_pb2
from thousand.v1.clock_pb2 import StrikeCause
from thousand.v1.match_pb2_grpc import MatchServiceStub
from thousand.wire import clocks_to, ruleset_to
from workers.hosted import Hosted
from workers.model import Block, Lease, MatchEnd, MatchReport, Tournament
from workers.rounds import seeds_of
from workers.store import Committed, Store

log = logging.getLogger("workers.hosting")
RENEW_S: Final = 3.0
LOOK_S: Final = 0.5
BACKOFF_S: Final = (0.1, 0.2, 0.4, 0.8, 1.6)  # between tries of a referee that is away; then the block is seated anew
_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
)


class Ending(StrEnum):
    """How playing a block ended, most telling first."""

    LOST = "lost"  # somebody newer plays it: touch nothing
    ABSENT = "absent"  # a bot is not there
    UNREACHABLE = "unreachable"  # the referee is not there, or stopped
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`absent`: bot ids that never came, as far as the referee named them. `hosted`: a referee was reached."""

    ending: Ending
    absent: tuple[str, ...] = ()
    hosted: bool = False


class LeaseLost(Exception):
    """Somebody newer plays this block."""


class Hosting:
    """One block on one referee. The channel lives inside `run`, so in the forked job only."""

    def __init__(
        self, store: Store, tournament: Tournament, block: Block, lease: Lease, claimant: str, token: str, address: str
    ) -> None:
        self._store = store
        self._tournament = tournament
        self._block = block
        self._lease = lease
        self._claimant = claimant
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._address = address
        self._seed_of = seeds_of(store, tournament, block)
        self._hosted = False
        self._absent: set[str] = set()

    async def run(self) -> Outcome:
        """Play what is left of the block, as many matches at once as its least bot has places."""
        keeping = asyncio.create_task(self._keep_lease())
        playing = asyncio.create_task(self._play_all())
        try:
            await asyncio.wait({keeping, playing}, return_when=asyncio.FIRST_COMPLETED)
            if keeping.done():
                keeping.result()
            ending = playing.result() if playing.done() else Ending.LOST
        except LeaseLost:
            ending = Ending.LOST
        finally:
            for task in (keeping, playing):
                task.cancel()
            await asyncio.gather(keeping, playing, return_exceptions=True)
        return Outcome(ending, tuple(sorted(self._absent)), self._hosted)

    async def _keep_lease(self) -> None:
        """Renew until cancelled. Returns when the process is orphaned: the block is handed back, not half played."""
        parent = os.getppid()
        due = time.monotonic() + RENEW_S
        while os.getppid() == parent:
            await asyncio.sleep(LOOK_S)
            if time.monotonic() >= due:
                if not self._store.blocks.claim(self._block.block_id, self._lease.fence, self._claimant):
                    raise LeaseLost
                due = time.monotonic() + RENEW_S
        log.warning("block %s: the worker is gone, its job stops", self._block.block_id)

    async def _play_all(self) -> Ending:
        left = asyncio.Queue[int]()
        for number, planned in enumerate(self._block.matches):
            if self._store.blocks.report(planned.match_id) is None:
                left.put_nowait(number)
        async with open_aio_channel(self._address, _OPTIONS) as channel:
            hosted = Hosted(MatchServiceStub(channel), self._metadata)
            at_once = max(1, self._lease.places) * self._block.matches_per_place
            lanes = [asyncio.create_task(self._lane(hosted, left)) for _ in range(at_once)]
            try:
                endings = await asyncio.gather(*lanes)
            finally:
                for lane in lanes:
                    lane.cancel()
                await asyncio.gather(*lanes, return_exceptions=True)
                await hosted.close()
        return next(e for e in Ending if e in endings)

    async def _lane(self, hosted: Hosted, left: "asyncio.Queue[int]") -> Ending:
        while not left.empty():
            ending = await self._match(hosted, left.get_nowait())
            if ending is not Ending.DONE:
                return ending
        return Ending.DONE

    async def _match(self, hosted: Hosted, number: int) -> Ending:
        for wait in (*BACKOFF_S, None):
            try:
                return await self._host(hosted, number)
            except grpc.aio.AioRpcError as error:
                ending = _ending_of(error)
                log.warning("match %s: %s %s", self._block.matches[number].match_id, error.code(), error.details())
                if ending is not Ending.UNREACHABLE or wait is None:
                    return ending
                await asyncio.sleep(wait)
        return Ending.UNREACHABLE

    async def _host(self, hosted: Hosted, number: int) -> Ending:
        match_id = self._block.matches[number].match_id
        request = self._request(number)
        stored = len(request.journal)
        async for response in hosted.play(request):
            self._hosted = True
            kind = response.WhichOneof("item")
            if kind == "journal":
                entries = [e.SerializeToString(deterministic=True) for e in response.journal.entries]
                self._journal(match_id, stored, entries)
                stored += len(entries)
            elif kind == "record":
                return self._commit(number, response.record)
        return Ending.UNREACHABLE

    def _journal(self, match_id: str, first: int, entries: list[bytes]) -> None:
        blocks = self._store.blocks
        if entries and not blocks.append_journal(self._block.block_id, self._lease.fence, match_id, first, entries):
            raise LeaseLost

    def _request(self, number: int) -> api.HostMatchRequest:
        planned = self._block.matches[number]
        t, board = self._tournament, self._block.board
        entries = [record_pb2.JournalEntry.FromString(raw) for raw in self._store.blocks.journal(planned.match_id)]
        return api.HostMatchRequest(
            match_id=planned.match_id,
            block_id=self._block.block_id,
            fence=self._lease.fence,
            ruleset=ruleset_to(Ruleset.from_dict(t.ruleset)),
            preset=t.preset,
            seed=self._seed_of(number),
            table=number if board else 0,
            seats=[
                api.SeatAssignment(
                    bot_id=self._block.players[i].bot_id,
                    version=self._block.players[i].version,
                    instance_id=self._lease.instances[i],
                )
                for i in planned.order
            ],
            clocks=clocks_to(t.clocks),
            journal=entries,
        )

    def _commit(self, number: int, record: record_pb2.MatchRecord) -> Ending:
        reason = record.outcome.reason
        if reason == result_pb2.END_REASON_NO_SHOW:
            conduct = zip(self._block.seats(number), record.outcome.conduct, strict=False)
            self._absent.update(player.bot_id for player, c in conduct if c.no_show)
            return Ending.ABSENT
        if reason != result_pb2.END_REASON_FINISHED:
            return Ending.UNREACHABLE
        report = report_of(self._block, number, record)
        raw = record.SerializeToString(deterministic=True)
        if self._store.blocks.commit(self._block.block_id, self._lease.fence, report, raw) is Committed.FENCED:
            raise LeaseLost
        return Ending.DONE


def report_of(block: Block, number: int, record: record_pb2.MatchRecord) -> MatchReport:
    """What the ledger keeps of a record."""
    outcome = record.outcome
    prefix = "STRIKE_CAUSE_"
    strikes = tuple(
        {StrikeCause.Name(s.cause).removeprefix(prefix).lower(): s.count for s in c.strikes if s.count}
        for c in outcome.conduct
    )
    return MatchReport(
        match_id=block.matches[number].match_id,
        seats=block.seats(number),
        end=MatchEnd.PLAYED,
        ranking=tuple(outcome.ranking),
        scores=tuple(outcome.scores),
        deals=outcome.deals,
        decisions=len(record.journal),
        strikes=strikes or ({},) * len(outcome.ranking),
        faulty=tuple(seat for seat, c in enumerate(outcome.conduct) if c.forfeited),
        first_dealer=_first_dealer(record, len(outcome.ranking)),
    )


def _first_dealer(record: record_pb2.MatchRecord, players: int) -> int:
    return record.first_dealer if record.HasField("first_dealer") else first_dealer(record.seed, players)


def _ending_of(error: grpc.aio.AioRpcError) -> Ending:
    code = error.code()
    if code is grpc.StatusCode.FAILED_PRECONDITION:
        return Ending.ABSENT
    if code is grpc.StatusCode.ABORTED:
        return Ending.LOST
    return Ending.UNREACHABLE


def run_block(make: Callable[[], Hosting]) -> Outcome:
    """Run a Hosting in an event loop of its own."""
    with suppress(asyncio.CancelledError):
        return asyncio.run(make().run())
    return Outcome(Ending.LOST)

"""A small arena for tests: bots present at a referee, tournaments, and a referee that decides matches by their seed."""

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from thousand.rules import preset
from thousand.v1 import match_pb2 as api
from thousand.v1 import record_pb2, result_pb2
from thousand.v1.match_pb2_grpc import MatchServiceServicer, add_MatchServiceServicer_to_server
from workers import jobs
from workers.create import create_tournament
from workers.model import Block, Entrant, Instance, MatchEnd, MatchReport, Player, Referee, RefereePresence, Tournament
from workers.scheduler import Scheduler
from workers.store import Store

LIFE_MS = 600_000


class ListQueue:
    """A queue in memory: the jobs, oldest first."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, int]] = []

    def enqueue(self, block_id: str, fence: int) -> str:
        self.jobs.append((block_id, fence))
        return f"{block_id}_f{fence}"

    def waiting(self) -> set[str]:
        return {f"{block_id}_f{fence}" for block_id, fence in self.jobs}


def entrants(count: int) -> tuple[Entrant, ...]:
    """`count` bots: b0, b1, …"""
    return tuple(Entrant(Player(f"b{i}")) for i in range(count))


def tournament(store: Store, count: int = 3, **changes: Any) -> Tournament:
    """A running round robin."""
    values: dict[str, Any] = {
        "tournament_id": "t1", "name": "Test", "format": "round_robin", "seats": 3, "preset": "tournament",
        "ruleset": preset("tournament").to_dict(), "entrants": entrants(count), "commitment": "",
    }  # fmt: skip
    made = create_tournament(store, Tournament(**{**values, **changes}))
    store.tournaments.start(made.tournament_id)
    return made


def present(store: Store, bots: int, *, places: int = 1, service: str = "127.0.0.1:1", referee: str = "r1") -> None:
    """b0 … at one referee."""
    store.presence.register_referee(Referee(referee, service, "127.0.0.1:2"), LIFE_MS)
    instances = tuple(Instance(Player(f"b{i}"), f"i{i}", places) for i in range(bots))
    store.presence.present(RefereePresence(referee, instances), LIFE_MS)


def result(block: Block, number: int, decisions: int = 9) -> MatchReport:
    """A result that depends on the match's place alone."""
    digest = hashlib.sha256(f"{block.index}/{number}".encode()).digest()
    return report(block, number, [digest[i] * 5 for i in range(len(block.players))], decisions)


def report(block: Block, number: int, scores: list[int], decisions: int = 9) -> MatchReport:
    """A played match with these scores by seat."""
    ranking = tuple(1 + sum(other > mine for other in scores) for mine in scores)
    seats = block.seats(number)
    return MatchReport(
        block.matches[number].match_id, seats, MatchEnd.PLAYED, ranking, tuple(scores), 4, decisions, ({},) * len(seats)
    )


class Refused(Exception):
    """A match that is not played."""

    def __init__(self, status: grpc.StatusCode) -> None:
        super().__init__(status)
        self.status = status


class DiceReferee(MatchServiceServicer):
    """Plays no cards: places follow from the seed. Has a real referee's manners about fences, journals and places."""

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.fences: dict[str, int] = {}
        self.open: dict[str, int] = {}
        self.most_open: dict[str, int] = {}
        self.most_at_once = 0
        self.requests: list[api.HostMatchRequest] = []
        self.resumed_from: list[int] = []
        self.hosted = 0
        self.fail: list[grpc.StatusCode] = []
        self.no_show: set[str] = set()

    async def HostMatches(  # noqa: N802 - gRPC's name
        self, request_iterator: AsyncIterator[api.HostMatchesRequest], context: Any
    ) -> AsyncIterator[api.HostMatchesResponse]:
        ready: asyncio.Queue[api.HostedItem] = asyncio.Queue()
        tasks = []

        async def one(request: api.HostMatchRequest) -> None:
            try:
                async for said in self._host(request):
                    await ready.put(api.HostedItem(match_id=request.match_id, said=said))
            except Refused as refused:
                refusal = api.HostingRefusal(status=refused.status.value[0], message="as told")
                await ready.put(api.HostedItem(match_id=request.match_id, refused=refusal))

        async def read() -> None:
            async for request in request_iterator:
                tasks.append(asyncio.create_task(one(request.match)))  # noqa: PERF401 - none is made beforehand

        tasks.append(asyncio.create_task(read()))
        try:
            while True:
                yield api.HostMatchesResponse(items=[await ready.get()])
        finally:
            for task in tasks:
                task.cancel()

    async def HostMatch(  # noqa: N802 - gRPC's name
        self, request: Any, context: Any
    ) -> AsyncIterator[api.HostMatchResponse]:
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "workers call HostMatches")
        yield api.HostMatchResponse()  # never: it makes this a stream

    async def _host(self, request: api.HostMatchRequest) -> AsyncIterator[api.HostMatchResponse]:
        if self.fail:
            raise Refused(self.fail.pop(0))
        if request.fence < self.fences.get(request.block_id, 0):
            raise Refused(grpc.StatusCode.ABORTED)
        self.fences[request.block_id] = request.fence
        self.hosted += 1
        self.requests.append(request)
        self.resumed_from.append(len(request.journal))
        bots = [s.bot_id for s in request.seats]
        for bot in bots:
            self.open[bot] = self.open.get(bot, 0) + 1
            self.most_open[bot] = max(self.most_open.get(bot, 0), self.open[bot])
        self.most_at_once = max(self.most_at_once, sum(self.open.values()) // len(bots))
        try:
            async for response in self._play(request):
                yield response
        finally:
            for bot in bots:
                self.open[bot] -= 1

    async def Attend(  # noqa: N802 - gRPC's name
        self, request_iterator: Any, context: Any
    ) -> AsyncIterator[api.AttendResponse]:
        await context.abort(grpc.StatusCode.UNIMPLEMENTED, "presence is put into the store by `present`")
        yield api.AttendResponse()  # never: it makes this a stream

    async def _play(self, request: api.HostMatchRequest) -> AsyncIterator[api.HostMatchResponse]:
        absent = [s.bot_id in self.no_show for s in request.seats]
        if any(absent):
            conduct = [result_pb2.Conduct(no_show=a) for a in absent]
            outcome = result_pb2.MatchOutcome(reason=result_pb2.END_REASON_NO_SHOW, conduct=conduct)
            yield api.HostMatchResponse(record=record_pb2.MatchRecord(match_id=request.match_id, outcome=outcome))
            return
        journal = list(request.journal)
        for seq in range(len(journal), 9):
            entry = record_pb2.JournalEntry(seq=seq, seat=seq % 3)
            journal.append(entry)
            yield api.HostMatchResponse(journal=api.JournalBatch(entries=[entry]))
            await asyncio.sleep(self.delay / 9)
        scores = [request.seed[i] * 5 for i in range(len(request.seats))]
        outcome = result_pb2.MatchOutcome(
            reason=result_pb2.END_REASON_FINISHED,
            scores=scores,
            ranking=[1 + sum(o > s for o in scores) for s in scores],
            deals=4,
            conduct=[result_pb2.Conduct() for _ in scores],
        )
        record = record_pb2.MatchRecord(match_id=request.match_id, journal=journal, outcome=outcome, seed=request.seed)
        yield api.HostMatchResponse(record=record)


@contextmanager
def serving(referee: DiceReferee, port: int = 0) -> Iterator[str]:
    """The referee on a port, in a thread of its own; its address."""
    loop = asyncio.new_event_loop()
    bound: list[int] = []
    started, stop = threading.Event(), asyncio.Event()

    async def run() -> None:
        server = grpc.aio.server()
        add_MatchServiceServicer_to_server(referee, server)
        bound.append(server.add_insecure_port(f"127.0.0.1:{port}"))
        await server.start()
        started.set()
        await stop.wait()
        await server.stop(0)

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    started.wait(10)
    try:
        yield f"127.0.0.1:{bound[0]}"
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()


def play_queued(queue: ListQueue) -> None:
    """What workers would do, in this process, one job after the other."""
    while queue.jobs:
        jobs.play_block(*queue.jobs.pop(0))


def play_out(store: Store, scheduler: Scheduler, queue: ListQueue, tournament_id: str = "t1", ticks: int = 100) -> None:
    """Tick and play until the tournament has ended."""
    from workers.model import TournamentState

    for _ in range(ticks):
        scheduler.tick()
        play_queued(queue)
        if store.tournaments.state(tournament_id) is not TournamentState.RUNNING:
            return
    raise AssertionError("the tournament does not end")

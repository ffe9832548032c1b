"""A match followed live: the public events in order, no hidden card before its end, and nobody held up by watchers."""

import asyncio
import json
from dataclasses import dataclass, replace

import grpc
import pytest
from grpc import StatusCode
from typer.testing import CliRunner

from tests.arena.conftest import Refused, Running
from thousand.bots import HOUSE_BOTS
from thousand.cli import app, spectate
from thousand.record import MatchRecord
from thousand.rules import (
    PRESETS,
    apply,
    opened,
    public,
)
from thousand.rules.events import (
    Event,
    TrickWon,
)
from thousand.simulator import play_match
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as pb
from thousand.v1 import watch_pb2
from thousand.wire import event_from
from thousand.wire.records import entry_to, record_to
from workers.arena import watching
from workers.arena.app import Arena, Settings
from workers.codec import to_json
from workers.ending import finish
from workers.model import (
    Block,
    Instance,
    MatchEnd,
    MatchReport,
    Player,
    Referee,
    RefereePresence,
)
from workers.rounds import seeds_of
from workers.scheduler import Scheduler
from workers.store import Store, keys

BOTS = ("counter", "cautious", "random")


@dataclass
class Table:
    """A match of the arena, played here as a worker would store it."""

    store: Store
    block: Block
    fence: int
    match_id: str
    record: MatchRecord
    stored: int = 0

    def play(self, entries: int) -> None:
        """So many more entries are in the journal."""
        batch = self.record.journal[self.stored : self.stored + entries]
        raw = [entry_to(self.stored + i, e).SerializeToString(deterministic=True) for i, e in enumerate(batch)]
        assert self.store.blocks.append_journal(self.block.block_id, self.fence, self.match_id, self.stored, raw)
        self.stored += len(raw)

    def end(self) -> None:
        """Commit its record."""
        result = self.record.result
        assert result is not None
        report = MatchReport(
            self.match_id, self.block.seats(0), MatchEnd.PLAYED, result.ranking, result.scores, result.deals
        )
        message = record_to(self.record).SerializeToString(deterministic=True)
        self.store.blocks.commit(self.block.block_id, self.fence, report, message)

    def told(self) -> list[Event]:
        """The public events of the whole match."""
        match, events = opened(self.record.ruleset, self.record.seed)
        seen = [*events]
        for entry in self.record.journal:
            seen += apply(match, entry.action, entry.seat)
        return [told for event in seen if (told := public(event)) is not None]


def here(arena: Running) -> None:
    """The bots are at a referee."""
    instances = tuple(Instance(Player(f"house-{name}"), f"i-{name}") for name in BOTS)
    arena.store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"), 60_000)
    arena.store.presence.present(RefereePresence("r1", instances), 60_000)


async def seated(arena: Running) -> None:
    """Until a tick has enqueued a block."""
    async with asyncio.timeout(30):
        while not arena.queue.jobs:  # noqa: ASYNC110 - the tick does it
            await asyncio.sleep(0.01)


async def table(arena: Running, *, board: bool = False) -> Table:
    """A match that a worker has just begun."""
    here(arena)
    made = await arena.stub.CreateMatch(api.CreateMatchRequest(bots=BOTS, public_seed=3), metadata=arena.organiser)
    await seated(arena)
    block_id, fence = arena.queue.jobs.pop()
    block = arena.store.blocks.get(block_id)
    assert block is not None
    if board:
        block = replace(block, board=True)
        arena.store.connection.client.hset(keys.block(block_id), "spec", to_json(block))
    assert arena.store.blocks.claim(block_id, fence, "worker", 60_000)
    tournament = arena.store.tournaments.get(block.tournament_id)
    assert tournament is not None
    seed = seeds_of(arena.store, tournament, block)(0)
    record = play_match([HOUSE_BOTS[name]() for name in BOTS], PRESETS["tournament"], seed, names=BOTS)
    return Table(arena.store, block, fence, made.match.match_id, record)


class Watcher:
    """Somebody who watches, in the background."""

    def __init__(self, arena: Running, match_id: str, told: int = 0) -> None:
        request = watch_pb2.WatchMatchRequest(match_id=match_id, from_event=told)
        self.call = arena.stub.WatchMatch(request)
        self.answers: list[watch_pb2.WatchMatchResponse] = []
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        async for answer in self.call:
            self.answers.append(answer)

    @property
    def events(self) -> list[Event]:
        """What it was told so far."""
        return [event_from(event) for answer in self.answers for event in answer.events]

    async def let_in(self) -> bool:
        """Whether it was let in: it has its first answer, or was refused for too many that watch."""
        async with asyncio.timeout(30):
            while not (self.answers or self.task.done()):  # noqa: ASYNC110 - a real stream
                await asyncio.sleep(0.01)
        if not self.answers:
            assert isinstance(refusal := self.task.exception(), grpc.aio.AioRpcError)
            assert refusal.code() is StatusCode.RESOURCE_EXHAUSTED
        return bool(self.answers)

    async def until(self, count: int) -> None:
        """Until it was told so many events."""
        async with asyncio.timeout(30):
            while len(self.events) < count:  # noqa: ASYNC110 - a real stream
                await asyncio.sleep(0.01)

    async def over(self) -> watch_pb2.WatchMatchResponse:
        """The last answer."""
        await asyncio.wait_for(self.task, 30)
        return self.answers[-1]


async def test_a_watcher_is_told_every_public_event_in_order_as_it_happens(arena: Running) -> None:
    played = await table(arena)
    early = Watcher(arena, played.match_id)
    played.play(20)
    await early.until(20)
    assert early.answers[0].match.state == pb.MATCH_STATE_RUNNING
    assert [seat.bot_name for seat in early.answers[0].match.seats] == list(BOTS)
    late = Watcher(arena, played.match_id)
    played.play(len(played.record.journal) // 2)
    await late.until(len(early.events))
    assert not any(answer.record_open or answer.match.HasField("outcome") for answer in early.answers)
    played.play(10_000)
    played.end()
    again = Watcher(arena, played.match_id, told=len(early.events))
    for watcher in (early, late, again):
        last = await watcher.over()
        assert last.match.state == pb.MATCH_STATE_FINISHED
        assert tuple(last.match.outcome.scores) == played.record.result.scores  # type: ignore[union-attr]
        assert (last.record_open, last.next_event) == (True, len(played.told()))
    assert early.events == late.events == played.told()
    assert 0 < len(again.events) < len(played.told())
    assert again.events == played.told()[len(played.told()) - len(again.events) :]


async def test_a_journal_that_is_gone_is_told_from_the_record(arena: Running) -> None:
    played = await table(arena)
    watcher = Watcher(arena, played.match_id)
    played.play(7)
    await watcher.until(7)
    played.stored = len(played.record.journal)
    played.end()  # the journal's rest was never seen
    await watcher.over()
    assert watcher.events == played.told()
    after = Watcher(arena, played.match_id)
    last = await after.over()
    assert (last.record_open, last.match.state) == (True, pb.MATCH_STATE_FINISHED)
    assert len(after.answers) == -(-len(played.told()) // watching.EVENTS)
    assert after.events == played.told()


async def test_a_match_goes_on_after_a_break_without_a_gap(arena: Running) -> None:
    played = await table(arena)
    watcher = Watcher(arena, played.match_id)
    played.play(30)
    await watcher.until(30)
    assert arena.store.blocks.hand_back(played.block.block_id, played.fence)  # its referee was killed
    await seated(arena)
    _, played.fence = arena.queue.jobs.pop()
    assert arena.store.blocks.claim(played.block.block_id, played.fence, "another")
    played.play(10_000)
    played.end()
    await watcher.over()
    assert watcher.events == played.told()


async def test_who_reads_slowly_holds_up_nobody_and_misses_nothing(arena: Running) -> None:
    played = await table(arena)
    request = watch_pb2.WatchMatchRequest(match_id=played.match_id)
    slow = arena.stub.WatchMatch(request)
    first = await slow.read()
    assert isinstance(first, watch_pb2.WatchMatchResponse)
    quick = [Watcher(arena, played.match_id) for _ in range(10)]
    while played.stored < len(played.record.journal):
        played.play(5)
        await asyncio.sleep(0.001)
    played.end()
    for watcher in quick:
        await watcher.over()
        assert watcher.events == played.told()
    events = [*first.events]
    while isinstance(answer := await slow.read(), watch_pb2.WatchMatchResponse):
        events += answer.events
    assert [event_from(event) for event in events] == played.told()


async def test_a_client_may_watch_so_much_at_once(arena: Running, refused: Refused) -> None:
    played = await table(arena)
    watchers = [Watcher(arena, played.match_id) for _ in range(64)]
    played.play(3)
    for watcher in watchers:
        await watcher.until(3)
    with refused(StatusCode.RESOURCE_EXHAUSTED):
        await arena.stub.WatchMatch(watch_pb2.WatchMatchRequest(match_id=played.match_id)).read()
    with refused(StatusCode.RESOURCE_EXHAUSTED):
        await arena.stub.WatchTournament(api.WatchTournamentRequest(tournament_id="any")).read()
    for watcher in watchers[:2]:
        watcher.call.cancel()
        await asyncio.gather(watcher.task, return_exceptions=True)
    again = Watcher(arena, played.match_id)
    while not await again.let_in():  # the arena hears a moment later that two have gone
        again = Watcher(arena, played.match_id)
    await again.until(3)
    for watcher in (*watchers, again):
        watcher.call.cancel()
    await asyncio.gather(*(watcher.task for watcher in (*watchers, again)), return_exceptions=True)


async def test_a_watch_ends_with_a_match_that_is_cancelled_or_was_never_played(arena: Running) -> None:
    cup = api.CreateTournamentRequest(
        name="cup", format=pb.TOURNAMENT_FORMAT_ROUND_ROBIN, bots=["counter", "greedy", "random"]
    )
    made = (await arena.stub.CreateTournament(cup, metadata=arena.organiser)).tournament
    listed = await arena.stub.ListMatches(api.ListMatchesRequest(tournament_id=made.tournament_id))
    watcher = Watcher(arena, listed.matches[0].match_id)
    assert await watcher.let_in()
    assert watcher.answers[0].match.state == pb.MATCH_STATE_WAITING
    request = api.CancelTournamentRequest(tournament_id=made.tournament_id)
    await arena.stub.CancelTournament(request, metadata=arena.organiser)
    last = await watcher.over()
    assert (last.match.state, last.record_open, watcher.events) == (pb.MATCH_STATE_CANCELLED, False, [])


async def test_an_unknown_match_is_not_found_and_a_stop_says_watch_again(arena: Running, refused: Refused) -> None:
    with refused(StatusCode.NOT_FOUND):
        await arena.stub.WatchMatch(watch_pb2.WatchMatchRequest(match_id="none")).read()
    played = await table(arena)
    watcher = Watcher(arena, played.match_id)
    played.play(5)
    await watcher.until(5)
    await arena.app.stop()
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await watcher.task
    assert ended.value.code() is StatusCode.UNAVAILABLE


async def test_of_a_board_nothing_is_told_before_its_last_table_has_finished(arena: Running, refused: Refused) -> None:
    played = await table(arena, board=True)
    watcher = Watcher(arena, played.match_id)
    played.play(50)
    await asyncio.sleep(0.3)
    played.play(10_000)
    played.end()
    await asyncio.sleep(0.3)  # this table has finished, another has not
    assert (watcher.events, watcher.task.done()) == ([], False)
    assert all(answer.sealed and not answer.match.HasField("outcome") for answer in watcher.answers)
    with refused(StatusCode.FAILED_PRECONDITION):
        await arena.stub.GetMatchRecord(api.GetMatchRecordRequest(match_id=played.match_id))
    tournament = arena.store.tournaments.get(played.block.tournament_id)
    assert tournament is not None
    assert finish(arena.store, tournament, played.block, played.fence)
    last = await watcher.over()
    assert (last.sealed, last.record_open, last.match.state) == (False, True, pb.MATCH_STATE_FINISHED)
    assert watcher.events == played.told()


async def test_nobody_pays_while_nobody_watches(store: Store) -> None:
    watches = watching.Feeds(store, lambda match_id: pb.Match())
    running = asyncio.create_task(watches.run())
    before = store.connection.client.info("stats")["total_commands_processed"]
    await asyncio.sleep(5 * watching.LOOK_EVERY)
    assert store.connection.client.info("stats")["total_commands_processed"] - before == 1  # this very question
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


# the command


async def shown(arena: Running, *words: str) -> str:
    """What `thousand match watch …` prints."""
    done = await asyncio.to_thread(CliRunner().invoke, app, ["match", "watch", *words, "--server", arena.address])
    assert done.exit_code == 0, done.output
    return done.output


async def test_a_person_reads_the_match_as_it_is_played(arena: Running) -> None:
    played = await table(arena)
    reading = asyncio.create_task(shown(arena, played.match_id))
    while played.stored < len(played.record.journal):
        played.play(40)
        await asyncio.sleep(0.05)
    played.end()
    lines = (await reading).splitlines()
    assert lines[0] == f"{played.match_id}  running  tournament  unrated"
    assert lines[1:4] == [f"  seat {seat}  {name} v1" for seat, name in enumerate(BOTS)]
    tricks = [line for line in lines if " → " in line]
    assert len(tricks) == sum(isinstance(event, TrickWon) for event in played.told())
    assert all(line.count(" · ") == 2 for line in tricks)
    result = played.record.result
    assert result is not None
    assert sum(line.startswith("Score sheet, deal") for line in lines) == result.deals
    assert lines[-1] == f"All hands: thousand replay {played.match_id}"
    winner = result.ranking.index(1)
    assert f"  1. {BOTS[winner]}  {result.scores[winner]}" in lines


async def test_a_program_reads_an_event_a_line(arena: Running) -> None:
    played = await table(arena)
    played.play(10_000)
    played.end()
    lines = [json.loads(line) for line in (await shown(arena, played.match_id, "--json")).splitlines()]
    events = [line for line in lines if "event" in line]
    assert [event["number"] for event in events] == list(range(len(played.told())))
    assert (events[0]["event"], events[0]["deal_number"]) == ("deal_started", 1)
    assert lines[-1]["match"]["state"] == "finished"
    assert lines[-1]["record_open"] is True


async def test_a_watch_goes_on_where_it_was_when_the_arena_comes_back(
    arena: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectate, "PAUSE_S", 0.05)
    played = await table(arena)
    reading = asyncio.create_task(shown(arena, played.match_id, "--json"))
    played.play(20)
    await asyncio.sleep(0.5)
    await arena.app.stop()
    again = Arena(Settings(arena.data, "", arena.address), arena.store, Scheduler(arena.store, arena.queue))
    await again.start()
    played.play(10_000)
    played.end()
    lines = [json.loads(line) for line in (await reading).splitlines()]
    assert [line["number"] for line in lines if "event" in line] == list(range(len(played.told())))
    await again.stop()

"""Boards through ArenaService: what is told of a board while one of its tables still plays it."""

import asyncio

from grpc import StatusCode

from tests.arena.conftest import Refused, Running
from tests.support.matches import short_record
from tests.workers.arena import report
from thousand.rules import Ruleset, one_deal, preset
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as pb
from thousand.wire import ruleset_from
from thousand.wire.records import record_to
from workers.ending import finish
from workers.model import Block, Instance, Owner, Player, Referee, RefereePresence

HOUSE = ["random", "cautious", "greedy", "counter"]
GUESTS = ["ada", "bob"]


def seat_six(arena: Running) -> list[str]:
    """The house and two guests of two owners, all connected; their names."""
    for name in GUESTS:
        arena.store.people.create_owner(Owner(f"o-{name}", name))
        arena.store.people.create_bot(f"o-{name}", name, "", bot_id=f"b-{name}")
    ids = [f"house-{name}" for name in HOUSE] + [f"b-{name}" for name in GUESTS]
    arena.store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"))
    arena.store.presence.present(RefereePresence("r1", tuple(Instance(Player(i), f"i-{i}") for i in ids)))
    return HOUSE + GUESTS


async def begun(arena: Running) -> tuple[pb.Tournament, Block, int]:
    """A tournament of one board whose job is queued, the board, and its fence."""
    request = api.CreateTournamentRequest(
        name="boards", format=pb.TOURNAMENT_FORMAT_BOARDS, bots=seat_six(arena), options={"boards": "1"}
    )
    made = await arena.stub.CreateTournament(request, metadata=arena.organiser)
    while not arena.queue.jobs:  # noqa: ASYNC110 - the tick enqueues it
        await asyncio.sleep(0.01)
    ((block_id, fence),) = arena.queue.jobs
    block = arena.store.blocks.get(block_id)
    assert block is not None
    assert arena.store.blocks.claim(block_id, fence, "worker")
    return made.tournament, block, fence


def commit(arena: Running, block: Block, fence: int, number: int) -> None:
    """Table `number` has finished."""
    record = record_to(short_record("tournament", deals=1, bots=("random",) * 3))
    arena.store.blocks.commit(
        block.block_id, fence, report(block, number, [60, -20, 10 + number]), record.SerializeToString()
    )


async def test_nothing_of_a_board_is_told_before_its_last_table_has_finished(arena: Running, refused: Refused) -> None:
    made, block, fence = await begun(arena)
    first, second = (match.match_id for match in block.matches)
    listing = api.ListMatchesRequest(tournament_id=made.tournament_id)
    commit(arena, block, fence, 0)
    for match_id in (first, second):
        shown = (await arena.stub.GetMatch(api.GetMatchRequest(match_id=match_id))).match
        assert shown.state == pb.MATCH_STATE_RUNNING
        assert not shown.HasField("outcome")
        assert not shown.block_id
        with refused(StatusCode.FAILED_PRECONDITION) as told:
            await arena.stub.GetMatchRecord(api.GetMatchRecordRequest(match_id=match_id))
        assert "at every table" in (told.value.details() or "")
    assert not (await arena.stub.ListMatches(listing)).matches
    commit(arena, block, fence, 1)
    assert not (await arena.stub.ListMatches(listing)).matches
    tournament = arena.store.tournaments.get(made.tournament_id)
    assert tournament is not None
    assert finish(arena.store, tournament, block, fence)
    listed = (await arena.stub.ListMatches(listing)).matches
    assert [(match.match_id, match.state) for match in listed] == [
        (first, pb.MATCH_STATE_FINISHED), (second, pb.MATCH_STATE_FINISHED)
    ]  # fmt: skip
    assert {match.block_id for match in listed} == {block.block_id}
    assert (await arena.stub.GetMatchRecord(api.GetMatchRecordRequest(match_id=first))).record.journal


async def test_a_cancelled_board_is_no_secret_any_more(arena: Running) -> None:
    made, block, fence = await begun(arena)
    commit(arena, block, fence, 0)
    cancel = api.CancelTournamentRequest(tournament_id=made.tournament_id)
    await arena.stub.CancelTournament(cancel, metadata=arena.organiser)
    states = [
        (await arena.stub.GetMatch(api.GetMatchRequest(match_id=match.match_id))).match.state for match in block.matches
    ]
    assert states == [pb.MATCH_STATE_FINISHED, pb.MATCH_STATE_CANCELLED]


async def test_a_tournament_of_boards_tells_that_its_matches_have_one_deal(arena: Running) -> None:
    made, block, _ = await begun(arena)
    rules: Ruleset = ruleset_from(made.ruleset)
    assert (made.preset, made.format) == ("tournament", pb.TOURNAMENT_FORMAT_BOARDS)
    assert rules == one_deal(preset("tournament"))
    assert dict(made.options) == {"boards": "1"}
    assert len(block.matches) == 2


async def test_too_few_for_two_tables_are_refused(arena: Running, refused: Refused) -> None:
    bots = seat_six(arena)
    for changes, says in (
        ({"bots": bots[:5]}, "2 tables of 3: enter 6 bots or more, not 5"),
        ({"bots": bots, "allow_same_owner": True}, "never share a board"),
    ):
        fields = {"name": "b", "format": pb.TOURNAMENT_FORMAT_BOARDS} | changes
        with refused(StatusCode.FAILED_PRECONDITION) as told:
            await arena.stub.CreateTournament(
                api.CreateTournamentRequest(**fields),  # type: ignore[arg-type]
                metadata=arena.organiser,
            )
        assert says in (told.value.details() or "")

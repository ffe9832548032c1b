"""Comparisons through ArenaService: who may, what is refused, and what is known as boards come in."""

import asyncio
from typing import Any

from grpc import StatusCode

from tests.arena.conftest import Metadata, Refused, Running, bearer
from tests.workers.arena import report
from thousand.comparison import sequential_interval
from thousand.v1 import arena_pb2 as api
from thousand.v1 import comparison_pb2 as pb
from thousand.v1 import tournament_pb2 as kinds
from workers.ending import finish
from workers.model import Instance, Player, Referee, RefereePresence

HOUSE = ("random", "cautious", "greedy", "counter")


async def ada(arena: Running) -> Metadata:
    """An owner with the bots `mine` and `also-mine`, all connected."""
    made = await arena.stub.CreateOwner(api.CreateOwnerRequest(name="Ada"), metadata=arena.organiser)
    ids = [f"house-{name}" for name in HOUSE]
    for name in ("mine", "also-mine"):
        bot = await arena.stub.CreateBot(api.CreateBotRequest(name=name), metadata=bearer(made.api_key))
        ids.append(bot.bot.bot_id)
    arena.store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"))
    arena.store.presence.present(RefereePresence("r1", tuple(Instance(Player(i), f"i-{i}", 4) for i in ids)))
    return bearer(made.api_key)


def wanted(**changes: Any) -> pb.CreateComparisonRequest:
    """`mine` with `also-mine`: bots of one owner may be compared."""
    fields: dict[str, Any] = {"a": "mine", "b": "also-mine", "field": ["cautious", "greedy"], "max_boards": 3}
    return pb.CreateComparisonRequest(**fields | changes)


async def test_a_comparison_is_played_board_by_board_and_says_what_is_known(arena: Running) -> None:
    key = await ada(arena)
    made = (await arena.stub.CreateComparison(wanted(), metadata=key)).comparison
    assert (made.a.bot_name, made.b.bot_name, [bot.bot_name for bot in made.field]) == (
        "mine", "also-mine", ["cautious", "greedy"]
    )  # fmt: skip
    assert (made.state, made.boards, made.max_boards) == (kinds.TOURNAMENT_STATE_RUNNING, 0, 3)
    assert made.ruleset.max_deals == 1
    assert not made.HasField("half")
    tournament = arena.store.tournaments.get(made.comparison_id)
    assert tournament is not None
    ends = []
    for points in (30, 50, 10):
        while not arena.queue.jobs:  # noqa: ASYNC110 - the tick enqueues it
            await asyncio.sleep(0.01)
        block_id, fence = arena.queue.jobs.pop(0)
        block = arena.store.blocks.get(block_id)
        assert block is not None
        assert arena.store.blocks.claim(block_id, fence, "worker")
        for number in (0, 1):
            scores = [points if p.bot_id == made.a.bot_id else 0 for p in block.seats(number)]
            arena.store.blocks.commit(block_id, fence, report(block, number, scores), b"")
        assert finish(arena.store, tournament, block, fence)
        ends.append(points)
    request = pb.GetComparisonRequest(comparison_id=made.comparison_id)
    found = made
    while found.state == kinds.TOURNAMENT_STATE_RUNNING:
        await asyncio.sleep(0.05)  # the tick finishes it
        found = (await arena.stub.GetComparison(request)).comparison
    assert (found.state, found.boards, found.deals) == (kinds.TOURNAMENT_STATE_FINISHED, 3, 6)
    assert (found.difference, found.half) == sequential_interval([float(end) for end in ends])
    listed = await arena.stub.ListTournaments(api.ListTournamentsRequest())
    assert not listed.tournaments


async def test_who_may_compare_whom(arena: Running, refused: Refused) -> None:
    key = await ada(arena)
    other = bearer((await arena.stub.CreateOwner(api.CreateOwnerRequest(name="Bob"), metadata=arena.organiser)).api_key)
    for changes, who, code, says in (
        ({}, None, StatusCode.PERMISSION_DENIED, "API key"),
        ({}, other, StatusCode.PERMISSION_DENIED, "neither bot is yours"),
        ({"field": ["cautious", "also-mine"], "b": "greedy"}, key, StatusCode.PERMISSION_DENIED, "no house bot"),
        ({"b": "nobody"}, key, StatusCode.NOT_FOUND, "nobody"),
        ({"b": "mine"}, key, StatusCode.FAILED_PRECONDITION, "named twice"),
        ({"field": ["cautious"]}, key, StatusCode.FAILED_PRECONDITION, "field needs 2 house bots"),
        ({"preset": "poker"}, key, StatusCode.INVALID_ARGUMENT, "poker"),
        ({"max_boards": 10_001}, key, StatusCode.INVALID_ARGUMENT, "max_boards"),
        ({"precision": -1.0}, key, StatusCode.INVALID_ARGUMENT, "precision"),
        ({"precision": float("nan")}, key, StatusCode.INVALID_ARGUMENT, "precision"),
    ):
        with refused(code) as told:
            await arena.stub.CreateComparison(wanted(**changes), metadata=who)
        assert says in (told.value.details() or "")
    with refused(StatusCode.NOT_FOUND):
        await arena.stub.GetComparison(pb.GetComparisonRequest(comparison_id="none"))


async def test_bots_that_are_not_there_are_named(arena: Running, refused: Refused) -> None:
    key = await ada(arena)
    arena.store.presence.present(RefereePresence("r1", ()))
    with refused(StatusCode.FAILED_PRECONDITION) as told:
        await arena.stub.CreateComparison(wanted(), metadata=key)
    assert "'mine' version 1 is not connected" in (told.value.details() or "")


async def test_b38_the_same_key_makes_one_comparison_which_its_owner_may_stop(arena: Running, refused: Refused) -> None:
    key = await ada(arena)
    request = wanted(idempotency_key="k")
    found = await asyncio.gather(*(arena.stub.CreateComparison(request, metadata=key) for _ in range(3)))
    (made,) = {answer.comparison.comparison_id for answer in found}
    stop = pb.CancelComparisonRequest(comparison_id=made)
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.CancelComparison(stop)
    for _ in range(2):
        stopped = await arena.stub.CancelComparison(stop, metadata=key)
        assert stopped.comparison.state == kinds.TOURNAMENT_STATE_CANCELLED

"""Records over the wire: however long the match was, they come whole, a page at a time."""

import asyncio

from grpc import StatusCode

from tests.arena.conftest import Refused, Running
from tests.support.matches import short_record
from thousand.v1 import arena_pb2 as api
from thousand.v1.record_pb2 import MatchRecord as Message
from thousand.wire.records import record_to
from workers.model import Instance, MatchEnd, MatchReport, Player, Referee, RefereePresence

BOTS = ("counter", "cautious", "random")


async def played(arena: Running, record: Message) -> str:
    """A match of the arena that was played as this record says; its id."""
    instances = tuple(Instance(Player(f"house-{name}"), f"i-{name}") for name in BOTS)
    arena.store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"))
    arena.store.presence.present(RefereePresence("r1", instances))
    made = await arena.stub.CreateMatch(api.CreateMatchRequest(bots=BOTS), metadata=arena.organiser)
    while not arena.queue.jobs:  # noqa: ASYNC110 - the tick enqueues it
        await asyncio.sleep(0.01)
    ((block_id, fence),) = arena.queue.jobs
    block = arena.store.blocks.get(block_id)
    assert block is not None
    assert arena.store.blocks.claim(block_id, fence, "worker")
    report = MatchReport(made.match.match_id, block.seats(0), MatchEnd.PLAYED, (1, 2, 3), (3, 2, 1))
    arena.store.blocks.commit(block_id, fence, report, record.SerializeToString())
    return made.match.match_id


async def fetched(arena: Running, match_id: str, page_size: int = 0) -> tuple[Message, int]:
    """The record, and in how many pages it came."""
    whole, pages, token = Message(), 0, ""
    while token or not pages:
        request = api.GetMatchRecordRequest(match_id=match_id, page_size=page_size, page_token=token)
        answer = await arena.stub.GetMatchRecord(request)
        whole.MergeFrom(answer.record)
        token, pages = answer.next_page_token, pages + 1
    return whole, pages


async def test_b62_the_record_of_three_hundred_deals_is_fetched_whole(arena: Running) -> None:
    record = record_to(short_record("tournament", deals=300, bots=("random",) * 3))
    assert record.outcome.deals == 300
    match_id = await played(arena, record)
    assert await fetched(arena, match_id) == (record, 1)
    assert await fetched(arena, match_id, page_size=1000) == (record, -(-len(record.journal) // 1000))


async def test_b62_a_record_beyond_four_mebibytes_is_fetched_in_pages(arena: Running) -> None:
    record = record_to(short_record("tournament"))
    entry = record.journal[0]
    record.journal.extend(entry for _ in range(600_000))
    assert len(record.SerializeToString()) > 4 << 20
    match_id = await played(arena, record)
    whole, pages = await fetched(arena, match_id)
    assert whole == record
    assert pages == 31


async def test_b62_a_page_that_would_be_too_long_is_refused(arena: Running, refused: Refused) -> None:
    match_id = await played(arena, record_to(short_record("tournament")))
    with refused(StatusCode.INVALID_ARGUMENT):
        await arena.stub.GetMatchRecord(api.GetMatchRecordRequest(match_id=match_id, page_size=20_001))

"""workers.arena.calls and what calls share: limits, retries at a limit, calls at once, pages."""

import asyncio

from grpc import StatusCode

from tests.arena.conftest import Refused, Running
from tests.arena.test_service import HOUSE, cup, seat
from thousand.v1 import arena_pb2 as api


async def test_matches_asked_for_at_once_are_all_planned(arena: Running) -> None:
    seat(arena, *HOUSE)
    request = api.CreateMatchRequest(bots=HOUSE[:3])
    made = await asyncio.gather(*(arena.stub.CreateMatch(request, metadata=arena.organiser) for _ in range(20)))
    assert len({answer.match.match_id for answer in made}) == 20
    for answer in made:
        found = await arena.stub.GetMatch(api.GetMatchRequest(match_id=answer.match.match_id))
        assert found.match.seats == answer.match.seats


async def test_a_tournament_is_planned_when_its_creation_is_answered(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    assert made.tournament.progress.matches_planned == 24


async def test_tournaments_come_in_pages(arena: Running) -> None:
    for name in ("one", "two", "three"):
        await arena.stub.CreateTournament(cup(name=name), metadata=arena.organiser)
    first = await arena.stub.ListTournaments(api.ListTournamentsRequest(page_size=2))
    rest = await arena.stub.ListTournaments(api.ListTournamentsRequest(page_size=2, page_token=first.next_page_token))
    assert [len(first.tournaments), len(rest.tournaments), rest.next_page_token] == [2, 1, ""]
    assert {one.name for one in [*first.tournaments, *rest.tournaments]} == {"one", "two", "three"}


async def test_huge_fields_are_refused_in_few_words(arena: Running, refused: Refused) -> None:
    huge = "ы" * 100_000
    many = [f"b{number}" for number in range(10_001)]
    for code, call in (
        (StatusCode.NOT_FOUND, arena.stub.GetBot(api.GetBotRequest(bot=huge))),
        (StatusCode.NOT_FOUND, arena.stub.GetTournament(api.GetTournamentRequest(tournament_id=huge))),
        (StatusCode.INVALID_ARGUMENT, arena.stub.CreateBot(api.CreateBotRequest(name=huge), metadata=arena.organiser)),
        (StatusCode.FAILED_PRECONDITION, arena.stub.CreateTournament(cup(bots=many), metadata=arena.organiser)),
    ):
        with refused(code) as told:
            await asyncio.wait_for(call, 5)
        assert len(told.value.details() or "") <= 1000

"""ArenaService over real gRPC and a real Redis: roles, names, tokens, idempotency keys, pages, tournaments."""

import asyncio
from typing import Any

import grpc
import jwt
import pytest
from grpc import StatusCode

from tests.arena.conftest import Metadata, Refused, Running, bearer
from thousand.rules import ruleset_from
from thousand.v1 import arena_pb2 as api
from thousand.v1 import bot_pb2, ruleset_pb2
from thousand.v1 import tournament_pb2 as pb
from thousand.v1.absence_pb2 import NO_SHOW_POLICY_LAST, NO_SHOW_POLICY_UNRATED, Absence
from thousand.wire import ruleset_to
from workers.model import Instance, Player, Referee, RefereePresence
from workers.seeds import commitment

DUMMY = ruleset_to(ruleset_from("intro-dummy", {"max_deals": 3}))
HOUSE = ["counter", "cautious", "greedy", "random"]


async def owner(arena: Running, name: str = "ada") -> Metadata:
    """A fresh owner's key."""
    made = await arena.stub.CreateOwner(api.CreateOwnerRequest(name=name), metadata=arena.organiser)
    return bearer(made.api_key)


async def test_roles_by_key(arena: Running, refused: Refused) -> None:
    ada = await owner(arena)
    who = [(await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=key)).role for key in ((), ada, arena.organiser)]
    assert who == [bot_pb2.ROLE_ANYONE, bot_pb2.ROLE_OWNER, bot_pb2.ROLE_ORGANISER]
    with refused(StatusCode.UNAUTHENTICATED):
        await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=bearer("tk_no"))
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.CreateOwner(api.CreateOwnerRequest(name="eve"), metadata=ada)
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.CreateBot(api.CreateBotRequest(name="nobody's"))


async def test_a_rotated_key_stops_at_once(arena: Running, refused: Refused) -> None:
    old = await owner(arena)
    new = await arena.stub.RotateOwnerKey(api.RotateOwnerKeyRequest(), metadata=old)
    assert (await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=bearer(new.api_key))).owner.name == "ada"
    with refused(StatusCode.UNAUTHENTICATED):
        await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=old)


async def test_api_keys_are_kept_as_hashes_only(arena: Running) -> None:
    made = await arena.stub.CreateOwner(api.CreateOwnerRequest(name="ada"), metadata=arena.organiser)
    client = arena.store.connection.client
    for name in client.keys("thousand:*"):
        if client.type(name) == b"hash":
            assert made.api_key.encode() not in b"".join(sum(client.hgetall(name).items(), ()))


async def test_a_bot_gets_a_token_that_referees_can_check(arena: Running) -> None:
    ada = await owner(arena)
    made = await arena.stub.CreateBot(api.CreateBotRequest(name="First", note="bids high"), metadata=ada)
    public = (arena.data / "public_key.pem").read_bytes()
    claims = jwt.decode(made.token.token, public, algorithms=["EdDSA"], audience="thousand-bot")
    assert (claims["bot"], claims["version"], claims["generation"]) == (made.bot.bot_id, 1, 0)
    newer = await arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="first"), metadata=ada)
    assert [v.version for v in newer.bot.versions] == [1, 2]
    assert newer.token.version == 2


async def test_a_bots_token_is_no_api_key(arena: Running, refused: Refused) -> None:
    made = await arena.stub.CreateBot(api.CreateBotRequest(name="First"), metadata=await owner(arena))
    with refused(StatusCode.UNAUTHENTICATED) as told:
        await arena.stub.WhoAmI(api.WhoAmIRequest(), metadata=bearer(made.token.token))
    assert "no API key" in (told.value.details() or "")
    referees = await arena.stub.ListReferees(api.ListRefereesRequest(), metadata=bearer(made.token.token))
    assert not referees.referees


async def test_tokens_are_rotated_and_revoked_by_generation(arena: Running) -> None:
    ada = await owner(arena)
    await arena.stub.CreateBot(api.CreateBotRequest(name="First"), metadata=ada)
    rotated = await arena.stub.RotateBotToken(api.RotateBotTokenRequest(bot="First"), metadata=ada)
    assert rotated.token.generation == 1
    revoked = await arena.stub.RevokeBotTokens(api.RevokeBotTokensRequest(bot="First"), metadata=ada)
    assert revoked.lowest_generation == 2
    again = await arena.stub.CreateBotToken(api.CreateBotTokenRequest(bot="First"), metadata=ada)
    assert again.token.generation == 2


async def test_someone_elses_bot_is_refused(arena: Running, refused: Refused) -> None:
    made = await arena.stub.CreateBot(api.CreateBotRequest(name="Hers"), metadata=await owner(arena))
    eve = await owner(arena, "eve")
    calls = (
        arena.stub.CreateBotToken(api.CreateBotTokenRequest(bot="Hers"), metadata=eve),
        arena.stub.RotateBotToken(api.RotateBotTokenRequest(bot=made.bot.bot_id), metadata=eve),
        arena.stub.RevokeBotTokens(api.RevokeBotTokensRequest(bot="Hers"), metadata=eve),
        arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="Hers"), metadata=eve),
        arena.stub.RetireBot(api.RetireBotRequest(bot="Hers", retired=True), metadata=eve),
        arena.stub.RotateOwnerKey(api.RotateOwnerKeyRequest(owner_id=made.bot.owner_id), metadata=eve),
    )
    for call in calls:
        with refused(StatusCode.PERMISSION_DENIED):
            await call
    kept = await arena.stub.GetBot(api.GetBotRequest(bot="Hers"))
    assert (kept.bot.lowest_generation, len(kept.bot.versions), kept.bot.retired) == (0, 1, False)


@pytest.mark.parametrize("name", ["Ünal", "Прикуп", "👨‍👩‍👧 bot", "a b", "a/b", "a%2Fb", "<script>", "Кубок 1"])
async def test_b67_b69_valid_names_come_back_as_written(arena: Running, name: str) -> None:
    ada = await owner(arena)
    made = await arena.stub.CreateBot(api.CreateBotRequest(name=name), metadata=ada)
    assert (await arena.stub.GetBot(api.GetBotRequest(bot=name))).bot.name == name
    assert made.bot.bot_id.replace("-", "").replace("_", "").isalnum()
    listed = await arena.stub.ListBots(api.ListBotsRequest(owner_id=made.bot.owner_id))
    assert [bot.name for bot in listed.bots] == [name]


@pytest.mark.parametrize("name", ["", "   ", "x" * 300, "right\u200fto left", "tab\there", "zero\x00"])
async def test_b67_bad_names_are_refused_with_a_reason(arena: Running, refused: Refused, name: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT) as told:
        await arena.stub.CreateBot(api.CreateBotRequest(name=name), metadata=arena.organiser)
    assert "bot name" in (told.value.details() or "")


async def test_b67_invalid_utf8_on_the_wire_spoils_nothing_for_others(arena: Running) -> None:
    async with grpc.aio.insecure_channel(arena.address) as channel:
        raw: Any = channel.unary_unary("/thousand.v1.ArenaService/CreateBot")
        with pytest.raises(grpc.aio.AioRpcError):
            await raw(b"\n\x02\xff\xfe", metadata=arena.organiser)
    listed = await arena.stub.ListBots(api.ListBotsRequest())
    assert sorted(bot.name for bot in listed.bots) == sorted(HOUSE)


async def test_names_are_unique_to_a_reader(arena: Running, refused: Refused) -> None:
    for taken in ("COUNTER", " counter ", "сounter"):
        with refused(StatusCode.ALREADY_EXISTS if "с" not in taken else StatusCode.INVALID_ARGUMENT):
            await arena.stub.CreateBot(api.CreateBotRequest(name=taken), metadata=arena.organiser)


async def test_b38_simultaneous_creates_with_one_key_make_one_thing(arena: Running) -> None:
    bots = await asyncio.gather(
        *(
            arena.stub.CreateBot(api.CreateBotRequest(name="Once", idempotency_key="k1"), metadata=arena.organiser)
            for _ in range(8)
        )
    )
    assert len({made.bot.bot_id for made in bots}) == 1
    request = api.CreateTournamentRequest(
        name="cup", format=pb.TOURNAMENT_FORMAT_ROUND_ROBIN, bots=HOUSE, idempotency_key="k2"
    )
    made = await asyncio.gather(*(arena.stub.CreateTournament(request, metadata=arena.organiser) for _ in range(8)))
    assert len({answer.tournament.tournament_id for answer in made}) == 1
    listed = await arena.stub.ListTournaments(api.ListTournamentsRequest())
    assert len(listed.tournaments) == 1
    versions = api.CreateBotVersionRequest(bot="Once", idempotency_key="k3")
    await asyncio.gather(*(arena.stub.CreateBotVersion(versions, metadata=arena.organiser) for _ in range(4)))
    assert len((await arena.stub.GetBot(api.GetBotRequest(bot="Once"))).bot.versions) == 2


async def test_pages(arena: Running, refused: Refused) -> None:
    seen: list[str] = []
    token = ""
    while True:
        answer = await arena.stub.ListBots(api.ListBotsRequest(page_size=3, page_token=token))
        seen += [bot.name for bot in answer.bots]
        token = answer.next_page_token
        if not token:
            break
    assert seen == sorted(HOUSE)
    for bad in (api.ListBotsRequest(page_size=501), api.ListBotsRequest(page_token="junk")):
        with refused(StatusCode.INVALID_ARGUMENT):
            await arena.stub.ListBots(bad)


def cup(**changes: object) -> api.CreateTournamentRequest:
    """A round robin of the house."""
    fields = {"name": "cup", "format": pb.TOURNAMENT_FORMAT_ROUND_ROBIN, "bots": HOUSE} | changes
    return api.CreateTournamentRequest(**fields)  # type: ignore[arg-type]


async def planned(arena: Running, tournament_id: str) -> pb.TournamentProgress:
    """Its progress once the tick has planned it."""
    async with asyncio.timeout(30):
        while True:
            shown = await arena.stub.GetTournament(api.GetTournamentRequest(tournament_id=tournament_id))
            if shown.tournament.progress.matches_planned:
                return shown.tournament.progress
            await asyncio.sleep(0.05)


async def test_a_tournament_commits_before_and_reveals_after(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    first = made.tournament
    assert first.state == pb.TOURNAMENT_STATE_RUNNING
    assert len(first.fairness.commitment) == 32
    assert not first.fairness.secret
    progress = await planned(arena, first.tournament_id)
    assert (progress.blocks, progress.matches_planned, progress.matches_waiting) == (4, 24, 24)
    cancelled = await arena.stub.CancelTournament(
        api.CancelTournamentRequest(tournament_id=first.tournament_id), metadata=arena.organiser
    )
    assert cancelled.tournament.state == pb.TOURNAMENT_STATE_CANCELLED
    assert commitment(cancelled.tournament.fairness.secret) == first.fairness.commitment.hex()
    await arena.stub.CancelTournament(
        api.CancelTournamentRequest(tournament_id=first.tournament_id), metadata=arena.organiser
    )


async def test_a_public_seed_is_marked(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(public_seed=7), metadata=arena.organiser)
    assert made.tournament.fairness.public_seed
    board = await arena.stub.GetLeaderboard(api.GetLeaderboardRequest(leaderboard_id=made.tournament.leaderboard_id))
    assert board.leaderboard.unverifiable


async def test_a_custom_ruleset_is_kept_and_shown(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(ruleset=DUMMY), metadata=arena.organiser)
    shown = await arena.stub.GetTournament(api.GetTournamentRequest(tournament_id=made.tournament.tournament_id))
    assert (shown.tournament.preset, shown.tournament.ruleset) == ("", DUMMY)
    seat(arena, *HOUSE)
    match = await arena.stub.CreateMatch(
        api.CreateMatchRequest(bots=HOUSE[:2], ruleset=DUMMY), metadata=arena.organiser
    )
    assert (match.match.preset, len(match.match.seats)) == ("", 2)


async def test_a_bot_plays_what_it_said_in_hello_and_no_custom_ruleset_then(arena: Running, refused: Refused) -> None:
    seat(arena, *HOUSE, presets=("headon",))
    for rules in ({"preset": "preferans-2"}, {"ruleset": DUMMY}):
        with refused(StatusCode.FAILED_PRECONDITION) as told:
            await arena.stub.CreateMatch(api.CreateMatchRequest(bots=HOUSE[:2], **rules), metadata=arena.organiser)
        assert "says it does not play" in (told.value.details() or "")
    await arena.stub.CreateMatch(api.CreateMatchRequest(bots=HOUSE[:2], preset="headon"), metadata=arena.organiser)


@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"bots": HOUSE[:2]}, StatusCode.FAILED_PRECONDITION, "seats 3"),
        ({"bots": [*HOUSE, "Counter"]}, StatusCode.FAILED_PRECONDITION, "twice"),
        ({"bots": [*HOUSE, "nobody"]}, StatusCode.NOT_FOUND, "nobody"),
        ({"format": 0}, StatusCode.INVALID_ARGUMENT, "round_robin"),
        ({"preset": "poker"}, StatusCode.INVALID_ARGUMENT, "poker"),
        ({"ruleset": ruleset_pb2.Ruleset()}, StatusCode.INVALID_ARGUMENT, "ruleset.two_player"),
        ({"ruleset": DUMMY, "preset": "intro-dummy"}, StatusCode.INVALID_ARGUMENT, "not both"),
        ({"ruleset": DUMMY, "bots": HOUSE[:1]}, StatusCode.FAILED_PRECONDITION, "seats 2"),
        ({"name": ""}, StatusCode.INVALID_ARGUMENT, "name"),
        ({"clock_factor": 100_000}, StatusCode.INVALID_ARGUMENT, "clock_factor"),
        ({"idempotency_key": "k" * 65}, StatusCode.INVALID_ARGUMENT, "idempotency_key"),
        ({"absence": Absence(no_show=7)}, StatusCode.INVALID_ARGUMENT, "absence.no_show: choose one of unrated, last"),  # type: ignore[arg-type]
        ({"absence": Absence(postponements=1001)}, StatusCode.INVALID_ARGUMENT, "absence.postponements: at most 1000"),
        ({"absence": Absence(postpone_ms=99)}, StatusCode.INVALID_ARGUMENT, "absence.postpone_ms: from 100"),
        ({"absence": Absence(postpone_ms=86_400_001)}, StatusCode.INVALID_ARGUMENT, "a day"),
    ],
)
async def test_b29_bad_tournaments_are_refused_at_creation(
    arena: Running, refused: Refused, changes: dict[str, object], code: StatusCode, says: str
) -> None:
    with refused(code) as told:
        await arena.stub.CreateTournament(cup(**changes), metadata=arena.organiser)
    assert says in (told.value.details() or "")
    assert not (await arena.stub.ListTournaments(api.ListTournamentsRequest())).tournaments


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (Absence(), Absence(no_show=NO_SHOW_POLICY_UNRATED, postponements=6, postpone_ms=5_000)),
        (
            Absence(no_show=NO_SHOW_POLICY_LAST, postponements=0, postpone_ms=100),
            Absence(no_show=NO_SHOW_POLICY_LAST, postponements=0, postpone_ms=100),
        ),
    ],
)
async def test_a_tournament_says_what_it_does_about_the_absent(arena: Running, asked: Absence, kept: Absence) -> None:
    made = await arena.stub.CreateTournament(cup(absence=asked), metadata=arena.organiser)
    assert made.tournament.absence == kept


async def test_bots_of_one_owner_do_not_meet(arena: Running, refused: Refused) -> None:
    ada = await owner(arena)
    for name in ("one", "two", "three"):
        await arena.stub.CreateBot(api.CreateBotRequest(name=name), metadata=ada)
    with refused(StatusCode.FAILED_PRECONDITION):
        await arena.stub.CreateTournament(cup(bots=["one", "two", "three"]), metadata=arena.organiser)
    await arena.stub.CreateTournament(
        cup(bots=["one", "two", "three"], allow_same_owner=True), metadata=arena.organiser
    )


async def test_only_organisers_run_tournaments(arena: Running, refused: Refused) -> None:
    ada = await owner(arena)
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.CreateTournament(cup(), metadata=ada)
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.CancelTournament(
            api.CancelTournamentRequest(tournament_id=made.tournament.tournament_id), metadata=ada
        )


async def test_a_watch_ends_with_the_tournament(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    told: list[pb.Tournament] = []
    begun = asyncio.Event()

    async def watch() -> None:
        request = api.WatchTournamentRequest(tournament_id=made.tournament.tournament_id)
        async for answer in arena.stub.WatchTournament(request):
            told.append(answer.tournament)
            begun.set()

    watching = asyncio.create_task(watch())
    await asyncio.wait_for(begun.wait(), 5)
    await arena.stub.CancelTournament(
        api.CancelTournamentRequest(tournament_id=made.tournament.tournament_id), metadata=arena.organiser
    )
    await asyncio.wait_for(watching, 5)
    assert told[-1].state == pb.TOURNAMENT_STATE_CANCELLED


def seat(arena: Running, *names: str, presets: tuple[str, ...] = ()) -> None:
    """Pretend that these house bots are connected to one referee."""
    instances = tuple(Instance(Player(f"house-{name}"), f"i-{name}", presets=presets) for name in names)
    arena.store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"))
    arena.store.presence.present(RefereePresence("r1", instances), 600_000)


async def test_a_match_is_planned_at_once_and_unrated(arena: Running, refused: Refused) -> None:
    request = api.CreateMatchRequest(bots=HOUSE[:3])
    with refused(StatusCode.FAILED_PRECONDITION) as told:
        await arena.stub.CreateMatch(request, metadata=arena.organiser)
    assert "not connected" in (told.value.details() or "")
    seat(arena, *HOUSE)
    made = await arena.stub.CreateMatch(request, metadata=arena.organiser)
    assert not made.match.rated
    assert [s.bot_name for s in made.match.seats] == HOUSE[:3]
    seen = await arena.stub.GetMatch(api.GetMatchRequest(match_id=made.match.match_id), wait_for_ready=True)
    assert seen.match.match_id == made.match.match_id
    with refused(StatusCode.FAILED_PRECONDITION):
        await arena.stub.GetMatchRecord(api.GetMatchRecordRequest(match_id=made.match.match_id))
    assert not (await arena.stub.ListTournaments(api.ListTournamentsRequest())).tournaments
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.CreateMatch(request, metadata=await owner(arena))


async def test_unknown_ids_are_not_found(arena: Running, refused: Refused) -> None:
    calls = (
        arena.stub.GetBot(api.GetBotRequest(bot="none")),
        arena.stub.GetTournament(api.GetTournamentRequest(tournament_id="none")),
        arena.stub.GetMatch(api.GetMatchRequest(match_id="none")),
        arena.stub.GetMatchRecord(api.GetMatchRecordRequest(match_id="none")),
        arena.stub.GetLeaderboard(api.GetLeaderboardRequest(leaderboard_id="none")),
        arena.stub.ListMatches(api.ListMatchesRequest(tournament_id="none")),
    )
    for call in calls:
        with refused(StatusCode.NOT_FOUND):
            await call


async def test_bots_presence_is_shown(arena: Running) -> None:
    seat(arena, "counter")
    found = await arena.stub.GetBot(api.GetBotRequest(bot="counter"))
    assert (found.bot.presence.instances, found.bot.presence.max_matches) == (1, 1)
    assert not (await arena.stub.GetBot(api.GetBotRequest(bot="greedy"))).bot.presence.instances


async def test_b27_starting_twice_plans_once(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    for _ in range(2):
        assert not arena.store.tournaments.start(made.tournament.tournament_id)
    await planned(arena, made.tournament.tournament_id)
    await asyncio.sleep(0.5)  # time for a second plan
    matches = await arena.stub.ListMatches(
        api.ListMatchesRequest(tournament_id=made.tournament.tournament_id, page_size=500)
    )
    assert len({match.match_id for match in matches.matches}) == len(matches.matches) == 24

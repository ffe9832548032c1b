"""Formats, their options, plans and rounds, through the arena and the command."""

import asyncio
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode
from typer.testing import CliRunner

from tests.arena.conftest import Refused, Running
from tests.arena.test_service import HOUSE, cup
from tests.workers.arena import LIFE_MS
from tests.workers.test_rounds import commit_queued, here
from thousand.cli import app
from thousand.cli.link import enum_word
from thousand.v1 import arena_pb2 as api
from thousand.v1 import entrants_pb2
from thousand.v1 import tournament_pb2 as pb
from workers.arena import encode
from workers.arena.house import house_bot_id
from workers.formats import BESIDE, FORMATS
from workers.model import Instance, Player, Referee, RefereePresence
from workers.scheduler import Scheduler

FOUR = [house_bot_id(name) for name in HOUSE]


def words(*command: str) -> tuple[int, str, str]:
    """A command in a process of its own: exit code, standard output, standard error."""
    line = [str(Path(sys.executable).with_name("thousand")), *command]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def asked(**fields: Any) -> api.PlanTournamentRequest:
    return api.PlanTournamentRequest(**({"format": pb.TOURNAMENT_FORMAT_BALANCED, "entrants": 9} | fields))


def test_every_format_has_its_word_in_the_protocol_and_back() -> None:
    offered = {enum_word(pb.TournamentFormat.DESCRIPTOR, n) for n in pb.TournamentFormat.values() if n}
    assert offered == set(encode.FORMATS) == set(FORMATS) - set(BESIDE)


async def test_a_plan_tells_numbers_before_anything_is_made(arena: Running) -> None:
    plan = (await arena.stub.PlanTournament(asked(entrants=100, seconds_per_match=3))).plan
    assert (plan.blocks, plan.matches, plan.rounds, plan.exact) == (1667, 10_002, 1, True)
    assert plan.min_per_pair >= 6
    assert plan.min_per_bot_and_seat * 3 == plan.min_per_bot == 300
    assert plan.estimated_seconds == 10_002 / 16 * 3
    assert not (await arena.stub.ListTournaments(api.ListTournamentsRequest())).tournaments


async def test_a_plan_for_bots_knows_their_owners(arena: Running) -> None:
    rule = entrants_pb2.EntrantRule(all=True)
    plan = (await arena.stub.PlanTournament(asked(entrants=0, rules=[rule]))).plan
    assert (plan.entrants, plan.blocks, plan.min_per_pair) == (4, 3, 6)
    named = (await arena.stub.PlanTournament(asked(entrants=0, bots=HOUSE, seats=4))).plan
    assert (named.entrants, named.blocks, named.matches) == (4, 1, 24)
    gauntlet = asked(entrants=0, bots=HOUSE, format=pb.TOURNAMENT_FORMAT_GAUNTLET, options={"candidate": HOUSE[2]})
    assert (await arena.stub.PlanTournament(gauntlet)).plan.blocks == 3


@pytest.mark.parametrize(
    ("fields", "code", "told"),
    [
        ({"format": 0}, StatusCode.INVALID_ARGUMENT, "format: choose one of"),
        ({"format": 99}, StatusCode.INVALID_ARGUMENT, "format: choose one of"),
        ({"seats": 5}, StatusCode.INVALID_ARGUMENT, "seats: a table has 2, 3 or 4, not 5"),
        ({"options": {"colour": "red"}}, StatusCode.INVALID_ARGUMENT, "'colour' is unknown here"),
        ({"format": 4, "options": {"rounds": "1.5"}}, StatusCode.INVALID_ARGUMENT, "rounds is '1.5'"),
        ({"format": 4, "options": {"rounds": "-1"}}, StatusCode.INVALID_ARGUMENT, "from 1 to 200"),
        ({"format": 5, "options": {"advance": "3"}}, StatusCode.INVALID_ARGUMENT, "fewer go on"),
        ({"entrants": 0}, StatusCode.FAILED_PRECONDITION, "name 3 bots at least"),
        ({"entrants": 2}, StatusCode.FAILED_PRECONDITION, "cannot fill a table of 3"),
        ({"entrants": 10_001}, StatusCode.FAILED_PRECONDITION, "more than 10,000"),
        ({"entrants": 4_000_000_000}, StatusCode.FAILED_PRECONDITION, "more than 10,000"),
        ({"entrants": 3, "bots": HOUSE}, StatusCode.INVALID_ARGUMENT, "not both"),
        ({"entrants": 0, "bots": ["nobody"]}, StatusCode.NOT_FOUND, "nobody"),
        ({"format": 1, "entrants": 1_000}, StatusCode.FAILED_PRECONDITION, "balanced or swiss"),
        ({"seconds_per_match": float("nan")}, StatusCode.INVALID_ARGUMENT, "above 0"),
        ({"seconds_per_match": 1e308}, StatusCode.INVALID_ARGUMENT, "at most 86,400"),
        ({"format": 2, "options": {"candidate": "x"}}, StatusCode.FAILED_PRECONDITION, "no entrant"),
    ],
)
async def test_what_cannot_be_planned_is_refused_in_words(
    arena: Running, refused: Refused, fields: dict[str, Any], code: StatusCode, told: str
) -> None:
    with refused(code) as error:
        await arena.stub.PlanTournament(asked(**fields))
    assert told in (error.value.details() or "")


@pytest.mark.parametrize(
    ("changes", "code", "told"),
    [
        ({"options": {"rounds": "3"}}, StatusCode.INVALID_ARGUMENT, "this format has none"),
        ({"format": 4, "options": {"rounds": "many"}}, StatusCode.INVALID_ARGUMENT, "rounds is 'many'"),
        ({"format": 2, "options": {"candidate": "nobody"}}, StatusCode.NOT_FOUND, "nobody"),
        ({"format": 77}, StatusCode.INVALID_ARGUMENT, "format: choose one of"),
        ({"format": 4, "bots": HOUSE[:2]}, StatusCode.FAILED_PRECONDITION, "3 bots at least"),
        ({"format": 5, "bots": [*HOUSE, HOUSE[0]]}, StatusCode.FAILED_PRECONDITION, "named twice"),
    ],
)
async def test_b29_a_format_that_cannot_be_is_refused_at_creation(
    arena: Running, refused: Refused, changes: dict[str, Any], code: StatusCode, told: str
) -> None:
    with refused(code) as error:
        await arena.stub.CreateTournament(cup(**changes), metadata=arena.organiser)
    assert told in (error.value.details() or "")
    assert not (await arena.stub.ListTournaments(api.ListTournamentsRequest())).tournaments


@pytest.mark.parametrize("name", sorted(set(encode.FORMATS) - {"boards"}))  # the house alone is too few for boards
async def test_b29_the_format_and_options_asked_for_are_those_told(arena: Running, name: str) -> None:
    options = {"gauntlet": {"candidate": HOUSE[1]}, "swiss": {"rounds": "2"}, "knockout": {"advance": "2"}}.get(
        name, {}
    )
    made = await arena.stub.CreateTournament(
        cup(format=encode.FORMATS[name], options=options), metadata=arena.organiser
    )
    assert made.tournament.format == encode.FORMATS[name]
    expected = options | ({"candidate": FOUR[1]} if name == "gauntlet" else {})
    assert dict(made.tournament.options) == expected


async def test_a_ladders_rounds_are_told_with_commitment_and_then_secret(arena: Running, refused: Refused) -> None:
    ladder = cup(format=pb.TOURNAMENT_FORMAT_LADDER, bots=[], entrants=[entrants_pb2.EntrantRule(all=True)])
    made = (await arena.stub.CreateTournament(ladder, metadata=arena.organiser)).tournament
    request = api.ListRoundsRequest(tournament_id=made.tournament_id)
    assert not (await arena.stub.ListRounds(request)).rounds  # nobody is connected
    arena.store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"))
    instances = tuple(Instance(Player(bot), f"i-{bot}") for bot in FOUR[:3])
    await asyncio.to_thread(arena.store.presence.present, RefereePresence("r1", instances), LIFE_MS)
    for _ in range(100):
        (*found,) = (await arena.stub.ListRounds(request)).rounds
        if found:
            break
        await asyncio.sleep(0.05)
    (opened,) = found
    assert (opened.number, opened.first_block, opened.blocks) == (1, 0, 1)
    assert {entrant.bot_id for entrant in opened.entrants} == set(FOUR[:3])
    assert len(opened.fairness.commitment) == 32
    assert not opened.fairness.secret
    await arena.stub.CancelTournament(
        api.CancelTournamentRequest(tournament_id=made.tournament_id), metadata=arena.organiser
    )
    (ended,) = (await arena.stub.ListRounds(request)).rounds
    assert hashlib.sha256(ended.fairness.secret).digest() == opened.fairness.commitment
    other = (await arena.stub.CreateTournament(cup(), metadata=arena.organiser)).tournament
    with refused(StatusCode.FAILED_PRECONDITION) as error:
        await arena.stub.ListRounds(api.ListRoundsRequest(tournament_id=other.tournament_id))
    assert "one secret" in (error.value.details() or "")
    with refused(StatusCode.NOT_FOUND):
        await arena.stub.ListRounds(api.ListRoundsRequest(tournament_id="none"))
    done = await asyncio.to_thread(
        CliRunner().invoke, app, ["tournament", "rounds", made.tournament_id, "--server", arena.address]
    )
    assert f"secret     {ended.fairness.secret.hex()}" in done.output


@pytest.mark.parametrize("name", ["swiss", "knockout"])
async def test_scores_are_told_after_whole_rounds(arena: Running, refused: Refused, name: str) -> None:
    house = cup(format=encode.FORMATS[name], options={"rounds": "3"} if name == "swiss" else {})
    made = (await arena.stub.CreateTournament(house, metadata=arena.organiser)).tournament
    request = api.ListTournamentScoresRequest(tournament_id=made.tournament_id)
    before = await arena.stub.ListTournamentScores(request)
    assert (before.rounds, [row.points for row in before.scores]) == (0, [0, 0, 0, 0])
    tournament = arena.store.tournaments.get(made.tournament_id)
    assert tournament is not None
    scheduler = Scheduler(arena.store, arena.queue)
    here(arena.store, *(Player(bot) for bot in FOUR))
    rounds = 3 if name == "swiss" else 2
    for number in range(1, rounds + 1):
        while arena.store.tournaments.place(made.tournament_id).front < number:
            await asyncio.to_thread(scheduler.tick)
            await asyncio.to_thread(commit_queued, arena.store, arena.queue, tournament)
            await asyncio.to_thread(arena.store.tournaments.settle, made.tournament_id)
        shown = await arena.stub.ListTournamentScores(request)
        assert shown.rounds == number
        assert sum(row.matches for row in shown.scores) == 18 * number  # one table of three a round
    assert len({row.entrant.bot_id for row in shown.scores}) == 4
    if name == "swiss":
        assert [row.points for row in shown.scores] == sorted((row.points for row in shown.scores), reverse=True)
        assert sum(row.points for row in shown.scores) == 3 * (6 * 3 + 6)  # tables, and byes worth half of one
        assert sum(row.byes for row in shown.scores) == 3
    else:
        assert [row.still_in for row in shown.scores] == [True, False, False, False]
    line = ["tournament", "scores", made.tournament_id, "--server", arena.address]
    done = await asyncio.to_thread(CliRunner().invoke, app, line)
    assert done.output.startswith(f"after {rounds} rounds\n   1  {shown.scores[0].entrant.bot_name}")
    other = (await arena.stub.CreateTournament(cup(), metadata=arena.organiser)).tournament
    with refused(StatusCode.FAILED_PRECONDITION) as error:
        await arena.stub.ListTournamentScores(api.ListTournamentScoresRequest(tournament_id=other.tournament_id))
    assert "leaderboard" in (error.value.details() or "")


# the command


def test_the_command_plans_without_an_arena() -> None:
    code, out, err = words("tournament", "plan", "--format", "balanced", "--entrants", "100", "--seats", "3", "--json")
    assert (code, err) == (0, "")
    plan = json.loads(out)
    assert plan["blocks"] <= 1_800
    assert {"matches", "min_per_pair", "max_per_pair", "min_per_bot", "max_per_bot_and_seat"} <= set(plan)
    assert plan["matches"] == 6 * plan["blocks"]


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("--entrants 2", 1, "2 entrants cannot fill a table of 3"),
        ("--entrants 9 --option rounds=2", 2, "'rounds' is unknown here: this format has none"),
        ("--entrants 9 --option rounds", 2, "write NAME=VALUE"),
        ("--entrants 9 --format poker", 2, "choose of round_robin"),
        ("--entrants 9 --entrants 8", 2, "write one number"),
        ("--entrants ²", 2, "'²' is no rule"),
        ("--entrants 9 --match-seconds 1e308", 2, "at most 86,400"),
        ("--entrants 9 --bots a,b,c", 2, "not both"),
        ("", 2, "say how many bots"),
        ("--bots a,b,c --server 127.0.0.1:1", 3, "no arena answers"),
        ("--entrants 9 --server 127.0.0.1:1", 3, "no arena answers"),
    ],
)
def test_the_command_refuses_in_one_line(command: str, code: int, told: str) -> None:
    done = CliRunner().invoke(app, ["tournament", "plan", *command.split()])
    assert done.exit_code == code
    assert told in done.output
    assert done.output.count("\n") == 1


async def test_the_command_tells_the_arenas_plan(arena: Running) -> None:
    line = ["tournament", "plan", "--entrants", "all", "--format", "swiss", "-o", "rounds=2", "--server", arena.address]
    done = await asyncio.to_thread(CliRunner().invoke, app, line)
    assert done.exit_code == 0, done.output
    assert "swiss: 4 bots at tables of 3, rounds 2" in done.output
    assert "2 rounds: 2 blocks, 12 matches" in done.output

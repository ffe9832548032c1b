"""Schedules and entrants by rule, as an organiser has them: over real gRPC and a real Redis."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from grpc import StatusCode
from typer.testing import CliRunner

from tests.arena.conftest import Refused, Running
from tests.arena.test_service import HOUSE, cup, owner
from tests.workers.arena import ListQueue
from thousand.cli import app
from thousand.rules import preset
from thousand.v1 import arena_pb2 as api
from thousand.v1 import schedule_pb2 as pb
from thousand.v1 import tournament_pb2
from thousand.v1.entrants_pb2 import EntrantRule, TopOf
from workers.arena.app import Arena, Settings
from workers.model import EntrantRule as Rule
from workers.model import Player, RuleKind, Tournament
from workers.scheduled import Missed, Overlap, ScheduledTournament
from workers.scheduler import Scheduler
from workers.standings import Projection, Standing
from workers.store import Store
from workers.timetable import next_due_ms, time_of


def described(**changes: object) -> api.CreateTournamentRequest:
    """What each run is: all bots, named by date."""
    return cup(**{"name": "Friday cup {date}", "entrants": [EntrantRule(all=True)], "bots": [], **changes})


def friday(tournament: api.CreateTournamentRequest | None = None, **changes: Any) -> api.CreateScheduleRequest:
    """Fridays at 20:00 in Warsaw."""
    fields: dict[str, Any] = {
        "cron": "0 20 * * FRI",
        "tz": "Europe/Warsaw",
        "tournament": tournament or described(),
    } | changes
    return api.CreateScheduleRequest(**fields)


async def test_a_schedule_is_made_shown_paused_resumed_and_removed(arena: Running, refused: Refused) -> None:
    stub, organiser = arena.stub, arena.organiser
    request = friday(overlap=pb.OVERLAPPING_RUNS_QUEUE)
    made = (await stub.CreateSchedule(request, metadata=organiser)).schedule
    assert (made.cron, made.tz, made.paused) == ("0 20 * * FRI", "Europe/Warsaw", False)
    assert (made.missed, made.overlap) == (pb.MISSED_RUNS_RUN_ONCE, pb.OVERLAPPING_RUNS_QUEUE)
    assert (made.tournament.name, made.tournament.preset) == ("Friday cup {date}", "tournament")
    assert made.tournament.format == tournament_pb2.TOURNAMENT_FORMAT_ROUND_ROBIN
    assert list(made.entrants) == [EntrantRule(all=True)]
    assert [at.ToDatetime().weekday() for at in made.next_due] == [4] * 5
    named = api.GetScheduleRequest(schedule_id=made.schedule_id)
    listed = await stub.ListSchedules(api.ListSchedulesRequest())
    assert list(listed.schedules) == [made] == [(await stub.GetSchedule(named)).schedule]
    pause = api.PauseScheduleRequest(schedule_id=made.schedule_id, paused=True)
    for _ in range(2):
        paused = (await stub.PauseSchedule(pause, metadata=organiser)).schedule
        assert (paused.paused, list(paused.next_due)) == (True, [])
    resume = api.PauseScheduleRequest(schedule_id=made.schedule_id)
    assert (await stub.PauseSchedule(resume, metadata=organiser)).schedule.next_due
    assert not (await stub.ListScheduleRuns(api.ListScheduleRunsRequest(schedule_id=made.schedule_id))).runs
    await stub.DeleteSchedule(api.DeleteScheduleRequest(schedule_id=made.schedule_id), metadata=organiser)
    for call in (stub.GetSchedule(named), stub.DeleteSchedule(
        api.DeleteScheduleRequest(schedule_id=made.schedule_id), metadata=organiser
    )):  # fmt: skip
        with refused(StatusCode.NOT_FOUND):
            await call


async def test_schedules_are_for_organisers(arena: Running, refused: Refused) -> None:
    ada = await owner(arena)
    made = (await arena.stub.CreateSchedule(friday(), metadata=arena.organiser)).schedule.schedule_id
    for call in (
        arena.stub.CreateSchedule(friday(), metadata=ada),
        arena.stub.PauseSchedule(api.PauseScheduleRequest(schedule_id=made, paused=True), metadata=ada),
        arena.stub.DeleteSchedule(api.DeleteScheduleRequest(schedule_id=made), metadata=ada),
    ):
        with refused(StatusCode.PERMISSION_DENIED):
            await call


async def test_b38_schedules_asked_for_at_once_with_one_key_are_one(arena: Running) -> None:
    request = friday(idempotency_key="k")
    made = await asyncio.gather(*(arena.stub.CreateSchedule(request, metadata=arena.organiser) for _ in range(8)))
    assert len({answer.schedule.schedule_id for answer in made}) == 1
    assert len((await arena.stub.ListSchedules(api.ListSchedulesRequest())).schedules) == 1


@pytest.mark.parametrize(
    ("request_", "code", "says"),
    [
        (friday(cron="0 20 * *"), StatusCode.INVALID_ARGUMENT, "cron: "),
        (friday(cron="0 0 30 2 *"), StatusCode.INVALID_ARGUMENT, "never comes due"),
        (friday(tz="Europe/Warszawa"), StatusCode.INVALID_ARGUMENT, "tz: "),
        (friday(missed=7), StatusCode.INVALID_ARGUMENT, "missed: 7"),
        (friday(described(format=0)), StatusCode.INVALID_ARGUMENT, "round_robin"),
        (friday(described(preset="poker")), StatusCode.INVALID_ARGUMENT, "poker"),
        (friday(described(name="cup {day}")), StatusCode.INVALID_ARGUMENT, "{day} is unknown"),
        (friday(described(name="x" * 31 + "{date}")), StatusCode.INVALID_ARGUMENT, "tournament.name"),
        (friday(described(name="")), StatusCode.INVALID_ARGUMENT, "tournament.name"),
        (friday(described(idempotency_key="k")), StatusCode.INVALID_ARGUMENT, "idempotency_key"),
        (friday(described(entrants=[])), StatusCode.INVALID_ARGUMENT, "say who enters"),
        (friday(described(entrants=[EntrantRule()])), StatusCode.INVALID_ARGUMENT, "entrants"),
        (friday(described(entrants=[EntrantRule(tag="")])), StatusCode.INVALID_ARGUMENT, "entrants.tag"),
        (friday(described(bots=["counter"], entrants=[])), StatusCode.FAILED_PRECONDITION, "seats 3"),
        (friday(described(bots=["nobody"])), StatusCode.NOT_FOUND, "nobody"),
        (
            friday(described(entrants=[EntrantRule(top=TopOf(count=8, leaderboard_id="none"))])),
            StatusCode.NOT_FOUND,
            "leaderboard 'none'",
        ),
        (api.CreateScheduleRequest(cron="0 20 * * FRI"), StatusCode.INVALID_ARGUMENT, "tournament: "),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_b29_a_schedule_that_cannot_work_is_refused_at_creation(
    arena: Running, refused: Refused, request_: api.CreateScheduleRequest, code: StatusCode, says: str
) -> None:
    with refused(code) as told:
        await arena.stub.CreateSchedule(request_, metadata=arena.organiser)
    assert says in (told.value.details() or "")
    assert not (await arena.stub.ListSchedules(api.ListSchedulesRequest())).schedules


async def test_a_leaderboard_that_every_arena_comes_to_have_may_be_named_before(arena: Running) -> None:
    rule = EntrantRule(top=TopOf(count=8, leaderboard_id="all"))
    await arena.stub.CreateSchedule(friday(described(entrants=[rule])), metadata=arena.organiser)


async def test_a_due_run_is_opened_and_told(arena: Running) -> None:
    minute = (time_of(arena.store.now_ms()).minute - 5) % 60
    made = (await arena.stub.CreateSchedule(friday(cron=f"{minute} * * * *"), metadata=arena.organiser)).schedule
    state = arena.store.schedules.state(made.schedule_id)
    long_ago = state.settled_ms - 90 * 60_000  # as if made so long ago that two runs came due
    assert arena.store.schedules.judge(made.schedule_id, state.settled_ms, long_ago, 0)
    request = api.ListScheduleRunsRequest(schedule_id=made.schedule_id)
    runs: Sequence[pb.ScheduleRun] = ()
    for _ in range(100):
        runs = (await arena.stub.ListScheduleRuns(request)).runs
        if len(runs) == 2:
            break
        await asyncio.sleep(0.05)
    assert [run.verdict for run in runs] == [pb.RUN_VERDICT_OPENED, pb.RUN_VERDICT_DROPPED]
    opened = await arena.stub.GetTournament(api.GetTournamentRequest(tournament_id=runs[0].tournament_id))
    assert opened.tournament.state == tournament_pb2.TOURNAMENT_STATE_RUNNING
    assert sorted(entrant.bot_name for entrant in opened.tournament.entrants) == sorted(HOUSE)
    assert (await arena.stub.GetSchedule(
        api.GetScheduleRequest(schedule_id=made.schedule_id)
    )).schedule.last_tournament_id == runs[0].tournament_id  # fmt: skip


def names(tournament: tournament_pb2.Tournament) -> list[str]:
    """Entrants in their order."""
    return [entrant.bot_name for entrant in tournament.entrants]


async def entered(arena: Running, *rules: EntrantRule, bots: list[str] | None = None) -> list[str]:
    """Who enters a tournament created so."""
    request = cup(bots=bots or [], entrants=rules)
    return names((await arena.stub.CreateTournament(request, metadata=arena.organiser)).tournament)


async def test_entrants_by_rule(arena: Running) -> None:
    people = arena.store.people
    people.create_bot("organiser", "cheap", bot_id="cheap")
    people.retire("cheap")
    for bot in ("house-counter", "house-greedy", "house-random"):
        people.tag(bot, ("strong", "fast"))
    assert await entered(arena, EntrantRule(all=True)) == sorted(HOUSE)
    assert await entered(arena, EntrantRule(tag="fast")) == ["counter", "greedy", "random"]
    assert await entered(arena, EntrantRule(name="C*"), EntrantRule(name="rand?m")) == ["cautious", "counter", "random"]
    assert await entered(arena, EntrantRule(all=True), bots=["random"]) == ["random", "cautious", "counter", "greedy"]


async def test_the_top_of_a_leaderboard_enters_best_first_with_the_current_version(arena: Running) -> None:
    await entered(arena, EntrantRule(all=True))  # makes the leaderboard `all`
    arena.store.people.add_version("house-random")
    board = arena.store.leaderboards.get("all")
    assert board is not None
    rows = [("house-greedy", 1, 40.0), ("house-random", 1, 35.0), ("house-counter", 1, 30.0), ("house-random", 2, 20.0)]
    rows += [("house-cautious", 1, 10.0), ("gone", 1, 50.0)]
    standings = {Player(bot, v).key: Standing(Player(bot, v), mu, 1.0) for bot, v, mu in rows}
    assert arena.store.leaderboards.project(board, 0, 0, Projection(0, standings))
    request = cup(bots=[], entrants=[EntrantRule(top=TopOf(count=3, leaderboard_id="all"))])
    made = (await arena.stub.CreateTournament(request, metadata=arena.organiser)).tournament
    assert [(e.bot_name, e.version) for e in made.entrants] == [("greedy", 1), ("random", 2), ("counter", 1)]


@pytest.mark.parametrize(
    ("rule", "code", "says"),
    [
        (EntrantRule(tag="none"), StatusCode.FAILED_PRECONDITION, "tag:none"),
        (EntrantRule(name="[c]*"), StatusCode.FAILED_PRECONDITION, "name:[c]*"),
        (EntrantRule(name="c*"), StatusCode.FAILED_PRECONDITION, "seats 3"),
        (EntrantRule(top=TopOf(count=3, leaderboard_id="x")), StatusCode.NOT_FOUND, "leaderboard 'x'"),
        (EntrantRule(top=TopOf(leaderboard_id="all")), StatusCode.INVALID_ARGUMENT, "entrants.top.count"),
        (EntrantRule(all=False), StatusCode.INVALID_ARGUMENT, "entrants"),
    ],
)
async def test_rules_that_let_nobody_in_are_refused(
    arena: Running, refused: Refused, rule: EntrantRule, code: StatusCode, says: str
) -> None:
    with refused(code) as told:
        await entered(arena, rule)
    assert says in (told.value.details() or "")


async def test_a_key_gives_the_first_answer_though_the_world_has_changed(arena: Running) -> None:
    request = cup(idempotency_key="k")
    first = await arena.stub.CreateTournament(request, metadata=arena.organiser)
    arena.store.people.retire("house-counter")
    again = await arena.stub.CreateTournament(request, metadata=arena.organiser)
    assert again.tournament.tournament_id == first.tournament.tournament_id


async def told(arena: Running, *words: str, code: int = 0) -> Any:
    """What the command prints as JSON."""
    key = arena.organiser[0][1].removeprefix("Bearer ")
    command = [*words, "--server", arena.address, "--key", key, "--json"]
    done = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert done.exit_code == code, done.output
    return json.loads(done.output) if code == 0 else done.output


async def test_the_command_makes_shows_pauses_and_removes(arena: Running) -> None:
    words = ("--cron", "0 20 * * FRI", "--tz", "Europe/Warsaw", "--name", "Friday cup {date}")
    more = ("--entrants", "top:8@all", "--entrants", "name:c*", "--bots", "greedy", "--overlap", "queue")
    made = await told(arena, "tournament", "schedule", *words, *more)
    assert (made["cron"], made["overlap"], made["missed"]) == ("0 20 * * FRI", "queue", "run_once")
    assert next(rule for rule in made["entrants"] if rule["top"])["top"] == {"count": 8, "leaderboard_id": "all"}
    identity = made["schedule_id"]
    (listed,) = (await told(arena, "tournament", "schedule", "list"))["schedules"]
    assert listed["schedule_id"] == identity
    assert (await told(arena, "tournament", "schedule", "pause", identity))["paused"]
    assert len((await told(arena, "tournament", "schedule", "resume", identity))["next_due"]) == 5
    assert (await told(arena, "tournament", "schedule", "show", identity))["runs"] == []
    await told(arena, "tournament", "schedule", "remove", identity)
    assert "there is no schedule" in await told(arena, "tournament", "schedule", "show", identity, code=1)
    for wrong, says in (
        (("--cron", "x", "--name", "y", "--bots", "greedy,counter,random"), "cron: 'x' is no five-field rule"),
        (("--cron", "0 0 * * *", "--name", "y", "--entrants", "best"), "'best' is no rule"),
        (("--cron", "0 0 * * *", "--name", "y"), "say who enters"),
        (("--cron", "0 0 * * *", "--bots", "greedy"), "--name"),
        ((), "--cron"),
        (("Friday cup", "--cron", "0 0 * * *"), "named with --name"),
        (("--cron", "0 0 * * *", "list"), "--cron stands before list"),
        (("--json", "list"), "--json stands before list"),
    ):
        assert says in await told(arena, "tournament", "schedule", *wrong, code=2)


@pytest.mark.parametrize("missed", [Missed.RUN_ONCE, Missed.SKIP])
async def test_an_arena_that_was_stopped_over_due_times_settles_them_at_its_start(
    store: Store, tmp_path: Path, missed: Missed
) -> None:
    def arena() -> Arena:
        return Arena(Settings(tmp_path, "", "127.0.0.1:0"), store, Scheduler(store, ListQueue()))

    first = arena()
    await first.start()
    await first.stop()
    template = Tournament(
        "", "cup {number}", "round_robin", 3, "tournament", dict(preset("tournament").to_dict()), (), ""
    )
    long_ago = store.now_ms() - 3 * 3600_000
    rules, cron = (Rule(RuleKind.ALL),), f"{(time_of(long_ago).minute + 30) % 60} * * * *"  # the last half an hour ago
    kept = ScheduledTournament("s1", cron, "UTC", missed, Overlap.SKIP, template, rules, long_ago)
    store.schedules.create(kept, next_due_ms(kept, long_ago))
    second = arena()
    await second.start()
    for _ in range(100):
        if len(runs := store.schedules.runs("s1")) == 3:
            break
        await asyncio.sleep(0.05)
    await second.stop()
    assert [run.opened for run in runs] == [missed is Missed.RUN_ONCE, False, False]
    assert len(store.tournaments.ids()) == int(missed is Missed.RUN_ONCE)
    assert "missed while no arena was running" in runs[0].reason

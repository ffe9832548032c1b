"""`thousand tournament schedule …`: tournaments that open by themselves."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from google.protobuf.timestamp_pb2 import Timestamp
from typer.core import TyperGroup

from thousand.cli.absence import NoShow, Postpone, Postponements, absence_wanted
from thousand.cli.common import Failure, print_json
from thousand.cli.entrants import Bots, Entrants, rule_text
from thousand.cli.link import (
    DEFAULT_SERVER,
    AsJson,
    Key,
    PublicSeed,
    RulesetFile,
    Server,
    Times,
    arena,
    enum_word,
    fresh_key,
    plain,
)
from thousand.cli.tournament import Format, FormatOptions, Preset, SameOwner, tournament_request
from thousand.cli.tournament import app as tournaments
from thousand.v1 import arena_pb2 as api
from thousand.v1 import schedule_pb2 as pb


class _Group(TyperGroup):
    """Tells who writes the name as for `tournament create` where it goes here."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words call."""
        if args and args[0] not in self.commands:
            raise Failure(
                f"there is no {args[0]!r} here: {', '.join(self.commands)}; a new schedule is named with --name"
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=_Group, invoke_without_command=True)
RUNS_SHOWN = 20


def mount(root: typer.Typer) -> None:
    """Add `thousand tournament schedule …`; that `tournament` is mounted is seen to by its own module."""
    tournaments.add_typer(app, name="schedule")


class Missed(StrEnum):
    """See schedule.proto."""

    RUN_ONCE = "run_once"
    SKIP = "skip"


class Overlap(StrEnum):
    """See schedule.proto."""

    SKIP = "skip"
    QUEUE = "queue"
    OVERLAP = "overlap"


Id = Annotated[str, typer.Argument(metavar="ID", help="The schedule's id.")]


@app.callback(
    epilog="Example: thousand tournament schedule --cron '0 20 * * FRI' --tz Europe/Warsaw "
    "--name 'Friday cup {date}' --entrants all"
)
def create(
    context: typer.Context,
    cron: Annotated[
        str, typer.Option(help="When: minute, hour, day, month, day of the week, e.g. '0 20 * * FRI'.")
    ] = "",
    tz: Annotated[str, typer.Option(help="The time zone of --cron, an IANA name.")] = "UTC",
    name: Annotated[
        str, typer.Option(help="Of each run: {date}, {time} and {number} stand for those of the run.")
    ] = "",
    bots: Bots = "",
    entrants: Entrants = [],  # noqa: B006 - typer copies it
    format_: Format = "round_robin",
    option: FormatOptions = None,
    preset: Preset = "",
    ruleset: RulesetFile = None,
    clocks: Times = 1,
    seed: PublicSeed = None,
    same_owner: SameOwner = False,
    no_show: NoShow = "unrated",
    postponements: Postponements = None,
    postpone: Postpone = None,
    missed: Annotated[
        Missed, typer.Option(help="Runs that came due while no arena was running: run the latest once, or skip them.")
    ] = Missed.RUN_ONCE,
    overlap: Annotated[
        Overlap, typer.Option(help="A run that is due while the last is still going: skip it, queue it, or overlap.")
    ] = Overlap.SKIP,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Have a tournament open by itself whenever it is due; its entrants are found out then. For organisers."""
    if context.invoked_subcommand is not None:
        flags = {param.name or "": param.opts[0] for param in context.command.params}
        given = [name for name in flags if str(context.get_parameter_source(name)).endswith("COMMANDLINE")]
        if given:
            raise Failure(
                f"{flags[given[0]]} stands before {context.invoked_subcommand}: write options of that after it"
            )
        return
    if not cron:
        raise Failure("say when with --cron, e.g. '0 20 * * FRI'; or: schedule list, show, pause, resume, remove")
    if not name:
        raise Failure("name the runs with --name, e.g. 'Friday cup {date}'")
    request = api.CreateScheduleRequest(
        cron=cron,
        tz=tz,
        missed=pb.MissedRuns.Value(f"MISSED_RUNS_{missed.name}"),
        overlap=pb.OverlappingRuns.Value(f"OVERLAPPING_RUNS_{overlap.name}"),
        tournament=tournament_request(name, bots, entrants, format_, option, preset, ruleset, clocks, seed, same_owner),
        idempotency_key=fresh_key(),
    )
    request.tournament.absence.CopyFrom(absence_wanted(no_show, postponements, postpone))
    with arena(server, key) as link:
        _tell(link.call(link.stub.CreateSchedule, request).schedule, as_json)


@app.command("list", epilog="Example: thousand tournament schedule list")
def list_schedules(server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """All schedules, oldest first."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListSchedules, api.ListSchedulesRequest())
        found = [schedule for page in pages for schedule in page.schedules]
    if as_json:
        print_json({"schedules": [plain(schedule) for schedule in found]})
    for schedule in () if as_json else found:
        typer.echo(_line(schedule))


@app.command(epilog="Example: thousand tournament schedule show ID --runs 100")
def show(
    schedule_id: Id,
    runs: Annotated[int, typer.Option(help="How many past runs.", min=0, max=500)] = RUNS_SHOWN,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """One schedule: its next due times, and what became of the last ones."""
    with arena(server, key) as link:
        schedule = link.call(link.stub.GetSchedule, api.GetScheduleRequest(schedule_id=schedule_id)).schedule
        asked = api.ListScheduleRunsRequest(schedule_id=schedule_id, page_size=runs)
        past = list(link.call(link.stub.ListScheduleRuns, asked).runs) if runs else []
    if as_json:
        print_json(plain(schedule) | {"runs": [plain(run) for run in past]})
        return
    _tell(schedule, as_json)
    if past:
        typer.echo("  runs (UTC)")
    for run in past:
        typer.echo(f"  {_minute(run.due_at)}  {_run_text(run)}")


@app.command(epilog="Example: thousand tournament schedule pause ID")
def pause(schedule_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """Open nothing until it is resumed. For organisers."""
    _pause(schedule_id, True, server, key, as_json)


@app.command(epilog="Example: thousand tournament schedule resume ID")
def resume(schedule_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """Go on with the next due time: what came due while it was paused is passed over. For organisers."""
    _pause(schedule_id, False, server, key, as_json)


@app.command(epilog="Example: thousand tournament schedule remove ID")
def remove(schedule_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """Forget a schedule; tournaments that it has opened go on. For organisers."""
    with arena(server, key) as link:
        link.call(link.stub.DeleteSchedule, api.DeleteScheduleRequest(schedule_id=schedule_id))
    if as_json:
        print_json({"schedule_id": schedule_id, "removed": True})
    else:
        typer.echo(f"{schedule_id} is removed")


def _pause(schedule_id: str, paused: bool, server: str, key: str, as_json: bool) -> None:
    with arena(server, key) as link:
        request = api.PauseScheduleRequest(schedule_id=schedule_id, paused=paused)
        _tell(link.call(link.stub.PauseSchedule, request).schedule, as_json)


def _tell(schedule: pb.Schedule, as_json: bool) -> None:
    if as_json:
        print_json(plain(schedule))
        return
    typer.echo(_line(schedule))
    missed = enum_word(pb.MissedRuns.DESCRIPTOR, schedule.missed)
    overlap = enum_word(pb.OverlappingRuns.DESCRIPTOR, schedule.overlap)
    typer.echo(f"  entrants   {', '.join(map(rule_text, schedule.entrants))}")
    typer.echo(f"  missed     {missed}\n  overlap    {overlap}")
    if schedule.next_due:
        typer.echo(f"  next (UTC) {', '.join(map(_minute, schedule.next_due))}")
    if schedule.HasField("waiting"):
        typer.echo(f"  {_minute(schedule.waiting.due_at)}  {_run_text(schedule.waiting)}")


def _line(schedule: pb.Schedule) -> str:
    template = schedule.tournament
    state = "paused" if schedule.paused else "active"
    rules = template.preset or "custom rules"
    return f"{schedule.schedule_id}  {template.name}  {schedule.cron} {schedule.tz}  {state}  {rules}"


def _run_text(run: pb.ScheduleRun) -> str:
    word = enum_word(pb.RunVerdict.DESCRIPTOR, run.verdict)
    return f"{word}  {run.tournament_id + '  ' if run.tournament_id else ''}({run.reason})"


def _minute(at: Timestamp) -> str:
    return f"{at.ToDatetime():%Y-%m-%d %H:%M}"

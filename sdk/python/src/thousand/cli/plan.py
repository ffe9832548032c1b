"""`thousand tournament plan`: what a tournament would be, in numbers, before anything runs.

The arena answers; where none is running at the usual place, and the platform is installed here, its own program does.
"""

import subprocess
import sys
from importlib.util import find_spec
from typing import Annotated, Final

import grpc
import typer

from thousand.cli.common import Failure, fail, plural, print_json
from thousand.cli.entrants import Bots, rule_of
from thousand.cli.link import DEFAULT_SERVER, AsJson, Key, Link, Server, arena, enum_word, plain, split_names
from thousand.cli.tournament import Format, FormatOptions, SameOwner, app, format_number, format_options
from thousand.v1 import arena_pb2 as api
from thousand.v1.plan_pb2 import TournamentPlan
from thousand.v1.tournament_pb2 import TournamentFormat

_PLANNER: Final = "workers.arena.planning"
_PATIENCE: Final = 120.0  # seconds


def mount(root: typer.Typer) -> None:
    """Nothing more: `tournament` is mounted by its own module."""


@app.command(epilog="Example: thousand tournament plan --format balanced --entrants 100 --seats 3 --json")
def plan(
    format_: Format = "round_robin",
    option: FormatOptions = None,
    entrants: Annotated[
        list[str] | None,
        typer.Option(metavar="N|RULE", help="How many bots, each of its own owner; or who by rule, as for `create`."),
    ] = None,
    bots: Bots = "",
    seats: Annotated[int, typer.Option(help="At a table.", min=2, max=4)] = 3,
    same_owner: SameOwner = False,
    seconds: Annotated[float, typer.Option("--match-seconds", help="How long a match takes; 0: as usual.", min=0)] = 0,
    at_once: Annotated[int, typer.Option(help="How many matches are played at once.", min=1, max=1_000_000)] = 16,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Blocks, matches, meetings and time of a tournament, before anything runs. Needs no arena for a number of bots."""
    request = api.PlanTournamentRequest(
        format=format_number(format_),
        options=format_options(option),
        seats=seats,
        allow_same_owner=same_owner,
        seconds_per_match=seconds,
        matches_at_once=at_once,
        bots=split_names(bots) if bots else [],
    )
    _enter(request, entrants or [])
    found = _ask(request, server, key)
    if as_json:
        print_json(plain(found))
    else:
        _tell(found)


def _enter(request: api.PlanTournamentRequest, words: list[str]) -> None:
    for word in words:
        if not word.lstrip("-").isdecimal():
            request.rules.append(rule_of(word))
        elif request.entrants or not 0 < int(word) < 1 << 32:
            raise typer.BadParameter(f"{word}: write one number from 1 on", param_hint="--entrants")
        else:
            request.entrants = int(word)
    if request.entrants and (request.bots or request.rules):
        raise typer.BadParameter("say how many, or who, not both", param_hint="--entrants")
    if not (request.entrants or request.bots or request.rules):
        raise typer.BadParameter("say how many bots, e.g. --entrants 100; or who: --entrants all, --bots mine,counter")


def _ask(request: api.PlanTournamentRequest, server: str, key: str) -> TournamentPlan:
    with arena(server, key) as link:
        if server != DEFAULT_SERVER or not request.entrants or find_spec(_PLANNER.partition(".")[0]) is None:
            return link.call(link.stub.PlanTournament, request).plan
        return _from(link, request) or _here(request)


def _from(link: Link, request: api.PlanTournamentRequest) -> TournamentPlan | None:
    """From the arena, if there is one that plans."""
    try:
        return link.call(link.stub.PlanTournament, request).plan
    except grpc.RpcError as refusal:
        if refusal.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.UNIMPLEMENTED):
            return None
        raise


def _here(request: api.PlanTournamentRequest) -> TournamentPlan:
    """From the platform's own program. The SDK imports nothing of it: they meet in messages, as over gRPC."""
    command, asked = [sys.executable, "-m", _PLANNER], request.SerializeToString()
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"no plan within {_PATIENCE:.0f} s: take fewer bots") from None
    told = done.stderr.decode(errors="replace").strip()
    if done.returncode == 1 and "Traceback" not in told:
        typer.echo(f"thousand: {told}", err=True)
        raise typer.Exit(1)
    if done.returncode:
        fail(told.splitlines()[-1] if told else f"{_PLANNER} ended with {done.returncode}")
    return api.PlanTournamentResponse.FromString(done.stdout).plan


def _tell(found: TournamentPlan) -> None:
    name = enum_word(TournamentFormat.DESCRIPTOR, found.format)
    options = "".join(f", {name} {value}" for name, value in sorted(found.options.items()))
    typer.echo(f"{name}: {plural(found.entrants, 'bot')} at tables of {found.seats}{options}")
    rounds = f"{plural(found.rounds, 'round')}:" if found.rounds else "no end; each round:"
    typer.echo(f"  {rounds} {plural(found.blocks, 'block')}, {plural(found.matches, 'match')}")
    bounds = "" if found.exact else " (bounds: who meets whom follows from results)"
    typer.echo(f"  matches a pair: {_span(found.min_per_pair, found.max_per_pair)}{bounds}")
    typer.echo(f"  matches a bot: {_span(found.min_per_bot, found.max_per_bot)}")
    typer.echo(f"  matches a bot and seat: {_span(found.min_per_bot_and_seat, found.max_per_bot_and_seat)}")
    typer.echo(
        f"  about {_duration(found.estimated_seconds)}, if a match takes {found.seconds_per_match:g} s,"
        f" {found.matches_at_once} are played at once and a bot plays one at a time"
    )


def _span(least: int, most: int) -> str:
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3.5 h`, `2.1 days`."""
    for size, word in ((86_400, "days"), (3_600, "h")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {word}"
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"

"""`thousand tournament …`: start tournaments, follow and cancel them."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from thousand.cli.absence import NoShow, Postpone, Postponements, absence_wanted
from thousand.cli.common import plural, print_json
from thousand.cli.entrants import Bots, Entrants, entrants_wanted
from thousand.cli.link import (
    DEFAULT_SERVER,
    AsJson,
    AsJsonLines,
    Key,
    Link,
    PublicSeed,
    RulesetFile,
    Server,
    Times,
    arena,
    enum_word,
    fresh_key,
    plain,
    rules_wanted,
)
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as kinds
from thousand.v1.tournament_pb2 import Tournament

app = typer.Typer(help="Tournaments: create, follow, cancel.", no_args_is_help=True)


def mount(root: typer.Typer) -> None:
    """Add `thousand tournament …`."""
    root.add_typer(app, name="tournament")


FormatOptions = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the format, e.g. rounds=5; repeatable."),
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The tournament's id.")]
Format = Annotated[
    str,
    typer.Option(
        "--format", help="Which sets of bots meet: round_robin, balanced, gauntlet, swiss, knockout, ladder or boards."
    ),
]
Preset = Annotated[str, typer.Option(help="The ruleset by name: see `thousand rules list`.")]
SameOwner = Annotated[bool, typer.Option("--same-owner", help="Bots of one owner may meet.")]


@app.command(epilog="Example: thousand tournament create 'Friday cup' --bots mine,counter,greedy,cautious --watch")
def create(
    name: Annotated[str, typer.Argument(help="For people.")],
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
    follow: Annotated[bool, typer.Option("--watch", help="Follow it to its end.")] = False,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Start a tournament. For organisers."""
    request = tournament_request(name, bots, entrants, format_, option, preset, ruleset, clocks, seed, same_owner)
    request.absence.CopyFrom(absence_wanted(no_show, postponements, postpone))
    request.idempotency_key = fresh_key()
    with arena(server, key) as link:
        tournament = link.call(link.stub.CreateTournament, request).tournament
        _tell(tournament, as_json)
        if follow:
            _follow(link, tournament.tournament_id, as_json)


@app.command("list", epilog="Example: thousand tournament list")
def list_tournaments(server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """All tournaments, newest first."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListTournaments, api.ListTournamentsRequest())
        found = [tournament for page in pages for tournament in page.tournaments]
    if as_json:
        print_json({"tournaments": [plain(tournament) for tournament in found]})
    for tournament in () if as_json else found:
        _tell(tournament, as_json)


@app.command(epilog="Example: thousand tournament show t-… --json")
def show(tournament_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """One tournament as it stands."""
    with arena(server, key) as link:
        request = api.GetTournamentRequest(tournament_id=tournament_id)
        _tell(link.call(link.stub.GetTournament, request).tournament, as_json)


@app.command(epilog="Example: thousand tournament watch t-…")
def watch(tournament_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJsonLines = False) -> None:
    """Follow a tournament to its end, one line for each change."""
    with arena(server, key) as link:
        _follow(link, tournament_id, as_json)


@app.command(epilog="Example: thousand tournament rounds t-… --last 5")
def rounds(
    tournament_id: Id,
    last: Annotated[int, typer.Option(help="How many.", min=1, max=500)] = 20,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """The rounds of a ladder, latest first: who was there, and how the cards can be checked."""
    request = api.ListRoundsRequest(tournament_id=tournament_id, page_size=last)
    with arena(server, key) as link:
        found = link.call(link.stub.ListRounds, request).rounds
    if as_json:
        print_json({"rounds": [plain(one) for one in found]})
    for one in () if as_json else found:
        typer.echo(f"round {one.number}  {plural(one.blocks, 'block')}  {plural(len(one.entrants), 'bot')}")
        typer.echo(f"  commitment {one.fairness.commitment.hex()}")
        if one.fairness.secret:
            typer.echo(f"  secret     {one.fairness.secret.hex()}")


@app.command(epilog="Example: thousand tournament scores t-…")
def scores(tournament_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """How a swiss or a knockout stands after its last whole round, best first."""
    with arena(server, key) as link:
        pages = list(
            link.pages(link.stub.ListTournamentScores, api.ListTournamentScoresRequest(tournament_id=tournament_id))
        )
    found, rounds = [row for page in pages for row in page.scores], pages[0].rounds
    if as_json:
        print_json({"rounds": rounds, "scores": [plain(row) for row in found]})
        return
    typer.echo(f"after {plural(rounds, 'round')}")
    for row in found:
        byes = f"  {plural(row.byes, 'bye')}" if row.byes else ""
        out = "" if row.still_in else "  out"
        typer.echo(
            f"{row.rank:>4}  {row.entrant.bot_name}  {row.points:g} points  {row.final_scores} in"
            f" {plural(row.matches, 'match')}{byes}{out}"
        )


@app.command(epilog="Example: thousand tournament cancel t-…")
def cancel(tournament_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """Stop a tournament; what is finished stays. For organisers."""
    with arena(server, key) as link:
        request = api.CancelTournamentRequest(tournament_id=tournament_id)
        _tell(link.call(link.stub.CancelTournament, request).tournament, as_json)


def tournament_request(
    name: str,
    bots: str,
    entrants: Sequence[str],
    format_: str,
    option: list[str] | None,
    preset: str,
    ruleset: Path | None,
    clocks: int,
    seed: int | None,
    same_owner: bool,
) -> api.CreateTournamentRequest:
    """What the options of `create`, which a schedule has too, ask for; without an idempotency key."""
    names, rules = entrants_wanted(bots, entrants)
    return api.CreateTournamentRequest(
        name=name,
        format=format_number(format_),
        options=format_options(option),
        **rules_wanted(preset, ruleset),
        bots=names,
        entrants=rules,
        clock_factor=clocks,
        public_seed=seed,
        allow_same_owner=same_owner,
    )


def format_number(word: str) -> "kinds.TournamentFormat.ValueType":
    """The enum value of a format's word. Exits naming all words if there is none."""
    values = kinds.TournamentFormat.DESCRIPTOR.values_by_number
    words = {enum_word(kinds.TournamentFormat.DESCRIPTOR, number): number for number in values if number}
    if word not in words:
        raise typer.BadParameter(f"{word!r} is no format: choose of {', '.join(words)}", param_hint="--format")
    return kinds.TournamentFormat.Value(f"TOURNAMENT_FORMAT_{word.upper()}")


def format_options(given: list[str] | None) -> dict[str, str]:
    """The options of `--option NAME=VALUE`. Exits naming one that is none, or is given twice."""
    found: dict[str, str] = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise typer.BadParameter(f"{text!r} is no option: write NAME=VALUE, e.g. rounds=5", param_hint="--option")
        if name in found:
            raise typer.BadParameter(f"{name} is given twice: write it once", param_hint="--option")
        found[name] = value
    return found


def state_word(tournament: Tournament) -> str:
    """`running`, `finished` or `cancelled`."""
    return enum_word(kinds.TournamentState.DESCRIPTOR, tournament.state)


def matches_text(progress: kinds.TournamentProgress) -> str:
    """How many matches are finished of those planned, and what became of those that never will be."""
    no_shows = f", {plural(progress.matches_no_show, 'no-show')}" if progress.matches_no_show else ""
    cancelled = f", {progress.matches_cancelled} cancelled" if progress.matches_cancelled else ""
    return f"{progress.matches_finished}/{progress.matches_planned} matches{no_shows}{cancelled}"


_BY_ROUNDS = (  # later rounds are not planned yet
    kinds.TOURNAMENT_FORMAT_SWISS,
    kinds.TOURNAMENT_FORMAT_KNOCKOUT,
    kinds.TOURNAMENT_FORMAT_LADDER,
)


def _follow(link: Link, tournament_id: str, as_json: bool) -> None:
    begun, settled_at_begin = time.monotonic(), -1
    for answer in link.stream(link.stub.WatchTournament, api.WatchTournamentRequest(tournament_id=tournament_id)):
        progress = answer.tournament.progress
        settled = progress.matches_finished + progress.matches_no_show
        if settled_at_begin < 0:
            settled_at_begin = settled
        if as_json:
            print_json(plain(answer.tournament))
            continue
        rate = (settled - settled_at_begin) / max(time.monotonic() - begun, 0.001)
        left = progress.matches_running + progress.matches_waiting
        eta = f", {left / rate:.0f} s left" if rate and left and answer.tournament.format not in _BY_ROUNDS else ""
        typer.echo(f"{state_word(answer.tournament)}  {matches_text(progress)}  {progress.decisions} decisions{eta}")


def _tell(tournament: Tournament, as_json: bool) -> None:
    if as_json:
        print_json(plain(tournament))
        return
    typer.echo(
        f"{tournament.tournament_id}  {tournament.name}  {state_word(tournament)}"
        f"  {matches_text(tournament.progress)}  {tournament.entrant_count} bots"
        f"  {tournament.preset or 'custom rules'}"
    )
    if tournament.format == kinds.TOURNAMENT_FORMAT_LADDER:
        typer.echo(f"  commitments and secrets: thousand tournament rounds {tournament.tournament_id}")
    else:
        typer.echo(f"  commitment {tournament.fairness.commitment.hex()}")
        if tournament.fairness.secret:
            typer.echo(f"  secret     {tournament.fairness.secret.hex()}")
    if tournament.fairness.public_seed:
        typer.echo("  not verifiable: its cards come from a public seed")
    if tournament.leaderboard_id:
        typer.echo(f"  leaderboard: thousand leaderboard show {tournament.leaderboard_id}")

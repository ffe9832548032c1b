"""`thousand match …`: play unrated matches at once, and look at any match."""

import time
from typing import Annotated, Final

import typer

from thousand.cli.common import Failure, print_json
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
    split_names,
)
from thousand.cli.spectate import follow
from thousand.notation import write
from thousand.record import MatchRecord, to_dict
from thousand.rules.errors import RulesError
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as kinds
from thousand.v1.record_pb2 import MatchRecord as Message
from thousand.v1.tournament_pb2 import Match
from thousand.wire import WireError, record_from

app = typer.Typer(help="Matches: play one unrated at once, look at any.", no_args_is_help=True)


def mount(root: typer.Typer) -> None:
    """Add `thousand match …`."""
    root.add_typer(app, name="match")


Id = Annotated[str, typer.Argument(metavar="ID", help="The match's id.")]
ENTRIES: Final = 20_000  # of a record's journal at once
OVER: Final = {kinds.MATCH_STATE_FINISHED, kinds.MATCH_STATE_NO_SHOW, kinds.MATCH_STATE_CANCELLED}


@app.command(epilog="Example: thousand match create --bots mine,counter,greedy")
def create(
    bots: Annotated[str, typer.Option(help="Ids or names by seat, separated by commas; all must be connected.")],
    preset: Annotated[str, typer.Option(help="The ruleset by name: see `thousand rules list`.")] = "",
    ruleset: RulesetFile = None,
    clocks: Times = 1,
    seed: PublicSeed = None,
    wait: Annotated[bool, typer.Option(help="Wait for the result.")] = True,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Play one unrated match now."""
    request = api.CreateMatchRequest(
        bots=split_names(bots),
        clock_factor=clocks,
        public_seed=seed,
        idempotency_key=fresh_key(),
        **rules_wanted(preset, ruleset),
    )
    with arena(server, key) as link:
        match = link.call(link.stub.CreateMatch, request).match
        if wait:
            match = _wait(link, match)
    _tell(match, as_json)


@app.command(epilog="Example: thousand match show m-… --json")
def show(match_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """One match: who sat where, and its result."""
    with arena(server, key) as link:
        match = link.call(link.stub.GetMatch, api.GetMatchRequest(match_id=match_id)).match
    _tell(match, as_json)


@app.command("list", epilog="Example: thousand match list t-…")
def list_matches(
    tournament_id: Annotated[str, typer.Argument(metavar="TOURNAMENT", help="The tournament's id.")],
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """The matches of a tournament in schedule order."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListMatches, api.ListMatchesRequest(tournament_id=tournament_id))
        matches = [match for page in pages for match in page.matches]
    if as_json:
        print_json({"matches": [plain(match) for match in matches]})
    for match in () if as_json else matches:
        _tell(match, as_json)


@app.command(epilog="Example: thousand match watch ID · for programs: thousand match watch ID --json, an event a line")
def watch(match_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJsonLines = False) -> None:
    """Follow a match as it is played: seats, auction, tricks, score sheet. Hands are shown after it, by `replay`."""
    with arena(server, key) as link:
        follow(link, match_id, as_json)


@app.command(epilog="Example: thousand match record ID > match.txt, then: thousand replay match.txt")
def record(match_id: Id, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """All that is needed to replay a finished match, as text or JSON that `thousand replay` reads."""
    with arena(server, key) as link:
        found = fetch_record(link, match_id)
    if as_json:
        print_json(to_dict(found))
    else:
        typer.echo(write(found), nl=False)


def fetch_record(link: Link, match_id: str) -> MatchRecord:
    """The record of a finished match. Raises Failure for one that cannot be read."""
    message = Message()
    for answer in link.pages(link.stub.GetMatchRecord, api.GetMatchRecordRequest(match_id=match_id, page_size=ENTRIES)):
        message.MergeFrom(answer.record)
    try:
        return record_from(message)
    except (WireError, RulesError) as error:
        raise Failure(f"the record of {match_id} cannot be read: {error}") from error


def _wait(link: Link, match: Match) -> Match:
    while match.state not in OVER:
        time.sleep(0.2)
        match = link.call(link.stub.GetMatch, api.GetMatchRequest(match_id=match.match_id)).match
    return match


def _tell(match: Match, as_json: bool) -> None:
    if as_json:
        print_json(plain(match))
        return
    rated = "rated" if match.rated else "unrated"
    state = enum_word(kinds.MatchState.DESCRIPTOR, match.state)
    typer.echo(f"{match.match_id}  {state}  {rated}  {match.preset or 'custom rules'}")
    for seat, entrant in enumerate(match.seats):
        result = ""
        if match.HasField("outcome"):
            result = f"  place {match.outcome.ranking[seat]}  score {match.outcome.scores[seat]}"
        typer.echo(f"  seat {seat}  {entrant.bot_name} v{entrant.version}{result}")

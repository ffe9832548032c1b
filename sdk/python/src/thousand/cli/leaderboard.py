"""`thousand leaderboard …`: who is best, how sure that is, and what stands behind it."""

from typing import Annotated

import typer

from thousand.cli import standings
from thousand.cli.common import print_json, tables
from thousand.cli.link import DEFAULT_SERVER, AsJson, Key, Link, Server, arena, plain, split_names
from thousand.v1 import arena_pb2 as api
from thousand.v1 import statistics_pb2 as pb
from thousand.v1.leaderboard_pb2 import Leaderboard, LeaderboardEntry

app = typer.Typer(help="Leaderboards: list them, show one and what stands behind it.", no_args_is_help=True)
BoardId = Annotated[str, typer.Argument(metavar="ID", help="The leaderboard's id: `thousand leaderboard list`.")]


def mount(root: typer.Typer) -> None:
    """Add `thousand leaderboard …`."""
    root.add_typer(app, name="leaderboard")


@app.command("list", epilog="Example: thousand leaderboard list")
def list_leaderboards(server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """All leaderboards: one per tournament, one per ruleset, one over all."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListLeaderboards, api.ListLeaderboardsRequest())
        boards = [board for page in pages for board in page.leaderboards]
    if as_json:
        print_json({"leaderboards": [plain(board) for board in boards]})
    for board in () if as_json else boards:
        typer.echo(f"{board.leaderboard_id}  {board.name}  {board.matches} matches rated")


@app.command(epilog="Example: thousand leaderboard show all --top 20")
def show(
    leaderboard_id: BoardId,
    top: Annotated[int, typer.Option(help="Only so many, the best; 0: all.", min=0)] = 0,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """One leaderboard, best first.

    The score is mu - 3 sigma, what a bot is worth at least. It may fall a
    little after an expected win: each match also widens sigma by tau.

    The strength lies within the 95 % interval of mu. Points a deal have one of
    their own, by the spread between blocks.

    Idle: no rated match for 30 days. Superseded: the bot has a newer version.
    """
    with arena(server, key) as link:
        board, entries = read_leaderboard(link, leaderboard_id, top)
    if as_json:
        print_json({"leaderboard": plain(board), "entries": [plain(entry) for entry in entries]})
        return
    if board.unverifiable:
        typer.echo("Not verifiable: its cards come from a public seed.")
    tables().print(standings.order(entries))
    if board.pending_matches:
        typer.echo(f"{board.pending_matches} finished matches wait for an earlier one")


@app.command(epilog="Example: thousand leaderboard history all counter")
def history(
    leaderboard_id: BoardId,
    bot: Annotated[str, typer.Argument(help="The bot's name or id.")],
    version: Annotated[int, typer.Option(help="Only this version; 0: all.", min=0)] = 0,
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """How a bot's ratings came about, version by version: at most 128 points each, evenly over its career."""
    with arena(server, key) as link:
        request = pb.GetRatingHistoryRequest(leaderboard_id=leaderboard_id, bot=bot, version=version)
        told = link.call(link.stub.GetRatingHistory, request)
    if as_json:
        print_json(plain(told))
    else:
        tables().print(*standings.career(told), sep="\n")


@app.command("head-to-head", epilog="Example: thousand leaderboard head-to-head all --bots counter,greedy,mine")
def head_to_head(
    leaderboard_id: BoardId,
    bots: Annotated[str, typer.Option(help="Names or ids with commas, at most 32; without: the best ten.")] = "",
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Who is ahead of whom when both sit at one table, and by how many points a deal (± 95 %)."""
    wanted = split_names(bots) if bots else []
    with arena(server, key) as link:
        request = pb.GetHeadToHeadRequest(leaderboard_id=leaderboard_id, bots=wanted)
        told = link.call(link.stub.GetHeadToHead, request)
    if as_json:
        print_json(plain(told))
    else:
        tables().print(*standings.matrix(told), sep="\n")


@app.command(epilog="Example: thousand leaderboard seats ruleset-tournament")
def seats(leaderboard_id: BoardId, server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """What each seat, and each place after the first dealer, is worth: whether the format is fair."""
    with arena(server, key) as link:
        request = pb.GetSeatStatisticsRequest(leaderboard_id=leaderboard_id)
        told = link.call(link.stub.GetSeatStatistics, request)
    if as_json:
        print_json(plain(told))
        return
    for table in told.tables:
        tables().print(*standings.seats(table), sep="\n")
    if not told.tables:
        typer.echo("No rated match yet.")


def read_leaderboard(link: Link, leaderboard_id: str, top: int = 0) -> tuple[Leaderboard, list[LeaderboardEntry]]:
    """A leaderboard with all its entries, or the `top` ones."""
    request = api.GetLeaderboardRequest(leaderboard_id=leaderboard_id)
    entries: list[LeaderboardEntry] = []
    for page in link.pages(link.stub.GetLeaderboard, request):
        entries += page.entries
        if top and len(entries) >= top:
            break
    return page.leaderboard, entries[: top or None]

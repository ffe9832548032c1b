"""`thousand leaderboard …`: who is best, and how sure that is."""

from typing import Annotated

import typer

from thousand.cli.common import print_json
from thousand.cli.link import DEFAULT_SERVER, AsJson, Key, Link, Server, arena, plain
from thousand.v1 import arena_pb2 as api
from thousand.v1.leaderboard_pb2 import Leaderboard, LeaderboardEntry

app = typer.Typer(help="Leaderboards: list them, show one.", no_args_is_help=True)


def mount(root: typer.Typer) -> None:
    """Add `thousand leaderboard …`."""
    root.add_typer(app, name="leaderboard")


@app.command("list", epilog="Example: thousand leaderboard list")
def list_leaderboards(server: Server = DEFAULT_SERVER, key: Key = "", as_json: AsJson = False) -> None:
    """All leaderboards."""
    with arena(server, key) as link:
        pages = link.pages(link.stub.ListLeaderboards, api.ListLeaderboardsRequest())
        boards = [board for page in pages for board in page.leaderboards]
    if as_json:
        print_json({"leaderboards": [plain(board) for board in boards]})
    for board in () if as_json else boards:
        typer.echo(f"{board.leaderboard_id}  {board.name}  {board.matches} matches rated")


@app.command(epilog="Example: thousand leaderboard show tournament --json")
def show(
    leaderboard_id: Annotated[str, typer.Argument(metavar="ID", help="The leaderboard's id.")],
    server: Server = DEFAULT_SERVER,
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """One leaderboard, best first. The score is mu - 3 sigma: it may fall a little after an expected win."""
    with arena(server, key) as link:
        board, entries = read_leaderboard(link, leaderboard_id)
    if as_json:
        print_json({"leaderboard": plain(board), "entries": [plain(entry) for entry in entries]})
        return
    if board.unverifiable:
        typer.echo("Not verifiable: its cards come from a public seed.")
    for line in table(entries):
        typer.echo(line)
    if board.pending_matches:
        typer.echo(f"{board.pending_matches} finished matches wait for an earlier one")


def read_leaderboard(link: Link, leaderboard_id: str) -> tuple[Leaderboard, list[LeaderboardEntry]]:
    """A leaderboard with all its entries."""
    request = api.GetLeaderboardRequest(leaderboard_id=leaderboard_id)
    pages = list(link.pages(link.stub.GetLeaderboard, request))
    return pages[-1].leaderboard, [entry for page in pages for entry in page.entries]


def table(entries: list[LeaderboardEntry]) -> list[str]:
    """The entries as lines of text, columns lined up."""
    rows = [("rank", "bot", "score", "mu ± sigma", "matches", "1st/2nd/3rd", "points/deal", "strikes")]
    rows += [
        (
            str(entry.rank),
            entry.bot_name + (f" v{entry.version}" if entry.version > 1 else ""),
            f"{entry.score:.2f}",
            f"{entry.mu:.2f} ± {entry.sigma:.2f}",
            str(entry.matches),
            "/".join(str(count) for count in entry.places),
            f"{entry.points_per_deal:+.1f}",
            str(entry.strikes),
        )
        for entry in entries
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(_cell(row, column, width) for column, width in enumerate(widths)).rstrip() for row in rows]


def _cell(row: tuple[str, ...], column: int, width: int) -> str:
    return row[column].ljust(width) if column == 1 else row[column].rjust(width)

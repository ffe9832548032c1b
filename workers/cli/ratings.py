"""`arena ratings …`: look after leaderboards."""

from typing import Annotated

import typer

from workers.cli.options import DEFAULT_DATA, AsJson, Data, RedisUrl, fail, print_json, redis_of, told_errors
from workers.projection import rebuild as rebuild_board
from workers.store import Store

app = typer.Typer(help="Look after leaderboards.", no_args_is_help=True)


@app.callback()
def ratings() -> None:
    """Look after leaderboards."""


@app.command(epilog="Example: arena ratings rebuild --leaderboard all --redis redis://127.0.0.1:6379/0")
def rebuild(
    leaderboard: Annotated[str, typer.Option(help="Its id: `thousand leaderboard list` shows all.")],
    redis: RedisUrl = "",
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Fold the ledger again from its start; exit code 1 if the bytes differ from those that stood there."""
    redis = redis_of(redis, data)
    store = Store(redis)
    try:
        with told_errors(redis):
            board = store.leaderboards.get(leaderboard)
            if board is None:
                known = ", ".join(b.leaderboard_id for b in store.leaderboards.all()) or "none yet"
                fail(f"there is no leaderboard {leaderboard!r}: there are {known}")
            same = rebuild_board(store, board)
            cursor, matches = store.leaderboards.cursor(board)
    finally:
        store.close()
    if as_json:
        print_json({"leaderboard": leaderboard, "same": same, "cursor": cursor, "matches": matches})
    else:
        typer.echo(
            f"{leaderboard}: {matches} matches of {cursor} ledger entries; {'the same bytes' if same else 'CHANGED'}"
        )
    if not same:
        raise typer.Exit(1)

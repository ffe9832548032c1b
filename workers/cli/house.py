"""`arena house-bot NAME`: one house bot as a process of its own, connected like anybody's bot."""

from typing import Annotated, Final

import typer

from workers.arena.house import house_bot_id, kind_of
from workers.arena.keys import load_keys
from workers.cli.options import DEFAULT_DATA, Data, checked_address, fail, told_errors

MATCHES_AT_ONCE: Final = 12  # they decide in microseconds, so they keep nobody waiting


def house_bot(
    name: Annotated[str, typer.Argument(help="counter, cautious, greedy or random; more of a kind: counter-2.")],
    data: Data = DEFAULT_DATA,
    server: Annotated[
        str, typer.Option(envvar="THOUSAND_SERVER", callback=checked_address, help="The arena, HOST:PORT.")
    ] = "127.0.0.1:4800",
    at_once: Annotated[int, typer.Option(help="Matches at once.", min=1)] = MATCHES_AT_ONCE,
) -> None:
    """Run a house bot until it is stopped, with a token signed by the key in the data directory."""
    import thousand
    from thousand.bots import HOUSE_BOTS

    if kind_of(name) not in HOUSE_BOTS:
        fail(f"there is no house bot {name!r}: {', '.join(HOUSE_BOTS)}, and more of a kind as counter-2")
    try:
        with told_errors():
            token = load_keys(data).bot_token(house_bot_id(name), version=1, generation=0)
    except ValueError as error:
        fail(str(error))
    kind = HOUSE_BOTS[kind_of(name)]
    thousand.run(type(kind.__name__, (kind,), {"max_matches": at_once}), server, token)


if __name__ == "__main__":
    typer.run(house_bot)

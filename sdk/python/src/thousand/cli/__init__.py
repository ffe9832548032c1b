"""The `thousand` command. Each module named below mounts its commands with `mount(app)`."""

from importlib import import_module

import typer

from thousand.cli.common import OneLineErrors

app = typer.Typer(
    name="thousand",
    cls=OneLineErrors,
    help="The card game Thousand: rules, bots, simulation, and the arena.",
    epilog="Example: thousand simulate --bots counter,cautious,random --deals 100",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

MODULES = (
    "rules",
    "simulate",
    "compare",
    "replay",
    "play",
    "bot",
    "owner",
    "match",
    "tournament",
    "plan",
    "schedule",
    "leaderboard",
)

for _name in MODULES:
    import_module(f"thousand.cli.{_name}").mount(app)

"""`thousand simulate`: bots against each other on this machine, without a server."""

import os
import random
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from thousand.cli.common import (
    Failure,
    bots_on_stderr,
    check_count,
    console,
    must_play,
    plural,
    print_json,
    progress_line,
    read_bots,
    read_ruleset,
)
from thousand.simulator import BotScore, SimulationResult, simulate


def mount(app: typer.Typer) -> None:
    """Add `thousand simulate`."""
    app.command(
        "simulate",
        epilog="Example: thousand simulate --bots counter,cautious,my_bot.py:MyBot --deals 200 --seed 1 --json",
    )(simulate_command)


def simulate_command(
    bots: Annotated[str, typer.Option(help="As many as the rules seat: house bots or file.py:Class, with commas.")],
    deals: Annotated[int, typer.Option(help="Decks, each played in all seat orders from level scores.", min=0)] = 0,
    matches: Annotated[int, typer.Option(help="Whole matches, each with its own decks.", min=0)] = 0,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same figures.", min=0)] = None,
    preset: Annotated[str, typer.Option(help="A ruleset by name; see `thousand rules list`.")] = "",
    ruleset: Annotated[Path | None, typer.Option(help='A TOML file: base = "browser" and options.')] = None,
    processes: Annotated[int, typer.Option(help="Play in so many processes; 0: one a core.", min=0)] = 0,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON on stdout.")] = False,
) -> None:
    """Play bots against each other here, by the very rules of the arena."""
    if (deals > 0) == (matches > 0):
        raise Failure("name either --deals N or --matches N")
    names, classes = read_bots(bots)
    rules, name = read_ruleset(preset, ruleset)
    check_count(names, rules.players, "bot", "--bots", f"{name or ruleset} seats {rules.players}")
    must_play(classes, name)
    with bots_on_stderr():
        result = simulate(
            classes,
            rules,
            decks=deals,
            matches=matches,
            seed=random.SystemRandom().randrange(1 << 32) if seed is None else seed,
            names=names,
            processes=processes or os.cpu_count() or 1,
            progress=lambda done, total: progress_line(done, total, "deals" if deals else "matches"),
        )
    if json:
        print_json(to_dict(result, name))
    else:
        _print_table(result, name or str(ruleset))


def to_dict(result: SimulationResult, preset: str) -> dict[str, object]:
    """The result as `--json` prints it."""
    return {
        "preset": preset,
        "seed": result.seed,
        "decks": result.decks,
        "deals": result.deals,
        "matches": result.matches,
        "bots": [
            {
                "bot": bot.bot,
                "points_per_deal": round(bot.points_per_deal, 4),
                "interval": None if bot.interval is None else [round(bound, 4) for bound in bot.interval],
                "deals": bot.deals,
                "matches": bot.matches,
                "places": list(bot.places),
            }
            for bot in result.bots
        ],
        "seats": [{"seat": seat, "points_per_deal": round(points, 4)} for seat, points in enumerate(result.seats)],
    }


def _print_table(result: SimulationResult, rules: str) -> None:
    played = plural(result.decks, "deck") + ", " if result.decks else ""
    table = Table(title=f"{rules}, seed {result.seed}: {played}{plural(result.deals, 'deal')}")
    table.add_column("bot", overflow="fold")  # a file by its name, never cut: its class stands at the end
    for column in ("points/deal", "± (95 %)", *("first", "second", "third", "fourth")[: len(result.seats)]):
        table.add_column(column, justify="right")
    for bot in sorted(result.bots, key=lambda bot: -bot.points_per_deal):
        table.add_row(bot.bot.rpartition("/")[2], f"{bot.points_per_deal:.1f}", _half(bot), *map(str, bot.places))
    console().print(table)


def _half(bot: BotScore) -> str:
    return "–" if bot.interval is None else f"{bot.interval[1] - bot.points_per_deal:.1f}"

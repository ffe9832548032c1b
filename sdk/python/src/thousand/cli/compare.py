"""`thousand compare`: is bot A better than bot B?"""

import math
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from thousand.bots.loading import load_bot
from thousand.cli.common import check_count, must_play, print_json, read_bots, read_ruleset
from thousand.comparison import Comparison, compare


def mount(app: typer.Typer) -> None:
    """Add `thousand compare`."""
    app.command("compare", epilog="Example: thousand compare mybot.py:MyBot counter --field greedy,cautious")(
        compare_command
    )


def compare_command(
    a: Annotated[str, typer.Argument(help="A house bot or file.py:Class.")],
    b: Annotated[str, typer.Argument(help="The bot to compare it with.")],
    field: Annotated[str, typer.Option(help="Who else sits at the table, with commas.")],
    preset: Annotated[str, typer.Option(help="A ruleset by name; see `thousand rules list`.")] = "",
    ruleset: Annotated[Path | None, typer.Option(help='A TOML file: base = "browser" and options.')] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same answer.", min=0)] = 0,
    max_decks: Annotated[int, typer.Option(help="Give up after so many decks.", min=1)] = 2000,
    precision: Annotated[float, typer.Option(help="Also stop when known to ± so many points a deal.", min=0)] = 0.5,
    processes: Annotated[int, typer.Option(help="Play in so many processes; 0: one a core.", min=0)] = 0,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON on stdout.")] = False,
) -> None:
    """Play A and B on the same decks, in the same seats, against the same field, until the answer is known."""
    names, field_bots = read_bots(field)
    rules, name = read_ruleset(preset, ruleset)
    check_count(names, rules.players - 1, "bot", "--field", f"{name or ruleset} seats {rules.players}")
    compared = load_bot(a), load_bot(b)
    must_play([*compared, *field_bots], name)
    found = compare(
        *compared,
        field_bots,
        rules,
        seed=seed,
        max_decks=max_decks,
        precision=precision,
        names=(a, b, *names),
        processes=processes or os.cpu_count() or 1,
        progress=_progress,
    )
    if sys.stderr.isatty():
        typer.echo("", err=True)
    if json:
        print_json(to_dict(found))
    else:
        typer.echo(found.verdict)


def to_dict(found: Comparison) -> dict[str, object]:
    """The comparison as `--json` prints it."""
    return {
        "a": found.a,
        "b": found.b,
        "difference": round(found.difference, 4),
        "half": round(found.half, 4) if math.isfinite(found.half) else None,
        "decks": found.decks,
        "deals": found.deals,
        "seed": found.seed,
        "verdict": found.verdict,
    }


def _progress(decks: int, difference: float, half: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{decks} decks: {difference:+.1f} ± {half:.1f}   ")
        sys.stderr.flush()

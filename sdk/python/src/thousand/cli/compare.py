"""`thousand compare`: is bot A better than bot B? Here, or between registered bots on an arena."""

import math
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from thousand.bots.loading import load_bot
from thousand.cli.common import Failure, bots_on_stderr, check_count, must_play, print_json, read_bots, read_ruleset
from thousand.cli.link import AsJson, Key, Link, RulesetFile, arena, fresh_key, rules_wanted, split_names
from thousand.comparison import Comparison, compare, verdict
from thousand.v1 import comparison_pb2 as pb
from thousand.v1.tournament_pb2 import TOURNAMENT_STATE_CANCELLED, TOURNAMENT_STATE_RUNNING

DECKS: Final = 10_000
BOARDS: Final = 1_000  # on an arena each is two matches
LOOK_EVERY: Final = 0.5  # seconds


def mount(app: typer.Typer) -> None:
    """Add `thousand compare`."""
    app.command(
        "compare",
        epilog="Example: thousand compare my_bot.py:MyBot counter --field greedy,cautious — and of registered bots: "
        "thousand compare mine counter --field greedy,cautious --server 127.0.0.1:4800",
    )(compare_command)


def compare_command(
    a: Annotated[str, typer.Argument(help="A house bot or file.py:Class; with --server a registered bot.")],
    b: Annotated[str, typer.Argument(help="The bot to compare it with.")],
    field: Annotated[str, typer.Option(help="Who else sits at the table, with commas; with --server house bots.")],
    preset: Annotated[str, typer.Option(help="A ruleset by name; see `thousand rules list`.")] = "",
    ruleset: RulesetFile = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same answer.", min=0)] = None,
    max_decks: Annotated[
        int, typer.Option(help=f"Give up after so many decks; 0: {DECKS:,}, on an arena {BOARDS:,}.", min=0)
    ] = 0,
    precision: Annotated[float, typer.Option(help="Also stop when known to ± so many points a deal.", min=0)] = 0.5,
    processes: Annotated[int, typer.Option(help="Play in so many processes; 0: one a core.", min=0)] = 0,
    server: Annotated[str, typer.Option("--server", "-s", help="Compare registered bots on this arena.")] = "",
    key: Key = "",
    as_json: AsJson = False,
) -> None:
    """Play A and B on the same decks, in the same seats, against the same field, until the answer is known."""
    if server:
        if seed is not None or processes:
            raise Failure("--seed and --processes are for comparing here: an arena draws its cards and plays by itself")
        _on_arena(a, b, field, preset, ruleset, max_decks, precision, server, key, as_json)
        return
    names, field_bots = read_bots(field)
    rules, name = read_ruleset(preset, ruleset)
    check_count(names, rules.players - 1, "bot", "--field", f"{name or ruleset} seats {rules.players}")
    compared = load_bot(a), load_bot(b)
    must_play([*compared, *field_bots], name)
    with bots_on_stderr():
        found = compare(
            *compared,
            field_bots,
            rules,
            seed=seed or 0,
            max_decks=max_decks or DECKS,
            precision=precision,
            names=(a, b, *names),
            processes=processes or os.cpu_count() or 1,
            progress=_progress,
        )
    _end_of_line()
    if as_json:
        print_json(to_dict(found))
    else:
        typer.echo(found.verdict)


def to_dict(found: Comparison) -> dict[str, object]:
    """The comparison as `--json` prints it."""
    return {**_figures(found.a, found.b, found.difference, found.half, found.decks, found.deals), "seed": found.seed}


def _figures(a: str, b: str, difference: float, half: float, decks: int, deals: int) -> dict[str, object]:
    return {
        "a": a,
        "b": b,
        "difference": round(difference, 4),
        "half": round(half, 4) if math.isfinite(half) else None,
        "decks": decks,
        "deals": deals,
        "verdict": verdict(a, b, difference, half, decks),
    }


def _on_arena(
    a: str,
    b: str,
    field: str,
    preset: str,
    ruleset: Path | None,
    max_decks: int,
    precision: float,
    server: str,
    key: str,
    as_json: bool,
) -> None:
    request = pb.CreateComparisonRequest(
        a=a,
        b=b,
        field=split_names(field),
        max_boards=max_decks or BOARDS,
        precision=precision,
        idempotency_key=fresh_key(),
        **rules_wanted(preset, ruleset),
    )
    with arena(server, key) as link:
        found = _followed(link, link.call(link.stub.CreateComparison, request).comparison)
    _end_of_line()
    half = found.half if found.HasField("half") else math.inf
    figures = _figures(found.a.bot_name, found.b.bot_name, found.difference, half, found.boards, found.deals)
    if as_json:
        print_json({**figures, "comparison_id": found.comparison_id})
    else:
        typer.echo(figures["verdict"])
    if found.state == TOURNAMENT_STATE_CANCELLED:
        raise Failure("stopped before it was known")


def _followed(link: Link, found: pb.Comparison) -> pb.Comparison:
    """As it ended; Ctrl-C ends it as it stands."""
    try:
        while found.state == TOURNAMENT_STATE_RUNNING:
            time.sleep(LOOK_EVERY)
            request = pb.GetComparisonRequest(comparison_id=found.comparison_id)
            found = link.call(link.stub.GetComparison, request).comparison
            _progress(found.boards, found.difference, found.half if found.HasField("half") else math.inf)
    except KeyboardInterrupt:
        stop = pb.CancelComparisonRequest(comparison_id=found.comparison_id)
        found = link.call(link.stub.CancelComparison, stop).comparison
    return found


def _progress(decks: int, difference: float, half: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{decks} decks: {difference:+.1f} ± {half:.1f}   ")
        sys.stderr.flush()


def _end_of_line() -> None:
    if sys.stderr.isatty():
        typer.echo("", err=True)

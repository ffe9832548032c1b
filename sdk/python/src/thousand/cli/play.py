"""`thousand play`: a person at the terminal against bots, by any preset (unrated)."""

import json
import os
import random
from pathlib import Path
from typing import Annotated

import typer

from thousand.cli.common import Failure, check_count, must_play, read_bots, read_ruleset
from thousand.cli.game import Game
from thousand.cli.wording import PERSON
from thousand.record import MatchRecord, Seat, from_dict, restore
from thousand.rules import seed_from_int
from thousand.rules.errors import RulesError

DEFAULT_BOTS = ("counter", "greedy", "cautious")


def mount(app: typer.Typer) -> None:
    """Add `thousand play`."""
    app.command("play", epilog="Example: thousand play --bots counter,greedy --preset browser --save evening.json")(
        play_command
    )


def play_command(
    bots: Annotated[str, typer.Option(help="Your opponents, clockwise from you, with commas.")] = "",
    preset: Annotated[str, typer.Option(help="A ruleset by name; see `thousand rules list`.")] = "",
    ruleset: Annotated[Path | None, typer.Option(help='A TOML file: base = "browser" and options.')] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed deals the same cards.", min=0)] = None,
    seat: Annotated[int, typer.Option(help="Where you sit.", min=0, max=3)] = 0,
    save: Annotated[Path, typer.Option(help="Where `save` and `quit` write the match.")] = Path("thousand-match.json"),
    resume: Annotated[Path | None, typer.Option(help="Go on with a match saved before.")] = None,
) -> None:
    """Play against bots. At any question: a number, or `?` for the score sheet, the auction, the deal again, saving."""
    record = _resumed(resume) if resume is not None else _new(bots, preset, ruleset, seed, seat)
    file = resume or save
    if not os.access(file.parent, os.W_OK) or file.is_dir():
        raise Failure(f"{file}: a match cannot be saved there; name another file with --save")
    game = Game(record, file, ask=_ask, say=typer.echo)
    game.run()


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        return "quit"


def _new(bots: str, preset: str, file: Path | None, seed: int | None, seat: int) -> MatchRecord:
    rules, name = read_ruleset(preset, file)
    names, classes = read_bots(bots or ",".join(DEFAULT_BOTS[: rules.players - 1]))
    check_count(names, rules.players - 1, "opponent", "--bots", f"{name or file} seats {rules.players}")
    must_play(classes, name)
    if seat >= rules.players:
        raise Failure(f"{name or file} has seats 0 to {rules.players - 1}")
    around = names[-seat:] + [PERSON] + names[: len(names) - seat] if seat else [PERSON, *names]
    drawn = random.SystemRandom().randrange(1 << 63) if seed is None else seed
    return MatchRecord(rules, seed_from_int(drawn), tuple(map(Seat, around)), (), preset=name)


def _resumed(file: Path) -> MatchRecord:
    try:
        record = from_dict(json.loads(file.read_text(encoding="utf-8")))
        restore(
            record.ruleset,
            record.seed,
            record.journal,
            first_dealer=record.first_dealer,
            first_hundred=record.first_hundred,
        )
    except (ValueError, RulesError) as error:
        raise Failure(f"{file} is no saved match: {error}") from error
    if [seat.bot for seat in record.seats].count(PERSON) != 1:
        raise Failure(f"{file} is no match of a person against bots")
    if record.result is not None:
        raise Failure(f"{file}: this match is over; `thousand replay {file}` shows it")
    return record

"""`arena demo`: a whole arena on this machine plays a round robin of the house bots before your eyes."""

import json
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import grpc
import typer

from thousand.cli import standings
from thousand.cli.common import tables
from thousand.cli.leaderboard import read_leaderboard
from thousand.cli.link import Link, on_terminal
from thousand.rules import preset as rules_of
from thousand.rules.errors import RulesError
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as kinds
from thousand.v1.leaderboard_pb2 import LeaderboardEntry
from thousand.v1.tournament_pb2 import Tournament, TournamentProgress
from workers.arena.house import house_names
from workers.cli.embedded import DataDirBusy
from workers.cli.options import fail
from workers.cli.processes import ChildFailed
from workers.cli.stage import Stage

CLOCK_FACTOR: Final = 10  # nobody shall lose on time here: it would make the outcome depend on the machine
STALLED_AFTER: Final = 120.0  # seconds without one more finished match
READY_WITHIN: Final = 120.0


class DemoFailed(Exception):
    """The demo did not go as it must; the message says how."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was played, and who won."""

    tournament: Tournament
    entries: list[LeaderboardEntry]
    seconds: float


def demo(
    bots: Annotated[int, typer.Option(help="How many house bots play.", min=3, max=12)] = 4,
    workers: Annotated[int, typer.Option(help="How many workers play blocks.", min=1, max=16)] = 2,
    referees: Annotated[int, typer.Option(help="How many referees host matches.", min=1, max=8)] = 1,
    preset: Annotated[str, typer.Option(help="The ruleset: see `thousand rules list`.")] = "tournament",
    seed: Annotated[
        int | None, typer.Option(help="Cards from a public seed: the same again, but not verifiable.", min=0)
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Keep everything in this directory.", file_okay=False)] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Stay up afterwards, for your own bot.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object on the last line.")] = False,
) -> None:
    """Play a rated round robin of the house bots on real parts, all of them on this machine."""
    _check_preset(preset, bots)
    try:
        with _stopping_on_sigterm(), _folder(data) as folder, Stage(folder, say=typer.echo) as stage:
            names = house_names(bots)
            stage.start_all(names, workers, referees=referees)
            outcome = _play(stage, names, preset, seed)
            _tell(outcome, as_json=as_json and not keep)
            if keep:
                _stay(stage, outcome, as_json)
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        raise typer.Exit(130) from None
    except (DemoFailed, ChildFailed, DataDirBusy, OSError) as error:
        fail(str(error))
    except grpc.RpcError as refusal:
        fail(f"the arena refused: {refusal.details()} ({refusal.code().name})")


def _check_preset(name: str, bots: int) -> None:
    """Before anything is started."""
    try:
        seats = rules_of(name).players
    except RulesError as error:
        fail(str(error))
    if bots < seats:
        fail(f"{name} seats {seats}: ask for --bots {seats} or more")


def _play(stage: Stage, names: list[str], preset: str, seed: int | None) -> Outcome:
    link = Link(stage.address, stage.organiser_key)
    try:
        _wait_for_bots(stage, link, names)
        request = api.CreateTournamentRequest(
            name="demo",
            format=kinds.TOURNAMENT_FORMAT_ROUND_ROBIN,
            preset=preset,
            bots=names,
            clock_factor=CLOCK_FACTOR,
            public_seed=seed,
        )
        begun = time.monotonic()
        tournament = link.call(link.stub.CreateTournament, request).tournament
        tournament = _follow(stage, link, tournament)
        seconds = time.monotonic() - begun
        entries = _rated(stage, link, tournament)
    finally:
        link.close()
    _fail_on_strikes(entries)
    return Outcome(tournament, entries, seconds)


def _wait_for_bots(stage: Stage, link: Link, names: list[str]) -> None:
    end = time.monotonic() + READY_WITHIN
    missing = list(names)
    while missing:
        stage.check()
        found = link.call(link.stub.ListBots, api.ListBotsRequest(page_size=500)).bots
        here = {bot.name for bot in found if bot.presence.instances}
        missing = [name for name in names if name not in here]
        if missing and time.monotonic() > end:
            raise DemoFailed(
                f"{', '.join(missing)} did not connect within {READY_WITHIN:.0f} s: see {stage.folder}/log"
            )
        time.sleep(0.05)


def _follow(stage: Stage, link: Link, tournament: Tournament) -> Tournament:
    begun = moved = time.monotonic()
    request = api.GetTournamentRequest(tournament_id=tournament.tournament_id)
    with _progress_shown(tournament.progress.matches_planned) as show:
        done = -1
        while tournament.state == kinds.TOURNAMENT_STATE_RUNNING:
            stage.check()
            tournament = link.call(link.stub.GetTournament, request).tournament
            progress = tournament.progress
            if progress.strikes:
                raise DemoFailed(f"{progress.strikes} strike(s): a house bot misbehaved, see {stage.folder}/log")
            if progress.matches_finished != done:
                done, moved = progress.matches_finished, time.monotonic()
            if time.monotonic() - moved > STALLED_AFTER:
                raise DemoFailed(f"no match finished for {STALLED_AFTER:.0f} s: see {stage.folder}/log")
            show(progress, time.monotonic() - begun)
            time.sleep(0.1)
    return tournament


def _rated(stage: Stage, link: Link, tournament: Tournament) -> list[LeaderboardEntry]:
    """The leaderboard once it holds every finished match."""
    end = time.monotonic() + STALLED_AFTER
    while True:
        stage.check()
        board, entries = read_leaderboard(link, tournament.leaderboard_id)
        if board.matches >= tournament.progress.matches_finished:
            return entries
        if time.monotonic() > end:
            raise DemoFailed(f"{board.matches} of {tournament.progress.matches_finished} matches were rated")
        time.sleep(0.05)


class _Lines:
    """Progress as plain lines, every two seconds at most."""

    def __init__(self) -> None:
        self.told = 0.0
        self.done = 0

    def __call__(self, progress: TournamentProgress, elapsed: float) -> None:
        over = progress.matches_finished == progress.matches_planned and self.done != progress.matches_planned
        if over or (progress.matches_finished != self.done and elapsed - self.told >= 2.0):
            self.told, self.done = elapsed, progress.matches_finished
            typer.echo(progress_line(progress, elapsed))


def progress_line(progress: TournamentProgress, elapsed: float) -> str:
    """Matches done, rate and time left, e.g. `12/24 matches, 1.5 a second, 8 s left`."""
    rate = progress.matches_finished / elapsed if elapsed > 0 else 0.0
    left = progress.matches_planned - progress.matches_finished
    eta = f", {left / rate:.0f} s left" if rate and left else ""
    return f"{progress.matches_finished}/{progress.matches_planned} matches, {rate:.1f} a second{eta}"


@contextmanager
def _progress_shown(planned: int) -> Iterator["_Lines | _Bar"]:
    if not on_terminal():
        yield _Lines()
        return
    from rich.progress import BarColumn, Progress, TextColumn

    with Progress(BarColumn(), TextColumn("{task.description}"), transient=True) as bar:
        yield _Bar(bar, bar.add_task("waiting for the first match", total=planned))


class _Bar:
    """Progress as a bar on a terminal."""

    def __init__(self, bar: object, task: object) -> None:
        self.bar, self.task = bar, task

    def __call__(self, progress: TournamentProgress, elapsed: float) -> None:
        text = f"{progress_line(progress, elapsed)}, {progress.decisions} decisions"
        self.bar.update(self.task, completed=progress.matches_finished, description=text)  # type: ignore[attr-defined]


def _fail_on_strikes(entries: list[LeaderboardEntry]) -> None:
    struck = [f"{entry.bot_name}: {entry.strikes}" for entry in entries if entry.strikes]
    if struck:
        raise DemoFailed(f"strikes where none may be ({', '.join(struck)}): the outcome is not to be relied on")


def _tell(outcome: Outcome, *, as_json: bool) -> None:
    progress = outcome.tournament.progress
    rate = progress.decisions / max(outcome.seconds, 0.001)
    typer.echo("")
    tables().print(standings.order(outcome.entries))
    typer.echo("")
    typer.echo(
        f"{progress.matches_finished} matches in {outcome.seconds:.1f} s, {progress.decisions} decisions"
        f" ({rate:.0f} a second), preset {outcome.tournament.preset}."
    )
    fairness = outcome.tournament.fairness
    if fairness.public_seed:
        typer.echo("Not verifiable: the cards came from a public seed. Unrated for the world.")
    else:
        typer.echo(f"Verifiable: commitment {fairness.commitment.hex()[:16]}…, secret {fairness.secret.hex()[:16]}…")
    if as_json:
        typer.echo(json.dumps(summary(outcome), ensure_ascii=False))


def summary(outcome: Outcome) -> dict[str, object]:
    """What `--json` prints."""
    progress = outcome.tournament.progress
    return {
        "matches": progress.matches_finished,
        "blocks": progress.blocks_finished,
        "decisions": progress.decisions,
        "seconds": round(outcome.seconds, 3),
        "verifiable": not outcome.tournament.fairness.public_seed,
        "leaderboard": [
            {
                "rank": entry.rank,
                "bot": entry.bot_name,
                "score": entry.score,
                "mu": entry.mu,
                "sigma": entry.sigma,
                "matches": entry.matches,
            }
            for entry in outcome.entries
        ],
    }


def _stay(stage: Stage, outcome: Outcome, as_json: bool) -> None:
    name = f"guest-{int(time.time()) % 1_000_000}"
    link = Link(stage.address, stage.organiser_key)
    try:
        made = link.call(link.stub.CreateBot, api.CreateBotRequest(name=name))
    finally:
        link.close()
    typer.echo(f"\nThe arena stays up at {stage.address} until Ctrl-C. A bot of yours may join as {name}:")
    typer.echo(f"  THOUSAND_SERVER={stage.address} THOUSAND_TOKEN={made.token.token} {_typed('python')} my_bot.py")
    typer.echo("and play, in another terminal:")
    typer.echo(f"  export THOUSAND_SERVER={stage.address} THOUSAND_KEY={stage.organiser_key}")
    typer.echo(f"  {_typed('thousand')} match create --bots {name},counter,greedy")
    if as_json:
        access = {"arena": stage.address, "bot": name, "token": made.token.token, "organiser_key": stage.organiser_key}
        typer.echo(json.dumps(summary(outcome) | access, ensure_ascii=False))
    while True:
        stage.check()
        time.sleep(0.5)


def _typed(command: str) -> str:
    """What to type for a program of this environment: its name where the PATH leads to it, else its whole path."""
    program = str(Path(sys.executable).with_name(command))
    return command if shutil.which(command) == program else shlex.quote(program)


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    if data is not None:
        yield data.resolve()
        return
    made = Path(tempfile.mkdtemp(prefix="thousand-demo-"))
    try:
        yield made
    except (DemoFailed, ChildFailed):
        raise  # the logs are wanted
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _stopping_on_sigterm() -> Iterator[None]:
    """SIGTERM and SIGHUP end the demo as Ctrl-C does, which works in the background too."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

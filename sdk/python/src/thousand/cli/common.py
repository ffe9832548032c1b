"""What all `thousand` commands share: errors as one line, JSON on stdout, rulesets and bots from options."""

import json
import os
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console
from typer.core import TyperGroup

from thousand.bot import Bot, plays
from thousand.bots.loading import UnknownBot, load_bot
from thousand.rules import Ruleset, preset, ruleset_from
from thousand.rules.errors import RulesError
from thousand.simulator import BotFault, SimulationError

EXIT_FAILURE = 2
DEFAULT_PRESET = "tournament"


class Failure(Exception):
    """A command cannot do what was asked. The message is one line for the person who asked."""


class OneLineErrors(TyperGroup):
    """A group whose errors are one line on stderr and exit code 2: no usage screen, no traceback."""

    def main(self, *args: Any, **extra: Any) -> Any:
        if not extra.get("standalone_mode", True):
            return super().main(*args, **extra)
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except KeyboardInterrupt:
            sys.exit(130)
        except typer.Abort:
            fail("stopped")
        except BrokenPipeError:
            sys.stderr.close()  # the reader has gone: nothing is left to say
            sys.exit(1)
        except OSError as error:
            fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except UnicodeEncodeError as error:
            fail(_unwritable(error))
        except (Failure, RulesError, BotFault, SimulationError, UnknownBot) as error:
            fail(str(error))
        except Exception as error:
            told = getattr(error, "format_message", None)  # a usage error; its class differs between typer releases
            if told is None:
                raise
            if type(error).__name__ == "NoArgsIsHelpError":
                typer.echo(told(), err=True)
                sys.exit(EXIT_FAILURE)
            fail(f"{told()} {_where_to_look(error)}")
        sys.exit(code if isinstance(code, int) else 0)


def fail(message: str) -> NoReturn:
    """Say what is wrong in one line on stderr, and stop."""
    typer.echo(f"thousand: {' '.join(message.split())}", err=True)
    sys.exit(EXIT_FAILURE)


def _where_to_look(error: Any) -> str:
    """The help of the command that was called wrongly."""
    called = error.ctx.command_path if getattr(error, "ctx", None) else "thousand"
    return f"(see `{called} --help`)"


def _unwritable(error: UnicodeEncodeError) -> str:
    """Bytes of the command line that are no text, or text that standard output cannot show."""
    if error.encoding.lower().startswith("utf"):
        return f"{error.object!r} is no text in UTF-8: write it in UTF-8"
    return f"standard output takes {error.encoding} only: set PYTHONIOENCODING=utf-8"


@contextmanager
def bots_on_stderr() -> Iterator[None]:
    """What bots print meanwhile goes to standard error, from any process: standard output is the command's own."""
    sys.stdout.flush()
    kept = os.dup(1)
    try:
        os.dup2(2, 1)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def print_json(value: object) -> None:
    """One line of JSON on stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def console() -> Console:
    """For tables on stdout; plain text where that is no terminal."""
    return Console(highlight=False, soft_wrap=True)


def tables() -> Console:
    """For wide tables on stdout: as wide as the terminal, and never cut where there is none."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 240)


def read_ruleset(preset_name: str, file: Path | None) -> tuple[Ruleset, str]:
    """The ruleset of `--preset` (`tournament` if neither is named) or `--ruleset`, and its name (empty: custom)."""
    if file is None:
        name = preset_name or DEFAULT_PRESET
        return preset(name), name
    if preset_name:
        raise Failure("name either --preset or --ruleset, not both")
    return ruleset_of_toml(file), ""


def ruleset_of_toml(file: Path) -> Ruleset:
    """A custom ruleset: `base = "browser"` and any options of RULES 3 by name. Raises Failure or InvalidRuleset."""
    try:
        options: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Failure(f"{file}: {error}") from error
    base = options.pop("base", "tournament")
    if not isinstance(base, str):
        raise Failure(f"{file}: base must be the name of a preset")
    return ruleset_from(base, options)


def read_bots(text: str) -> tuple[list[str], list[type[Bot]]]:
    """The bots of `--bots a,b,c`: their names as written, and their classes."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return names, [load_bot(name) for name in names]


def check_count(names: Sequence[str], wanted: int, word: str, option: str, why: str) -> None:
    """Raise Failure unless `wanted` bots are named."""
    if len(names) != wanted:
        raise Failure(f"{why}: name {plural(wanted, word)} with {option}, not {len(names)}")


def must_play(bots: Sequence[type[Bot]], preset_name: str) -> None:
    """Refuse bots that say they do not play this preset ("": a custom ruleset). Raises Failure."""
    for bot in bots:
        if not plays(bot, preset_name):
            only = ", ".join(bot.presets or ())
            raise Failure(f"{bot.__name__} says it plays {only} only, not {preset_name or 'a custom ruleset'}")


def progress_line(done: int, total: int, what: str) -> None:
    """Progress on stderr, on one line of a terminal; nothing where stderr is no terminal."""
    if sys.stderr.isatty() and (done == total or done % max(1, total // 200) == 0):
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r{done}/{total} {what}{end}")
        sys.stderr.flush()


def plural(count: int, word: str) -> str:
    """`1 deal`, `2 deals`, `2 matches`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}{'es' if word.endswith('ch') else 's'}"


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))

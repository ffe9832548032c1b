"""Every command of `thousand` and `arena`: help with an example, JSON for programs, and plain words for wrong input."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from thousand.cli import app as thousand
from workers.cli import app as arena

APPS = {"thousand": thousand, "arena": arena}
FOR_PEOPLE_ONLY = {"thousand play", "arena worker", "arena house-bot"}  # a dialogue; processes that only log
ROOT = Path(__file__).parents[2]
NOWHERE = "127.0.0.1:1"


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Every command below this one, by the words that call it."""
    below = getattr(command, "commands", None)
    if below is None:
        yield name, command
        return
    for word, child in below.items():
        yield from commands(f"{name} {word}", child)


ALL = dict(found for name, app in APPS.items() for found in commands(name, typer.main.get_command(app)))


def run(words: list[str]) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    result = CliRunner(env={"COLUMNS": "200", "THOUSAND_SERVER": NOWHERE}).invoke(APPS[words[0]], words[1:])
    assert not isinstance(result.exception, Exception), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("words", ALL)
def test_help_has_an_example_that_names_the_command(words: str) -> None:
    code, out, _ = run([*words.split(), "--help"])
    assert code == 0
    assert re.search(rf"Examples?: .*{re.escape(words)}", " ".join(out.split()))


@pytest.mark.parametrize("words", ALL)
def test_every_command_that_a_program_may_read_has_json(words: str) -> None:
    options = {option for parameter in ALL[words].params for option in parameter.opts}
    assert ("--json" in options) is (words not in FOR_PEOPLE_ONLY)


@pytest.mark.parametrize("words", ALL)
def test_every_argument_and_option_says_what_it_is(words: str) -> None:
    assert [parameter.name for parameter in ALL[words].params if not getattr(parameter, "help", None)] == []


@pytest.mark.parametrize("module", ["referee", "thousand.compiling", "referee.compiling", "benchmarks"])
def test_what_is_run_as_a_module_has_help_with_an_example_and_refuses_what_it_does_not_know(module: str) -> None:
    def told(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-m", module, *words]
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    code, text = told("--help")
    assert code == 0
    assert f"Example: python -m {module} " in text
    code, text = told(*(["--public-key=k.pem"] if module == "referee" else []), "--nonsense")
    assert code == 2
    assert "--nonsense" in text


WRONG = [
    ("match create --bots a,b,c --seed -1", "--seed"),
    ("match create --bots a,b,c --seed 99999999999999999999999", "--seed"),
    ("match create --bots a,b,c --clocks 99999999999", "--clocks"),
    ("match create --bots ,", "separated by commas"),
    ("match create --bots a,b,c --preset classic --ruleset x.toml", "not both"),
    ("match create --bots a,b,c --ruleset nowhere.toml", "nowhere.toml"),
    ("tournament create cup --bots a,b,c --format knockabout", "round_robin"),
    ("tournament create cup --bots a,b,c --seed -1", "--seed"),
    ("tournament create cup --bots a,b,c --no-show never", "choose of unrated, last"),
    ("tournament create cup --bots a,b,c --postponements -1", "--postponements"),
    ("tournament create cup --bots a,b,c --postpone 0", "--postpone"),
    ("match watch m --server 127.0.0.1:1", "no arena answers at 127.0.0.1:1"),
    ("bot list --server nonsense", "write HOST:PORT"),
    ("bot list --server 127.0.0.1:99999", "at most 65535"),
    ("bot list --key ключ", "plain ASCII"),
    ("bot show x", "no arena answers at 127.0.0.1:1"),
    ("replay no-such-match", "there is no file no-such-match; no arena answers"),
    ("replay nowhere.txt", "nowhere.txt"),
    ("leaderboard show", "leaderboard show --help"),
    ("bot list --nonsense", "bot list --help"),
    ("rules show nonsense", "presets: classic"),
    ("rules check-cases nowhere.jsonl", "nowhere.jsonl"),
    ("rules check-cases /", "/"),
    ("simulate --bots counter,greedy --deals 3", "seats 3"),
    ("simulate --bots a,b,c --deals 3", "no bot 'a'"),
    ("simulate --bots counter,greedy,random", "--deals N or --matches N"),
    ("compare counter greedy --field random", "seats 3"),
]


@pytest.mark.parametrize(("words", "told"), WRONG, ids=[words for words, _ in WRONG])
def test_wrong_input_is_one_line_that_says_what_to_do(words: str, told: str) -> None:
    code, out, err = run(["thousand", *words.split(" ")])
    assert (code != 0, out) == (True, "")
    assert len(err.splitlines()) == 1
    assert told in err

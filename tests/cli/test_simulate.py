"""`thousand simulate` and `thousand compare`: figures as JSON, faults as one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thousand.cli import app
from thousand.rules import PRESETS

OWN_BOT = """
from thousand import Bot

class First(Bot):
    def decide(self, view, actions):
        return actions[0]

class Broken(Bot):
    def decide(self, view, actions):
        raise ValueError("no idea")

class Picky(First):
    presets = ("classic",)

class NoBot:
    pass
"""


def run(*words: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of `thousand words…`."""
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "own.py"
    file.write_text(OWN_BOT)
    return str(file)


def test_the_last_line_is_one_json_object() -> None:
    code, out, _ = run("simulate", "--bots", "counter,cautious,random", "--deals", "3", "--seed", "1", "--json")
    assert code == 0
    result = json.loads(out.splitlines()[-1])
    assert [bot["bot"] for bot in result["bots"]] == ["counter", "cautious", "random"]
    for bot in result["bots"]:
        low, high = bot["interval"]
        assert low <= bot["points_per_deal"] <= high
    assert (result["decks"], result["deals"], result["seed"]) == (3, 18, 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_with_fitting_bots(preset: str) -> None:
    bots = ",".join(["counter", "greedy", "cautious", "random"][: PRESETS[preset].players])
    words = ("--deals", "1", "--seed", "1", "--processes", "1", "--json")
    code, out, err = run("simulate", "--bots", bots, "--preset", preset, *words)
    assert code == 0, err
    assert json.loads(out)["preset"] == preset


def test_whole_matches_as_a_table(own: str) -> None:
    code, out, _ = run("simulate", "--bots", f"counter,{own}:First,greedy", "--matches", "1", "--seed", "1")
    assert code == 0
    assert "points/deal" in out
    assert "First" in out


def test_a_ruleset_from_toml(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "browser"\nwin_score = 1001\ngolden = "double"\n')
    code, out, err = run("simulate", "--bots", "random,random,random", "--deals", "1", "--ruleset", str(file), "--json")
    assert code == 0, err
    assert json.loads(out)["preset"] == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('base = "nowhere"', "nowhere"),
        ("win_skore = 1", "win_skore"),
        ("base = 3", "base must be"),
        ("base = ", "mine.toml"),
        ('two_player = "dummy"', "two_player"),
    ],
)
def test_a_bad_ruleset_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    code, out, err = run("simulate", "--bots", "random,random,random", "--deals", "1", "--ruleset", str(file))
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("bots", "more", "told"),
    [
        ("counter,random", ("--deals", "1"), "seats 3"),
        ("counter,random,nobody", ("--deals", "1"), "nobody"),
        ("counter,random,nofile.py:Bot", ("--deals", "1"), "nofile.py"),
        ("counter,random,{own}:Missing", ("--deals", "1"), "Missing"),
        ("counter,random,{own}:NoBot", ("--deals", "1"), "NoBot"),
        ("counter,random,{own}:Broken", ("--deals", "1"), "no idea"),
        ("counter,random,greedy", (), "--deals N or --matches N"),
        ("counter,random,greedy", ("--deals", "1", "--matches", "1"), "--deals N or --matches N"),
        ("counter,random,greedy", ("--deals", "many"), "--deals"),
        ("counter,random,greedy", ("--deals", "1", "--preset", "nix"), "nix"),
        ("counter,random,greedy", ("--deals", "1", "--ruleset", "nix.toml"), "nix.toml"),
        ("counter,random,greedy", ("--dels", "1"), "--dels"),
    ],
)
def test_faults_are_one_line_and_exit_2(own: str, bots: str, more: tuple[str, ...], told: str) -> None:
    code, out, err = run("simulate", "--bots", bots.format(own=own), *more)
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


def test_a_file_that_cannot_be_run(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("1/0")
    code, _, err = run("simulate", "--bots", f"{file}:X,random,random", "--deals", "1")
    assert code == 2
    assert "ZeroDivisionError" in err


def test_compare_says_who_is_better() -> None:
    code, out, _ = run("compare", "counter", "random", "--field", "cautious,cautious", "--processes", "1")
    assert code == 0
    assert out.startswith("counter is better than random by ")
    assert out.rstrip().endswith("points a deal (95 %)")


def test_compare_as_json() -> None:
    words = ("--field", "cautious,greedy", "--max-decks", "1", "--json")
    code, out, _ = run("compare", "counter", "counter", *words)
    assert code == 0
    assert json.loads(out)["half"] is None
    assert json.loads(out)["decks"] == 1


def test_compare_needs_a_field_that_fits() -> None:
    code, _, err = run("compare", "counter", "random", "--field", "cautious")
    assert code == 2
    assert "name 2 bots with --field" in err


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--deals", "1", "--bots", "{bot},random,random"],
        ["compare", "random", "{bot}", "--field", "random,random"],
        ["play", "--bots", "{bot},random"],
    ],
)
def test_a_bot_plays_only_what_it_says_it_plays(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "own.py").write_text(OWN_BOT)
    (tmp_path / "rules.toml").write_text('base = "classic"\nmax_deals = 1\n')
    named = [word.replace("{bot}", f"{tmp_path / 'own.py'}:Picky") for word in words]
    for rules in (["--preset", "browser"], ["--ruleset", str(tmp_path / "rules.toml")]):
        code, _, err = run(*named, *rules)
        assert (code, err.count("\n")) == (2, 1)
        assert "Picky says it plays classic only, not" in err
    assert words[0] != "simulate" or run(*named, "--preset", "classic")[0] == 0


NOISY = """
import os, sys
from thousand import Bot
class Noisy(Bot):
    def decide(self, view, actions):
        sys.stderr.write("x" * 100_000)
        print("thinking", end="")
        os.write(1, b"aloud")
        return actions[0]
"""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_b70_what_a_bot_prints_spoils_no_answer(tmp_path: Path, processes: str) -> None:
    """Some megabytes to standard error, and to standard output without a line's end."""
    bot = tmp_path / "noisy.py"
    bot.write_text(NOISY)
    thousand = [str(Path(sys.executable).with_name("thousand"))]
    options = ["--seed", "1", "--processes", processes, "--json"]
    bots = f"{bot}:Noisy,cautious,random"
    for command in (
        ["simulate", "--bots", bots, "--deals", "2"],
        ["compare", f"{bot}:Noisy", "cautious", "--field", "random,greedy", "--max-decks", "10"],
    ):
        done = subprocess.run([*thousand, *command, *options], check=True, capture_output=True, timeout=60)
        assert len(done.stdout.splitlines()) == 1
        assert isinstance(json.loads(done.stdout), dict)
        assert b"thinking" in done.stderr
        assert b"aloud" in done.stderr

"""`thousand rules`: presets listed and shown, worked cases checked."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thousand.cli import app
from thousand.rules import PRESETS, preset
from thousand.ruletables import options_markdown, presets_markdown

CASES = Path(__file__).parents[1] / "cases"


def run(*words: str) -> tuple[int, str]:
    """Exit code and stdout."""
    result = CliRunner().invoke(app, ["rules", *words])
    return result.exit_code, result.stdout


def test_list_shows_every_preset() -> None:
    code, out = run("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(PRESETS)
    told = json.loads(run("list", "--json")[1])
    assert told["classic-2"] == {
        "players": 2,
        "base": "classic",
        "differs": {"players": 2, "two_player": "two_talons_of_2"},
    }
    assert run("list", "--markdown")[1] == presets_markdown()


@pytest.mark.parametrize("name", PRESETS)
def test_show_tells_every_option_by_value(name: str) -> None:
    assert json.loads(run("show", name, "--json")[1]) == preset(name).to_dict()
    lines = run("show", name)[1].splitlines()
    assert [line.split()[0] for line in lines] == list(preset(name).to_dict())


def test_show_markdown_is_the_table_of_the_page() -> None:
    assert run("show", "tournament", "--markdown")[1] == options_markdown("tournament")


def test_show_diff() -> None:
    code, out = run("show", "classic", "--diff", "classic-4")
    assert code == 0
    assert [line.split() for line in out.splitlines()] == [
        ["option", "classic", "classic-4"],
        ["players", "3", "4"],
        ["first_speaker", "after_forced", "right_of_dealer"],
    ]
    assert json.loads(run("show", "classic", "--diff", "classic-2", "--json")[1])["players"] == {
        "classic": 3,
        "classic-2": 2,
    }


@pytest.mark.parametrize("file", sorted(CASES.glob("*.jsonl")), ids=lambda file: file.stem)
def test_check_cases(file: Path) -> None:
    code, out = run("check-cases", str(file))
    count = len(file.read_text(encoding="utf-8").splitlines())
    assert out.splitlines()[-1] == f"{count} passed, 0 failed, 0 skipped"
    assert code == 0


def test_check_cases_tells_what_failed_and_exits_1(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    series = {"preset": "browser", "kind": "series", "previous": {"players": 3, "winner": 1, "last_dealer": 2}}
    lines = [
        {"id": "good", "expect": {"dealer": 0}, **series},
        {"id": "wrong", "expect": {"dealer": 1}, **series},
        {"id": "later", "expect": {"dealer": 1}, "skip": "not yet", **series},
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    code, out = run("check-cases", str(file))
    assert code == 1
    assert out.splitlines() == [
        f"FAILED wrong ({file}:2): dealer: expected 1, actual 0",
        f"SKIPPED later ({file}:3): not yet",
        "1 passed, 1 failed, 1 skipped",
    ]

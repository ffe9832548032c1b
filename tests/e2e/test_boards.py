"""Duplicate play on real parts, from the command line: one deck at two tables, compared seat by seat."""

import json
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.e2e.conftest import Play, eventually
from thousand.cli import app
from thousand.comparison import verdict
from workers.cli.stage import Stage

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300), pytest.mark.xdist_group("e2e")]
SIX = ["counter", "cautious", "greedy", "random", "counter-2", "cautious-2"]


def thousand(stage: Stage, *arguments: str) -> str:
    """What a `thousand` command prints, called by the organiser."""
    done = CliRunner().invoke(app, [*arguments, "--server", stage.address, "--key", stage.organiser_key])
    assert done.exit_code == 0, done.output
    return done.stdout


def held(stage: Stage) -> tuple[dict[str, Any], dict[str, Any]]:
    """Eight boards of the six, from a public seed: the tournament at its end, and the leaderboard's entries by bot."""
    words = ["tournament", "create", "Duplicate", "--format", "boards", "--option", "boards=8", "--seed", "7"]
    told = thousand(stage, *words, "--clocks", "10", "--bots", ",".join(SIX), "--watch", "--json")
    last = json.loads(told.splitlines()[-1])
    show = ["leaderboard", "show", last["leaderboard_id"], "--json"]
    board = eventually(
        "all boards are rated", lambda: (b := json.loads(thousand(stage, *show)))["leaderboard"]["matches"] == 16 and b
    )
    return last, {entry["bot_name"]: entry for entry in board["entries"]}


def test_boards_end_to_end(stage: Stage) -> None:
    stage.start_all(SIX, workers=1)
    Play(stage).wait_for_bots(SIX)
    last, entries = held(stage)
    assert (last["state"], last["format"], last["options"]) == ("finished", "boards", {"boards": "8"})
    assert last["ruleset"]["max_deals"] == 1
    assert last["progress"]["matches_finished"] == 16
    assert set(entries) == set(SIX)
    assert {(entry["matches"], entry["deals"]) for entry in entries.values()} == {(8, 8)}
    assert sum(round(entry["points_per_deal"] * 8) for entry in entries.values()) == 0  # differences
    assert entries["random"]["points_per_deal"] < 0
    assert entries["random"]["rank"] >= 5

    matches = json.loads(thousand(stage, "match", "list", last["tournament_id"], "--json"))["matches"]
    by_board: dict[str, list[str]] = {}
    for match in matches:
        by_board.setdefault(match["block_id"], []).append(match["match_id"])
    assert sorted(map(len, by_board.values())) == [2] * 8
    tables = next(iter(by_board.values()))
    records = [json.loads(thousand(stage, "match", "record", match_id, "--json")) for match_id in tables]
    assert records[0]["seed"] == records[1]["seed"]
    assert [record["table"] for record in records] == [0, 1]
    assert not {s["bot"] for s in records[0]["seats"]} & {s["bot"] for s in records[1]["seats"]}

    for number in (2, 3, 4):
        stage.start_worker(f"worker-{number}")
    assert held(stage)[1] == entries  # however many workers play it
    rebuilt = subprocess.run(
        [
            sys.executable, "-m", "workers.cli", "ratings", "rebuild", "--leaderboard", last["leaderboard_id"],
            "--data", str(stage.folder), "--redis", stage.redis_url,
        ], check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr


def test_compare_on_an_arena(stage: Stage) -> None:
    """The sentence that `thousand compare` says offline, of registered bots on boards of two tables."""
    names = ["counter", "random", "cautious", "greedy"]
    stage.start_all(names, workers=2)
    Play(stage).wait_for_bots(names)
    words = ["compare", "counter", "random", "--field", "cautious,greedy", "--max-decks", "24"]
    found = json.loads(thousand(stage, *words, "--json"))
    assert (found["decks"], found["deals"]) == (24, 48)
    assert found["difference"] > 0
    assert found["verdict"] == verdict("counter", "random", found["difference"], found["half"], 24)
    matches = json.loads(thousand(stage, "match", "list", found["comparison_id"], "--json"))["matches"]
    assert len(matches) == 48
    assert not any(match["rated"] for match in matches)
    assert not json.loads(thousand(stage, "leaderboard", "list", "--json"))["leaderboards"]

"""`arena demo` as a person runs it: the same seed gives the same table, and nothing stays running, however it ends."""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.conftest import ROOT, eventually, family, run_demo
from tests.support.processes import gone

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300), pytest.mark.xdist_group("e2e")]


def test_a_whole_tournament_without_a_strike(undisturbed: dict[str, Any]) -> None:
    assert (undisturbed["matches"], undisturbed["blocks"]) == (24, 4)
    assert undisturbed["decisions"] > 5_000
    assert [entry["rank"] for entry in undisturbed["leaderboard"]] == [1, 2, 3, 4]
    assert {entry["matches"] for entry in undisturbed["leaderboard"]} == {18}
    assert undisturbed["leaderboard"][-1]["bot"] == "random"


def test_the_readme_s_leaderboard_is_the_one_that_its_command_plays(undisturbed: dict[str, Any]) -> None:
    """If the house bots play otherwise: run `arena demo --bots 4 --seed 7` and paste its table."""
    shown = [line.split() for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()]
    rows = [words[:6] + words[7:8] for words in shown if len(words) == 13 and words[0].isdigit() and words[4] == "±"]
    assert rows == [
        [
            *(str(entry["rank"]), entry["bot"], f"{entry['score']:.2f}"),
            *(f"{entry['mu']:.2f}", "±", f"{entry['sigma']:.2f}", str(entry["matches"])),
        ]
        for entry in undisturbed["leaderboard"]
    ]


@pytest.mark.parametrize(
    ("how", "when"),
    [
        (signal.SIGINT, "playing"),
        (signal.SIGKILL, "playing"),
        (signal.SIGTERM, "starting"),
        (signal.SIGKILL, "starting"),
    ],
)
def test_nothing_stays_running(tmp_path: Path, how: signal.Signals, when: str) -> None:
    demo = run_demo("--seed", "1", data=tmp_path)
    assert demo.stdout is not None
    told = []
    for line in demo.stdout:
        told.append(line)
        if ("matches," if when == "playing" else "starting a referee") in line:
            break
    else:
        raise AssertionError("the demo ended early:\n" + "".join(told))
    time.sleep(0.3)
    started = family(psutil.Process(demo.pid))
    assert len(started) >= 3
    demo.send_signal(how)
    demo.wait(30)
    assert [process for process in started if not gone(process.pid, within=10)] == []
    demo.stdout.close()
    if how is not signal.SIGKILL:
        assert demo.returncode == 130


def test_what_keep_prints_connects_a_bot_of_one_s_own_and_plays(tmp_path: Path) -> None:
    """The README's bot, by the lines as they stand, in a shell whose PATH knows nothing of our environment."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "my_bot.py").write_text(readme.split("```python\n")[1].split("```")[0], encoding="utf-8")
    environment = os.environ | {"PATH": "/usr/bin:/bin"}
    demo = run_demo("--seed", "1", "--bots", "3", "--keep", data=tmp_path / "data", env=environment)
    assert demo.stdout is not None
    lines: list[str] = []
    for line in demo.stdout:
        lines.append(line.strip())
        if "match create" in line:
            break
    connect, _, export, create = lines[-4:]
    bot = subprocess.Popen(["/bin/sh", "-c", f"exec env {connect}"], cwd=tmp_path, env=environment)

    def played() -> str:
        """What the match says, once the bot is connected."""
        command = ["/bin/sh", "-c", f"{export}; {create}"]
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 or "not connected" in done.stderr, done.stderr
        return done.stdout

    try:
        assert "finished" in eventually("the match is played", played, 30)
    finally:
        bot.kill()
        bot.wait()
        demo.terminate()
        demo.wait(30)
        demo.stdout.close()

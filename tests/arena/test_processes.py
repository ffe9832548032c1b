"""workers.cli.processes: children die with their parent, are stopped by pid, and say why they failed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.processes import gone
from workers.cli.processes import LOG_MOST, ChildFailed, start, stop_all

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_a_child_keeps_its_pid_and_stops_when_asked(tmp_path: Path) -> None:
    child = start("sleeper", SLEEP, log=tmp_path / "log")
    child.check()
    child.stop()
    assert child.process.returncode == -signal.SIGTERM


def test_a_child_that_ended_tells_the_end_of_its_log(tmp_path: Path) -> None:
    child = start("breaker", [sys.executable, "-c", "import sys; sys.exit('out of paper')"], log=tmp_path / "log")
    child.process.wait()
    with pytest.raises(ChildFailed, match=r"breaker ended with exit code 1[\s\S]*out of paper"):
        child.check()


def test_the_first_line_is_read_as_json(tmp_path: Path) -> None:
    script = "import time; print('{\"port\": 7}', flush=True); time.sleep(60)"
    child = start("server", [sys.executable, "-c", script], log=tmp_path / "log", ready=True)
    assert child.first_json() == {"port": 7}
    stop_all([child])


def test_a_child_that_never_says_it_is_ready_is_named(tmp_path: Path) -> None:
    child = start("mute", SLEEP, log=tmp_path / "log", ready=True)
    with pytest.raises(ChildFailed, match="mute was not ready"):
        child.first_json(timeout=0.2)
    stop_all([child])


def test_children_and_grandchildren_die_with_a_killed_parent(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from workers.cli.processes import start\n"
        "depth = int(sys.argv[1])\n"
        "command = [sys.executable, *sys.argv[0:1], str(depth - 1)] if depth else ['sleep', '60']\n"
        "child = start('next', command, log=Path(sys.argv[0]).with_suffix('.log'))\n"
        "Path(sys.argv[0]).with_suffix(f'.{depth}').write_text(str(child.pid))\n"
        "time.sleep(60)\n"
    )
    (tmp_path / "family.py").write_text(script)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    parent = subprocess.Popen([sys.executable, str(tmp_path / "family.py"), "1"], env=env)
    pids = [int(_when_written(tmp_path / f"family.{depth}")) for depth in (1, 0)]
    parent.kill()
    parent.wait()
    assert all(gone(pid) for pid in pids)


def _when_written(path: Path) -> str:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.02)
    raise AssertionError(f"{path} was not written")


FLOODS = {
    "lines": ("stderr", r"\n"),
    "no line ends": ("stdout", ""),
}


@pytest.mark.parametrize("what", FLOODS)
def test_b70_a_child_that_floods_is_never_held_up_and_its_log_is_cut(tmp_path: Path, what: str) -> None:
    stream, end_of_line = FLOODS[what]
    script = (
        "import sys, time\n"
        f"for _ in range(1_000_000): sys.{stream}.write('x' * 99 + '{end_of_line}')\n"
        f"sys.{stream}.write('the end\\n'); sys.{stream}.flush(); time.sleep(60)"
    )
    child = start("flood", [sys.executable, "-c", script], log=tmp_path / "log")
    end = time.monotonic() + 40
    told = b""
    while not told.rstrip().endswith(b"the end"):
        child.check()
        assert time.monotonic() < end
        time.sleep(0.02)
        with (tmp_path / "log").open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - 100))
            told = log.read()
    child.check()
    assert (tmp_path / "log").stat().st_size <= LOG_MOST
    assert b"bytes were cut here]" in (tmp_path / "log").read_bytes()
    child.kill()

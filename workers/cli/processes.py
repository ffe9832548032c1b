"""Child processes of the `arena` command: started tied to their parent, watched, and stopped by their pid.

Law: nothing that is started here outlives the process that started it. Start children from the main thread: on Linux
they die with the thread that started them.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

LOG_MOST = 64 << 20
LOG_KEPT = 1 << 20
TIED = Path(__file__).with_name("tied.py")


class ChildFailed(Exception):
    """A process that had to run ended, or did not come up; the message shows the end of its log."""


@dataclass(slots=True)
class Child:
    """A running process of ours, and where its output goes."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    def check(self) -> None:
        """Raise ChildFailed if it has ended. Its log is kept short meanwhile."""
        trim(self.log)
        code = self.process.poll()
        if code is not None:
            raise ChildFailed(f"{self.name} ended with {_describe(code)}.\n{tail(self.log)}")

    def first_json(self, timeout: float = 120.0) -> dict[str, Any]:
        """The JSON object that the process prints as its first line. Raises ChildFailed if none comes."""
        stdout = self.process.stdout
        assert stdout is not None, "started without ready=True"
        line = _read_line(stdout, self, timeout)
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ChildFailed(f"{self.name} did not say that it is ready, but {line!r}.\n{tail(self.log)}")
        return found

    def stop(self, grace: float = 5.0) -> None:
        """SIGTERM, and SIGKILL after `grace` seconds."""
        self.ask_to_stop()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(grace)
        self.kill()

    def ask_to_stop(self) -> None:
        """SIGTERM, without waiting."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL, and collect it."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def start(
    name: str,
    command: Sequence[str],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    ready: bool = False,
    cwd: Path | None = None,
) -> Child:
    """Start `command` tied to this process, out of reach of the terminal's Ctrl-C, its output appended to `log`.

    With `ready`, its standard output is a pipe for `Child.first_json`; whoever asks for it prints one line only.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(TIED), str(os.getpid()), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if ready else output,
            stderr=output,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            start_new_session=True,
        )
    return Child(name, process, log)


def stop_all(children: Sequence[Child], grace: float = 5.0) -> None:
    """Stop in the order given: all are asked, and whoever still runs after `grace` seconds together is killed."""
    end = time.monotonic() + grace
    for child in children:
        child.ask_to_stop()
    for child in children:
        with suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0.0, end - time.monotonic()))
        child.kill()


def tail(log: Path, lines: int = 15) -> str:
    """The end of a log, for an error message."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"(no log at {log})"
    return f"The end of {log}:\n" + "\n".join(f"  {line}" for line in text.splitlines()[-lines:])


def trim(log: Path, most: int = LOG_MOST, keep: int = LOG_KEPT) -> None:
    """Cut a log that has grown beyond `most` bytes down to its end. Whoever writes it appends, and is not disturbed."""
    with suppress(OSError):
        size = log.stat().st_size
        if size <= most:
            return
        with log.open("rb") as read:
            read.seek(size - keep)
            end = read.read(keep)
        os.truncate(log, 0)
        with log.open("ab") as written:
            written.write(f"[{size - keep} bytes were cut here]\n".encode() + end)


def _read_line(stdout: IO[bytes], child: Child, timeout: float) -> str:
    end = time.monotonic() + timeout
    os.set_blocking(stdout.fileno(), False)
    line = b""
    while not line.endswith(b"\n"):
        piece = stdout.readline()
        if piece:
            line += piece
            continue
        child.check()
        if time.monotonic() > end:
            raise ChildFailed(f"{child.name} was not ready after {timeout:.0f} s.\n{tail(child.log)}")
        time.sleep(0.005)
    return line.decode(errors="replace").strip()


def _describe(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"

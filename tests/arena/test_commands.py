"""The `arena` commands that look after an arena: doctor, ratings, and what the others say when nothing runs."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rq import Worker
from rq.serializers import JSONSerializer
from typer.testing import CliRunner

from tests.support.redis_server import RedisServer
from tests.workers import arena
from workers.arena.keys import make_keys
from workers.cli.embedded import DataDir, start_redis
from workers.cli.main import app
from workers.projection import project
from workers.queue import BlockQueue
from workers.scheduler import Scheduler
from workers.store import Store, keys


def run(*words: str, code: int = 0) -> str:
    """What the command says, both streams together."""
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output
    return done.output


def findings(*words: str, code: int) -> dict[str, dict[str, Any]]:
    """What `arena doctor --json` finds, by what it looked at."""
    told = json.loads(run("doctor", "--json", *words, code=code))
    assert told["ok"] is (code == 0)
    return {one["what"]: one for one in told["findings"]}


@contextmanager
def a_worker(server: RedisServer) -> Iterator[None]:
    """One that takes blocks."""
    blocks = BlockQueue(server.url)
    worker: Any = Worker([blocks.queue], name="w1", connection=blocks.connection, serializer=JSONSerializer)
    worker.register_birth()
    yield
    worker.register_death()
    blocks.close()


def test_the_doctor_finds_a_sound_arena_sound(store: Store, server: RedisServer, tmp_path: Path) -> None:
    make_keys(tmp_path)
    arena.present(store, 3)
    with a_worker(server):
        found = findings("--data", str(tmp_path), "--redis", server.url, code=0)
    assert found["workers"]["found"] == "1 registered, no start failures"
    assert found["Redis"]["found"].startswith(server.url)
    assert found["referee r1"]["found"] == "attended"
    assert found["Python"]["found"] == sys.version.split()[0]


def test_the_doctor_names_each_fault_and_its_cure(store: Store, server: RedisServer, tmp_path: Path) -> None:
    make_keys(tmp_path)
    (tmp_path / "service.token").chmod(0o644)
    arena.present(store, 3)
    store.presence.absent("r1")
    store.presence.start_failed("w1")
    store.connection.client.rpush(keys.CONFLICTS, "{}")
    with a_worker(server):
        found = findings("--data", str(tmp_path), "--redis", server.url, code=1)
    assert {what for what, one in found.items() if not one["ok"]} == {
        "service.token", "referee r1", "workers", "results"
    }  # fmt: skip
    assert found["service.token"]["todo"] == f"chmod 600 {tmp_path / 'service.token'}"
    assert "w1: 1 failures" in found["workers"]["found"]


def test_the_doctor_misses_workers(store: Store, server: RedisServer, tmp_path: Path) -> None:
    """A program that only counts failures finds an arena sound in which nothing is ever played."""
    make_keys(tmp_path)
    arena.present(store, 3)
    found = findings("--data", str(tmp_path), "--redis", server.url, code=1)
    assert [what for what, one in found.items() if not one["ok"]] == ["workers"]
    assert (found["workers"]["found"], found["workers"]["todo"]) == ("none registered", "start one: arena worker")


def test_the_doctor_says_that_no_redis_answers(tmp_path: Path) -> None:
    make_keys(tmp_path)
    found = findings("--data", str(tmp_path), "--redis", "redis://127.0.0.1:1/0", code=1)
    assert "no answer" in found["Redis"]["found"]


def test_the_embedded_server_of_a_data_directory_needs_no_name(tmp_path: Path) -> None:
    make_keys(tmp_path)
    data = DataDir(tmp_path)
    child, url = start_redis(data)
    found = findings("--data", str(tmp_path), code=1)  # no referee is there
    assert found["Redis"]["found"].startswith(url)
    assert found["data directory"]["ok"]
    assert "there are none yet" in run("ratings", "rebuild", "--leaderboard", "x", "--data", str(tmp_path), code=1)
    child.stop()
    data.release()


@pytest.mark.parametrize(
    "command",
    [["referee"], ["worker"], ["house-bot", "counter"], ["ratings", "rebuild", "--leaderboard", "all"]],
    ids=lambda command: command[0],
)
def test_without_an_arena_a_command_says_what_to_start(tmp_path: Path, command: list[str]) -> None:
    assert f"arena up --data {tmp_path}" in run(*command, "--data", str(tmp_path), code=1)


def test_a_rebuild_says_whether_the_bytes_are_the_same(store: Store, server: RedisServer) -> None:
    arena.present(store, 3, places=6)
    arena.tournament(store, public_seed=1)
    scheduler = Scheduler(store, arena.ListQueue())
    scheduler.tick()
    (board,) = store.leaderboards.all()
    project(store, board)
    command = ("ratings", "rebuild", "--leaderboard", board.leaderboard_id, "--redis", server.url)
    assert "the same bytes" in run(*command)
    store.connection.client.hset(keys.standings(board.leaderboard_id), "#", '{"cursor":0,"matches":5}')
    assert json.loads(run(*command, "--json", code=1))["same"] is False


def test_b67_an_id_that_is_no_text_is_told_in_one_line(server: RedisServer) -> None:
    said = run("ratings", "rebuild", "--leaderboard", "\udcff", "--redis", server.url, code=1)
    assert said.strip().splitlines() == [said.strip()]
    assert "no text in UTF-8" in said

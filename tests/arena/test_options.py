"""`arena …` as people mistype it: one line that says what to do, no traceback, and nothing started."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from workers.arena.keys import make_keys
from workers.cli import app
from workers.cli.embedded import URL_FILE

NO_REDIS = "redis://127.0.0.1:1/0"


def run(*words: str) -> tuple[int, str]:
    """Exit code, and all that was printed."""
    result = CliRunner().invoke(app, list(words))
    assert not isinstance(result.exception, Exception), result.exception
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["demo", "--preset", "nonsense"], "there is no preset 'nonsense'"),
        (["demo", "--preset", "classic-4", "--bots", "3"], "classic-4 seats 4: ask for --bots 4 or more"),
        (["demo", "--data", "/proc/nowhere"], "/proc/nowhere"),
        (["up", "--listen", "nonsense"], "write HOST:PORT"),
        (["up", "--listen", "127.0.0.1:99999"], "at most 65535"),
        (["up", "--redis", "http://host"], "write redis://HOST:PORT/0"),
        (["up", "--redis", "redis://host:port/0"], "redis://host:port/0"),
        (["worker", "--redis", "nonsense"], "write redis://HOST:PORT/0"),
        (["doctor", "--redis", "nonsense"], "write redis://HOST:PORT/0"),
        (["referee", "--bots", "nonsense"], "write HOST:PORT"),
        (["up", "--quota", "cards=3"], "there is no such quota"),
        (["up", "--quota", "bots=many"], "write bots=NUMBER"),
        (["house-bot", "counter", "--server", "arena"], "write HOST:PORT"),
    ],
)
def test_what_makes_no_sense_is_told_before_anything_starts(words: list[str], told: str) -> None:
    code, out = run(*words)
    assert code != 0
    assert told in out.replace("│ ", "").replace(" │", "")


@pytest.mark.parametrize("part", ["worker", "referee", "house-bot counter"])
def test_a_part_without_an_arena_names_the_command_that_makes_one(tmp_path: Path, part: str) -> None:
    code, out = run(*part.split(), "--data", str(tmp_path))
    assert code == 1
    assert f"arena up --data {tmp_path}" in out


@pytest.mark.parametrize("part", ["worker", "referee"])
def test_a_part_without_a_redis_is_told_how_to_name_one(tmp_path: Path, part: str) -> None:
    make_keys(tmp_path)
    code, out = run(part, "--data", str(tmp_path))
    assert code == 1
    assert "name --redis" in out


def test_the_redis_that_the_arena_left_word_of_is_used(tmp_path: Path) -> None:
    (tmp_path / URL_FILE).write_text(NO_REDIS)
    code, out = run("ratings", "rebuild", "--leaderboard", "all", "--data", str(tmp_path))
    assert code == 1
    assert f"no Redis answers at {NO_REDIS}" in out


def test_a_house_bot_that_does_not_exist(tmp_path: Path) -> None:
    make_keys(tmp_path)
    code, out = run("house-bot", "nobody", "--data", str(tmp_path))
    assert code == 1
    assert "random, cautious, greedy, counter" in out


@pytest.mark.parametrize("half", ["--tls-cert", "--tls-key"])
def test_a_certificate_without_its_key_is_refused(tmp_path: Path, half: str) -> None:
    make_keys(tmp_path)
    code, out = run("referee", "--data", str(tmp_path), "--redis", NO_REDIS, half, str(tmp_path / "pem"))
    assert code == 1
    assert "belong together" in out

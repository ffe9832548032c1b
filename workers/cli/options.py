"""Options that several `arena` commands share, and how their errors are told."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn
from urllib.parse import urlsplit

import typer

from thousand.address import fault
from workers.arena.keys import SERVICE_FILE
from workers.cli.embedded import DataDirBusy, last_url
from workers.cli.processes import ChildFailed
from workers.store import StoreError, StoreLost

DEFAULT_DATA: Final = Path("data")
SCHEMES: Final = ("redis://", "rediss://", "unix://")
Data = Annotated[
    Path,
    typer.Option("--data", envvar="ARENA_DATA", file_okay=False, help="The arena's data directory."),
]


def checked_redis(url: str) -> str:
    """An option's value. Raises BadParameter for what is no URL of a Redis."""
    if url and not url.startswith(SCHEMES):
        raise typer.BadParameter(f"{url!r} is no address of a Redis: write redis://HOST:PORT/0")
    try:
        port = urlsplit(url).port  # read to have it checked
    except ValueError as error:
        raise typer.BadParameter(f"{url!r}: {error}") from None
    del port
    return url


def checked_address(address: str) -> str:
    """An option's value. Raises BadParameter for what is no address."""
    if wrong := fault(address):
        raise typer.BadParameter(wrong)
    return address


RedisUrl = Annotated[
    str,
    typer.Option(
        "--redis",
        envvar="ARENA_REDIS",
        callback=checked_redis,
        help="The arena's Redis, redis://HOST:PORT/0; without it that of --data.",
    ),
]
TlsCert = Annotated[
    Path | None,
    typer.Option(help="Certificate chain in PEM: needed, and used, beyond this machine only.", dir_okay=False),
]
TlsKey = Annotated[Path | None, typer.Option(help="Its key in PEM.", dir_okay=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@contextmanager
def told_errors(redis_url: str = "") -> Iterator[None]:
    """Errors a person can do something about become one line on stderr and exit code 1."""
    try:
        yield
    except StoreLost as error:
        fail(
            f"no Redis answers at {redis_url or 'the address given'} ({error}): start it, or name another with --redis"
        )
    except (ChildFailed, DataDirBusy, StoreError, OSError) as error:
        fail(str(error))
    except UnicodeEncodeError as error:  # bytes of the command line
        fail(f"{error.object!r} is no text in {error.encoding.upper()}: write it so")


def fail(message: str) -> NoReturn:
    """Say it on stderr and exit with 1."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(1)


def redis_of(redis: str, data: Path) -> str:
    """The URL given, else that of the server which `arena up` started in this data directory."""
    return redis or last_url(data) or fail(f"no Redis is named: start `arena up --data {data}` first, or name --redis")


def service_token(data: Path) -> str:
    """The credential that `arena up` left in its data directory."""
    path = data / SERVICE_FILE
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        fail(f"{path} is missing: run `arena up --data {data}` first, or copy the file from the arena's machine")


def print_json(value: Any) -> None:
    """One JSON line on stdout, at once."""
    typer.echo(json.dumps(value, ensure_ascii=False))
    sys.stdout.flush()


def log_to_stderr(level: int = logging.INFO) -> None:
    """Plain log lines with time, level and name."""
    logging.basicConfig(
        level=level, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s", force=True
    )

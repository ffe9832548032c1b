"""`arena up`: the public service, the attendance of referees, and the tick; with an embedded Redis if none is named."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from workers.cli.embedded import DataDir, start_redis
from workers.cli.options import (
    DEFAULT_DATA,
    AsJson,
    Data,
    TlsCert,
    TlsKey,
    checked_address,
    checked_redis,
    fail,
    log_to_stderr,
    print_json,
    told_errors,
)
from workers.cli.referees import Referees
from workers.quotas import InvalidQuota, parse_quotas, quota_words


def checked_quotas(given: list[str] | None) -> list[str] | None:
    """An option's value. Raises BadParameter for what is no quota."""
    try:
        parse_quotas(given or ())
    except InvalidQuota as error:
        raise typer.BadParameter(str(error)) from None
    return given


Quota = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=NUMBER", callback=checked_quotas, help=f"Another limit; repeatable. {quota_words()}"),
]


def up(
    data: Data = DEFAULT_DATA,
    redis: Annotated[
        str,
        typer.Option(
            "--redis",
            envvar="ARENA_REDIS",
            callback=checked_redis,
            help="A running Redis; without it one is started in --data.",
        ),
    ] = "",
    listen: Annotated[
        str, typer.Option(callback=checked_address, help="HOST:PORT; port 0 takes a free one.")
    ] = "127.0.0.1:4800",
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    house: Annotated[int, typer.Option(help="How many house bots are registered.", min=0, max=12)] = 4,
    referees: Annotated[
        int, typer.Option(help="How many referees to run here as well, for bots of this machine.", min=0, max=16)
    ] = 0,
    ephemeral: Annotated[
        bool, typer.Option("--ephemeral", help="Accept a Redis that may forget: results can be lost.")
    ] = False,
    new_organiser_key: Annotated[
        bool, typer.Option("--new-organiser-key", help="Print a new organiser key; the old one stops working.")
    ] = False,
    quota: Quota = None,
    as_json: AsJson = False,
) -> None:
    """Run the arena until Ctrl-C. The organiser's API key is printed once, at the first start."""
    log_to_stderr()
    with told_errors(redis), ExitStack() as stack:
        if not redis:
            lock = DataDir(data)
            stack.callback(lock.release)
            server, redis = start_redis(lock)
            stack.callback(server.stop)
        data = data.resolve()
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        tls = _read_tls(tls_cert, tls_key)
        own = Referees(referees, data, redis)
        stack.callback(own.stop)
        settings = (listen, house, ephemeral, new_organiser_key, tls, parse_quotas(quota or ()))
        _run(data, redis, as_json, own if referees else None, settings)


def _read_tls(certificate: Path | None, key: Path | None) -> tuple[bytes, bytes] | None:
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        fail("--tls-cert and --tls-key belong together")
    return certificate.read_bytes(), key.read_bytes()


def _run(data: Path, redis: str, as_json: bool, own: Referees | None, settings: tuple[Any, ...]) -> None:
    """`settings`: those of the arena that follow the store's URL."""
    # Imported here: grpc must not be touched before the embedded server is forked.
    from workers.arena.app import CannotListen, Settings, Started, serve
    from workers.queue import BlockQueue
    from workers.scheduler import Scheduler
    from workers.store import Store

    keeping: list[asyncio.Task[None]] = []

    def started(told: Started) -> None:
        if own is not None:
            keeping.append(asyncio.get_running_loop().create_task(own.keep()))
        if as_json:
            print_json({"arena": told.address, "redis": redis, "organiser_key": told.organiser_key})
            return
        typer.echo(f"arena     {told.address}")
        typer.echo(f"redis     {redis}")
        if told.organiser_key:
            typer.echo(f"organiser key  {told.organiser_key}\nIt is shown only now: keep it.")
        typer.echo("Referees and workers join with, each in a terminal of its own:")
        typer.echo(f"  arena referee --data {data}\n  arena worker --data {data}")

    store, queue = Store(redis), BlockQueue(redis)
    try:
        asyncio.run(serve(Settings(data, redis, *settings), store, Scheduler(store, queue), started))
    except CannotListen as error:
        fail(str(error))
    finally:
        queue.close()
        store.close()


if __name__ == "__main__":
    typer.run(up)

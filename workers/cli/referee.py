"""`arena referee`: starts `python -m referee`, and registers it with the arena for as long as it runs."""

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from workers.arena.keys import PUBLIC_FILE
from workers.cli.options import (
    DEFAULT_DATA,
    AsJson,
    Data,
    RedisUrl,
    TlsCert,
    TlsKey,
    checked_address,
    fail,
    log_to_stderr,
    print_json,
    redis_of,
    told_errors,
)
from workers.cli.processes import Child, start
from workers.model import Referee
from workers.store import Store, StoreLost

EVERYWHERE: Final = ("0.0.0.0", "[::]")
DRAIN_S: Final = 10.0  # after a stop open matches may go on so long; then the bots are told, and they go on elsewhere
STOP_GRACE: Final = DRAIN_S + 5.0  # seconds until it is killed
RENEW_S: Final = 3.0  # between renewals of its registration, which holds for 15 s


def referee(
    redis: RedisUrl = "",
    data: Data = DEFAULT_DATA,
    name: Annotated[str, typer.Option("--id", help="Its id; a restart under the same id takes its place.")] = "",
    bots: Annotated[str, typer.Option(callback=checked_address, help="HOST:PORT where bots connect.")] = "127.0.0.1:0",
    service: Annotated[
        str, typer.Option(callback=checked_address, help="HOST:PORT where workers and the arena connect.")
    ] = "127.0.0.1:0",
    host: Annotated[
        str, typer.Option(help="The name others reach this machine by, where it listens on 0.0.0.0 or [::].")
    ] = "",
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    as_json: AsJson = False,
) -> None:
    """Run a referee until Ctrl-C."""
    referee_id = name or f"{socket.gethostname()}-{os.getpid()}"
    data = data.resolve()
    if not (data / PUBLIC_FILE).exists():
        fail(f"{data / PUBLIC_FILE} is missing: run `arena up --data {data}` first, or copy it from that machine")
    redis = redis_of(redis, data)
    tls = _tls(tls_cert, tls_key)
    log_to_stderr()
    with told_errors(redis):
        child = start(
            f"referee {referee_id}",
            [
                *(sys.executable, "-m", "referee", "--bots", bots, "--service", service),
                *("--public-key", str(data / PUBLIC_FILE), "--drain", str(DRAIN_S), "--json", *tls),
            ],
            log=data / "log" / f"referee-{referee_id}.log",
            ready=True,
        )
        store, registered = Store(redis), None
        try:
            told = child.first_json()
            told |= {part: reached_by(str(told[part]), host) for part in ("bots", "service")}
            registered = Referee(referee_id, str(told["service"]), str(told["bots"]))
            store.presence.register_referee(registered)
            if as_json:
                print_json({"referee": referee_id} | told)
            else:
                typer.echo(f"referee {referee_id}: bots at {told['bots']}, service at {told['service']}")
            _watch(child, store, registered)
        finally:
            child.stop(STOP_GRACE)
            if registered is not None:
                with suppress(*StoreLost):
                    store.presence.forget_referee(registered)
            store.close()


def reached_by(address: str, host: str) -> str:
    """Where others find who listens at `address`: "all interfaces" is no place to call. Exits if none is known."""
    listens, _, port = address.rpartition(":")
    if listens not in EVERYWHERE:
        return address
    if not host:
        fail(f"{address} listens everywhere: say with --host by which name others reach this machine")
    return f"{host}:{port}"


def _tls(certificate: Path | None, key: Path | None) -> list[str]:
    if (certificate is None) != (key is None):
        fail("--tls-cert and --tls-key belong together")
    return [] if certificate is None else ["--tls-cert", str(certificate), "--tls-key", str(key)]


def _watch(child: Child, store: Store, registered: Referee) -> None:
    """Until SIGTERM or SIGINT comes, or the referee ends by itself, which is an error. Keeps the registration alive."""
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: stopped.append(number))
    due = time.monotonic() + RENEW_S
    while not stopped:
        child.check()
        time.sleep(0.1)
        if time.monotonic() >= due:
            due = time.monotonic() + RENEW_S
            with suppress(*StoreLost):
                if not store.presence.renew_referee(registered):
                    fail(f"another referee runs as {registered.referee_id} now: start this one with an --id of its own")


if __name__ == "__main__":
    typer.run(referee)

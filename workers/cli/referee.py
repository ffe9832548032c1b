"""`arena referee`: starts `python -m referee`, and registers it with the arena for as long as it runs."""

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Annotated

import typer

from workers.arena.keys import PUBLIC_FILE
from workers.cli.options import DEFAULT_DATA, AsJson, Data, RedisUrl, log_to_stderr, print_json, redis_of, told_errors
from workers.cli.processes import Child, start
from workers.model import Referee
from workers.store import Store, StoreLost

STOP_GRACE = 15.0  # seconds: it tells its bots, and its matches go on elsewhere


def referee(
    redis: RedisUrl = "",
    data: Data = DEFAULT_DATA,
    name: Annotated[str, typer.Option("--id", help="Its id; a restart under the same id takes its place.")] = "",
    bots: Annotated[str, typer.Option(help="HOST:PORT where bots connect.")] = "127.0.0.1:0",
    service: Annotated[str, typer.Option(help="HOST:PORT where workers and the arena connect.")] = "127.0.0.1:0",
    as_json: AsJson = False,
) -> None:
    """Run a referee until Ctrl-C."""
    log_to_stderr()
    redis = redis_of(redis, data)
    referee_id = name or f"{socket.gethostname()}-{os.getpid()}"
    with told_errors(redis):
        child = start(
            f"referee {referee_id}",
            [
                *(sys.executable, "-m", "referee", "--bots", bots, "--service", service),
                *("--public-key", str(data.resolve() / PUBLIC_FILE), "--json"),
            ],
            log=data.resolve() / "log" / f"referee-{referee_id}.log",
            ready=True,
        )
        store = Store(redis)
        try:
            told = child.first_json()
            store.presence.register_referee(Referee(referee_id, str(told["service"]), str(told["bots"])))
            if as_json:
                print_json({"referee": referee_id} | told)
            else:
                typer.echo(f"referee {referee_id}: bots at {told['bots']}, service at {told['service']}")
            _watch(child)
        finally:
            child.stop(STOP_GRACE)
            with suppress(*StoreLost):
                store.presence.forget_referee(referee_id)
            store.close()


def _watch(child: Child) -> None:
    """Until SIGTERM or SIGINT comes, or the referee ends by itself, which is an error."""
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: stopped.append(number))
    while not stopped:
        child.check()
        time.sleep(0.1)


if __name__ == "__main__":
    typer.run(referee)

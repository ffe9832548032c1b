"""`arena worker`: plays blocks of matches on the referees that the arena knows."""

import os
import socket
from typing import Annotated

import typer

from workers.cli.options import DEFAULT_DATA, Data, RedisUrl, log_to_stderr, redis_of, service_token, told_errors
from workers.worker import run_worker


def worker(
    redis: RedisUrl = "",
    data: Data = DEFAULT_DATA,
    name: Annotated[str, typer.Option(help="For people; the process id is added.")] = "",
    burst: Annotated[bool, typer.Option("--burst", help="End when there is nothing to play.")] = False,
) -> None:
    """Run a worker until Ctrl-C: it finishes its block first; a second Ctrl-C stops it at once, the block goes on
    elsewhere."""
    token = service_token(data.resolve())
    redis = redis_of(redis, data)
    log_to_stderr()
    with told_errors(redis):
        # A killed worker's name stays taken for a while: the pid keeps them apart.
        run_worker(redis, token, f"{name or socket.gethostname()}-{os.getpid()}", burst=burst)


if __name__ == "__main__":
    typer.run(worker)

"""One referee process, `python -m referee`, until SIGTERM (matches may finish) or a second one (they go elsewhere)."""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import signal
import sys
from pathlib import Path

from referee import logs
from referee.auth import Keys
from referee.server import Referee, Tls


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="referee",
        description="Hosts matches of Thousand.",
        epilog="Example: python -m referee --bots 127.0.0.1:4801 --public-key public_key.pem --unattended",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--bots", default="127.0.0.1:0", metavar="HOST:PORT", help="where bots connect (port 0: any)")
    add("--service", default="127.0.0.1:0", metavar="HOST:PORT", help="where workers and the arena connect")
    add("--public-key", required=True, type=Path, metavar="FILE", help="Ed25519 public keys that sign tokens, in PEM")
    add("--tls-cert", type=Path, metavar="FILE", help="certificate chain in PEM; needed beyond this machine")
    add("--tls-key", type=Path, metavar="FILE", help="its key in PEM")
    add("--drain", type=float, default=30.0, metavar="SECONDS", help="how long open matches may go on after SIGTERM")
    add("--unattended", action="store_true", help="admit bots without an arena that attends (for development)")
    add("--json", action="store_true", help="say where it listens as one JSON line (it always does)")
    add("--quiet", action="store_true", help="log warnings only")
    add("--die-with-parent", action="store_true", help="end when the process that started this one does")
    return parser.parse_args()


def main() -> int:
    """Exit code: 0 after a stop, 2 for options that make no sense."""
    options = _options()
    logs.setup(30 if options.quiet else 20)
    try:
        keys = Keys.from_pem(options.public_key.read_bytes())
        if (options.tls_cert is None) != (options.tls_key is None):
            raise ValueError("--tls-cert and --tls-key belong together")
        tls = None
        if options.tls_cert is not None:
            tls = Tls(options.tls_cert.read_bytes(), options.tls_key.read_bytes())
    except (OSError, ValueError) as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    with contextlib.suppress(ImportError):
        import uvloop  # optional: a fifth faster

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    return asyncio.run(_run(options, Referee(keys, unattended=options.unattended, tls=tls)))


async def _run(options: argparse.Namespace, referee: Referee) -> int:
    parent = os.getppid()  # before anybody is told that this process is up, and may end because of it
    loop = asyncio.get_running_loop()
    first, second = asyncio.Event(), asyncio.Event()

    def stop() -> None:
        (second if first.is_set() else first).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        await referee.start(options.bots, options.service)
    except (ValueError, RuntimeError) as error:
        print(f"referee: {error}", file=sys.stderr)
        return 2
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # a collection holds up every table
    told = {"bots": referee.bots_address, "service": referee.service_address, "pid": os.getpid()}
    print(json.dumps(told), flush=True)
    watch = asyncio.create_task(_parent_gone(parent, second)) if options.die_with_parent else None
    await _first_of(first, second)
    draining = asyncio.create_task(referee.drain(options.drain))
    hurry = asyncio.create_task(second.wait())
    await asyncio.wait({draining, hurry}, return_when=asyncio.FIRST_COMPLETED)
    if not draining.done():
        draining.cancel()
        await referee.drain(0)
    await referee.stop()
    for task in (hurry, watch):
        if task is not None:
            task.cancel()
    logs.info("stopped")
    return 0


async def _first_of(*events: asyncio.Event) -> None:
    waiting = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()


async def _parent_gone(parent: int, gone: asyncio.Event) -> None:
    while os.getppid() == parent:  # noqa: ASYNC110 - no event tells of it
        await asyncio.sleep(0.2)
    gone.set()

"""Connects a bot to an arena or a referee and keeps it connected: `run` is all that an author calls."""

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import sys

from thousand.address import fault
from thousand.bot import Bot
from thousand.client.player import Player
from thousand.client.streams import CHANNEL_OPTIONS, ClientError, Connections
from thousand.rules import PRESETS

__all__ = ["CHANNEL_OPTIONS", "ClientError", "run", "serve"]


def run(
    bot_class: type[Bot], server: str | None = None, token: str | None = None, *, instance_id: str | None = None
) -> None:
    """Play until stopped. `server` is the arena (HOST:PORT) or one referee; else `--server`, THOUSAND_SERVER.

    `token` else `--token`, THOUSAND_TOKEN. Ctrl-C finishes the open matches, a second one does not wait. Raises
    SystemExit with a clear line for what trying again cannot mend.
    """
    server = server or _option("--server") or os.environ.get("THOUSAND_SERVER") or "127.0.0.1:4800"
    token = token or _option("--token") or os.environ.get("THOUSAND_TOKEN")
    if not token:
        raise SystemExit(
            "no token: pass run(..., token=...), --token or THOUSAND_TOKEN; `thousand bot create NAME` makes one"
        )
    if wrong := fault(server):
        raise SystemExit(f"server {wrong}")
    if not logging.getLogger().handlers:
        logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    try:
        asyncio.run(serve(bot_class, server, token, instance_id=instance_id))
    except ClientError as error:
        raise SystemExit(f"{bot_class.__name__}: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _option(name: str) -> str | None:
    words = sys.argv[1:]
    for place, word in enumerate(words):
        if word == name and place + 1 < len(words):
            return words[place + 1]
        if word.startswith(name + "="):
            return word.partition("=")[2]
    return None


async def serve(bot_class: type[Bot], server: str, token: str, *, instance_id: str | None = None) -> None:
    """Like `run`, inside a running event loop. Raises ClientError."""
    if (presets := bot_class.presets) is not None:
        if isinstance(presets, str) or not presets:
            raise ClientError("presets: a list of names, or None for every one")
        if unknown := [name for name in presets if name not in PRESETS]:
            raise ClientError(f"presets: there is no {unknown[0]!r}; `thousand rules list` shows all")
    player = Player(bot_class, token, instance_id or secrets.token_urlsafe(12))
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread, or no signals here
        loop.add_signal_handler(signal.SIGINT, player.interrupt, asyncio.current_task())
    try:
        await Connections(player, server).keep()
    finally:
        player.close()
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.remove_signal_handler(signal.SIGINT)

"""Bots for end-to-end tests: a sound one, one that is too slow, one whose process dies. What they do can be computed.

`python -m tests.support.guests KIND TOKEN…` runs one bot per token; where, is in THOUSAND_SERVER.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from thousand.bot import Bot
from thousand.bots.cautious import CautiousBot
from thousand.bots.counter import CounterBot
from thousand.bots.greedy import GreedyBot
from thousand.client import serve
from thousand.rules import Action, View

CRASHES = "GUEST_CRASHES"  # a file: a line for each match begun
CRASH_AT = (2, 12)  # matches begun before
TOO_LONG_S = 7.0  # more than a decision may take


class Sound(CounterBot):
    """Plays like `counter`."""

    max_matches = 6


class Slow(Bot):
    """Plays like `greedy`, but thinks too long where `hangs` says so."""

    max_matches = 12

    async def decide(self, view: View, actions: Sequence[Action]) -> Action:
        if hangs(view):
            await asyncio.sleep(TOO_LONG_S)
        greedy = GreedyBot()
        greedy.start = self.start
        return greedy.decide(view, actions)


class Crashing(CautiousBot):
    """Plays like `cautious`; its process dies at the first decision of some matches."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        if view.decision == 0:
            with Path(os.environ[CRASHES]).open("r+", encoding="ascii") as begun:
                before = len(begun.readlines())
                begun.write("match\n")
            if before in CRASH_AT:
                os._exit(7)
        return super().decide(view, actions)


def hangs(view: View) -> bool:
    """Where the slow bot thinks too long: at its first decision of a match in seat 0."""
    return view.seat == 0 and view.decision == 0


KINDS: dict[str, type[Bot]] = {"sound": Sound, "slow": Slow, "crashing": Crashing}
PLAYS_LIKE = {"sound": "counter", "slow": "greedy", "crashing": "cautious"}


async def _main(kind: str, tokens: Sequence[str]) -> None:
    server = os.environ["THOUSAND_SERVER"]
    await asyncio.gather(*(serve(KINDS[kind], server, token, instance_id=f"{kind}-1") for token in tokens))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.argv[2:]))

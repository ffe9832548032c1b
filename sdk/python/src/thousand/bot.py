"""What a bot author writes: a subclass of Bot with one method, `decide`.

The same class plays against the arena (`thousand.run`), in the simulator (`thousand.simulate`) and in tests.
"""

import random
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from thousand.clocks import Clocks
from thousand.rules import MatchResult, Ruleset
from thousand.rules.actions import Action
from thousand.rules.view import View

__all__ = ["Bot", "Clocks", "MatchStart"]


@dataclass(frozen=True, slots=True)
class MatchStart:
    """What a bot is told when it is seated."""

    ruleset: Ruleset
    seat: int
    bot_seed: int  # uint64: a bot that draws only from it plays the same match again
    match_id: str = ""
    clocks: Clocks = field(default_factory=Clocks)
    preset: str = ""  # the ruleset's name, empty for a custom one
    resumed: bool = False  # the match goes on after a break


class Bot:
    """One instance plays one match. Only `decide` must be written; it may be `async def`."""

    max_matches: ClassVar[int] = 1  # how many matches at once one connection takes; more only if `decide` never blocks
    # The presets it can play, and then no custom ruleset; None: every one, custom ones too. It is seated nowhere else.
    presets: ClassVar[Sequence[str] | None] = None
    start: MatchStart  # set before on_start

    def on_start(self) -> None:
        """The match begins, or goes on here after a break (`self.start.resumed`)."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action | Awaitable[Action]:
        """One of `actions`, which are all that is legal now. An exception here is a strike."""
        raise NotImplementedError

    def on_finish(self, result: MatchResult) -> None:
        """The match is over."""

    def rng(self, view: View) -> random.Random:
        """Random numbers for this decision: asked again after a break, it gives the same ones."""
        return random.Random(f"{self.start.bot_seed}/{view.decision}")  # a string: every bit of it counts


def plays(bot: type[Bot], preset: str) -> bool:
    """Whether a bot says that it plays this preset; "" is a custom ruleset."""
    return bot.presets is None or preset in bot.presets

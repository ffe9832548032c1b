"""Thousand (1000, Тысяча) for programs: write a `Bot`, try it with `simulate`, play with `run`."""

from typing import TYPE_CHECKING, Any

from thousand import compiled as compiled  # first: it decides which rules are imported below
from thousand.bot import Bot, Clocks, MatchStart
from thousand.rules import Action, Card, Ruleset, Suit, View

if TYPE_CHECKING:
    from thousand.client import run
    from thousand.simulator import simulate

__all__ = ["Action", "Bot", "Card", "Clocks", "MatchStart", "Ruleset", "Suit", "View", "run", "simulate"]


def __getattr__(name: str) -> Any:
    """`run` and `simulate` load what they need when first used: the rules alone need no gRPC."""
    if name == "run":
        from thousand.client import run as found
    elif name == "simulate":
        from thousand.simulator import simulate as found  # type: ignore[assignment]
    else:
        raise AttributeError(f"module 'thousand' has no attribute {name!r}")
    return found

"""Thousand (1000, Тысяча) for programs: write a `Bot`, try it with `simulate`, play with `run`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from thousand import compiled as compiled  # first: it decides which rules are imported later

if TYPE_CHECKING:
    from thousand.bot import Bot, Clocks, MatchStart
    from thousand.client import run
    from thousand.rules import Action, Card, Ruleset, Suit, View
    from thousand.simulator import simulate

__all__ = ["Action", "Bot", "Card", "Clocks", "MatchStart", "Ruleset", "Suit", "View", "run", "simulate"]

_HOMES: Final = {
    "Bot": "bot", "Clocks": "bot", "MatchStart": "bot", "run": "client", "simulate": "simulator",
    "Action": "rules", "Card": "rules", "Ruleset": "rules", "Suit": "rules", "View": "rules",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each is imported when first used: the rules alone need no gRPC, and whoever compiles more than the rules decides
    which are imported.
    """
    if name in _HOMES:
        return getattr(import_module(f"thousand.{_HOMES[name]}"), name)
    if name in _HOMES.values():
        return import_module(f"thousand.{name}")
    raise AttributeError(f"module 'thousand' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__, *_HOMES.values()]

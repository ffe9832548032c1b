"""The house bots, by name. To add one: write its file, name it here; the tests iterate over HOUSE_BOTS."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from thousand.bot import Bot
from thousand.bots.cautious import CautiousBot
from thousand.bots.counter import CounterBot
from thousand.bots.greedy import GreedyBot
from thousand.bots.random import RandomBot

HOUSE_BOTS: Final[Mapping[str, type[Bot]]] = MappingProxyType(
    {"random": RandomBot, "cautious": CautiousBot, "greedy": GreedyBot, "counter": CounterBot}
)


def house_bot(name: str) -> type[Bot]:
    """The house bot of this name. Raises KeyError naming those there are."""
    try:
        return HOUSE_BOTS[name]
    except KeyError:
        raise KeyError(f"no house bot {name!r}: there are {', '.join(HOUSE_BOTS)}") from None

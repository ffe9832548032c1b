"""The house bots stand in their stated order, 95 % intervals apart, every deck in all seat orders."""

import thousand
from thousand.bots import house_bot
from thousand.rules import preset


def test_random_is_weaker_than_cautious_and_cautious_than_counter() -> None:
    names = ("random", "cautious", "counter")
    result = thousand.simulate([house_bot(name) for name in names], preset("tournament"), decks=150, seed=11)
    random, cautious, counter = (bot.interval or (0.0, 0.0) for bot in result.bots)
    assert random[1] < cautious[0]
    assert cautious[1] < counter[0]

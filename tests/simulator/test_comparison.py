"""Comparison of two bots: same cards, same seats, an interval that holds whenever one stops."""

import random

import pytest

from thousand.bots import HOUSE_BOTS
from thousand.comparison import LEAST, compare, sequential_interval
from thousand.rules import preset
from thousand.simulator import SimulationError

COUNTER, CAUTIOUS, GREEDY, RANDOM = (HOUSE_BOTS[name] for name in ("counter", "cautious", "greedy", "random"))


def test_the_better_bot_is_found_and_said_so() -> None:
    found = compare(COUNTER, RANDOM, [CAUTIOUS, CAUTIOUS], seed=1, names=("mine", "random", "c", "c"))
    assert found.difference > found.half > 0
    assert found.decks <= 60
    assert found.verdict.startswith("mine is better than random by ")
    turned = compare(RANDOM, COUNTER, [CAUTIOUS, CAUTIOUS], seed=1)
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.verdict.startswith("CounterBot is better than RandomBot")


def test_a_bot_is_no_better_than_itself() -> None:
    found = compare(COUNTER, COUNTER, [GREEDY, RANDOM], seed=1)
    assert (found.difference, found.half, found.decks) == (0.0, 0.0, LEAST)
    assert "alike" in found.verdict


def test_it_gives_up_at_the_limit() -> None:
    found = compare(GREEDY, CAUTIOUS, [RANDOM], preset("headon"), seed=1, max_decks=5)
    assert found.decks == 5
    assert found.deals == 20


def test_the_field_must_fit() -> None:
    with pytest.raises(SimulationError, match="field needs 2"):
        compare(COUNTER, GREEDY, [RANDOM])


def test_looking_after_every_batch_misleads_rarely() -> None:
    """Without any difference the interval excludes 0 at some of 40 looks in at most 5 % of 400 trials."""
    draw = random.Random(5)
    misled = 0
    for _ in range(400):
        values: list[float] = []
        for _ in range(40):
            values += [draw.gauss(0, 30) for _ in range(10)]
            mean, half = sequential_interval(values)
            if len(values) >= LEAST and abs(mean) > half:
                misled += 1
                break
    assert misled <= 20

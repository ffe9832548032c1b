"""Is A better than B? Both play the same decks in the same seats against the same field, until the answer is known.

Law: the interval holds at whatever moment one stops (a mixture sequential test on paired differences), so looking after
every batch of decks costs nothing in honesty.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from thousand.bot import Bot
from thousand.rules import PRESETS, Ruleset, one_deal
from thousand.simulator import Game, Score, SimulationError, derive, play_games

BATCH: Final = 10  # decks between two looks
LEAST: Final = 20  # decks before the first: the variance must be known
ALPHA: Final = 0.05
MIXTURE: Final = 60.0  # decks at which the sequential interval is relatively narrowest


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known: A scores `difference` ± `half` points a deal more than B (95 %, at any stopping time)."""

    a: str
    b: str
    difference: float
    half: float
    decks: int
    deals: int  # played by A and B together
    seed: int

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        if self.half == 0.0 and self.difference == 0.0:
            return f"{self.a} and {self.b} score alike on every one of {self.decks} decks"
        if abs(self.difference) <= self.half:
            return (
                f"{self.a} and {self.b}: no difference shown, {self.difference:+.1f} ± {self.half:.1f} "
                f"points a deal (95 %) after {self.decks} decks"
            )
        better, worse = (self.a, self.b) if self.difference > 0 else (self.b, self.a)
        return f"{better} is better than {worse} by {abs(self.difference):.1f} ± {self.half:.1f} points a deal (95 %)"


def compare(
    a: type[Bot],
    b: type[Bot],
    field: Sequence[type[Bot]],
    ruleset: Ruleset | None = None,
    *,
    seed: int = 0,
    max_decks: int = 2000,
    precision: float = 0.0,
    names: Sequence[str] | None = None,
    processes: int = 1,
    progress: Callable[[int, float, float], None] | None = None,
) -> Comparison:
    """Compare A with B against `field` (one bot fewer than the ruleset seats).

    Ends when the interval excludes 0, is narrower than ± `precision`, or after `max_decks`.
    `progress(decks, difference, half)` is called after each look.
    """
    ruleset = ruleset or PRESETS["tournament"]
    if len(field) != ruleset.players - 1:
        raise SimulationError(f"this ruleset seats {ruleset.players}: the field needs {ruleset.players - 1} bots")
    bots = (a, b, *field)
    labels = tuple(names) if names is not None else tuple(bot.__name__ for bot in bots)
    rules = one_deal(ruleset)
    differences: list[float] = []
    found = Comparison(labels[0], labels[1], 0.0, math.inf, 0, 0, seed)
    while found.decks < max_decks:
        last = min(found.decks + BATCH, max_decks)
        games = [game for deck in range(found.decks, last) for game in _games(seed, deck, ruleset.players)]
        differences += _differences(list(play_games(bots, labels, rules, games, processes)), found.decks, last)
        mean, half = sequential_interval(differences)
        deals = found.deals + len(games)
        found = Comparison(labels[0], labels[1], mean, half, last, deals, seed)
        if progress is not None:
            progress(last, mean, half)
        if last >= LEAST and (abs(mean) > half or half <= precision):
            break
    return found


def _games(seed: int, deck: int, players: int) -> list[Game]:
    """One deck: each of the two, in each seat, with the field in each order around it."""
    deal = derive(seed, f"deck/{deck}")
    return [
        Game(deck, deal, order) for candidate in (0, 1) for order in permutations((candidate, *range(2, players + 1)))
    ]


def _differences(scores: Sequence[Score], first: int, last: int) -> list[float]:
    """By deck, how many points a deal A scored more than B in the same seats."""
    points = dict.fromkeys(range(first, last), 0)
    for score in scores:
        order = score.game.order
        points[score.game.cluster] += score.scores[order.index(0)] if 0 in order else -score.scores[order.index(1)]
    seatings = len(scores) / (2 * (last - first))
    return [points[deck] / seatings for deck in range(first, last)]


def sequential_interval(differences: Sequence[float]) -> tuple[float, float]:
    """The mean, and the half width of its 95 % interval that holds at every stopping time at once.

    Robbins' normal mixture: |S_n| <= s * sqrt((n + m) * ln((n + m) / (m * alpha²))) for all n with chance 1 - alpha.
    """
    n = len(differences)
    mean = sum(differences) / n
    if n < 2:
        return mean, math.inf
    spread = math.sqrt(sum((d - mean) ** 2 for d in differences) / (n - 1))
    return mean, spread / n * math.sqrt((n + MIXTURE) * math.log((n + MIXTURE) / (MIXTURE * ALPHA**2)))

"""Is A better than B? Both play the same decks in the same seats against the same field, until the answer is known.

Law: the interval holds at whatever moment one stops (a mixture sequential test on paired differences), so looking after
every batch of decks costs nothing in honesty. Each of the two plays a deck once, in one seat: what differs in several
seats of one deck repeats itself, and a fresh deck tells more (half as much again, deal for deal, for the house bots).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from thousand.bot import Bot
from thousand.luck import Adjustment, controls
from thousand.rules import PRESETS, Ruleset, one_deal
from thousand.simulator import Game, Score, SimulationError, derive, play_games

BATCH: Final = 40  # decks between two looks
LEAST: Final = 80  # decks before the first: the variance must be known
ALIKE: Final = 400  # decks without any difference that are enough to say so
ALPHA: Final = 0.05
MIXTURE: Final = 300.0  # decks at which the sequential interval is relatively narrowest
SURPRISE: Final = 200.0  # points: one deck so far from the mean is counted in that may not have come yet
CONTROLS: Final = 3


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
        return verdict(self.a, self.b, self.difference, self.half, self.decks)


def verdict(a: str, b: str, difference: float, half: float, decks: int) -> str:
    """The answer in one sentence."""
    if decks == 0 or not math.isfinite(half):
        return f"{a} and {b}: nothing is known after {decks} decks"
    if half == 0.0:
        return f"{a} and {b} score alike on every one of {decks} decks"
    if abs(difference) <= half:
        return (
            f"{a} and {b}: no difference shown, {difference:+.1f} ± {half:.1f} points a deal (95 %) after {decks} decks"
        )
    better, worse = (a, b) if difference > 0 else (b, a)
    return f"{better} is better than {worse} by {abs(difference):.1f} ± {half:.1f} points a deal (95 %)"


def known(mean: float, half: float, decks: int, precision: float = 0.0) -> bool:
    """Whether one may stop: the interval excludes 0, or is narrow enough, or nothing ever differed."""
    if decks < LEAST:
        return False
    if half == 0.0:
        return decks >= ALIKE
    return abs(mean) > half or half <= precision


def compare(
    a: type[Bot],
    b: type[Bot],
    field: Sequence[type[Bot]],
    ruleset: Ruleset | None = None,
    *,
    seed: int = 0,
    max_decks: int = 10_000,
    precision: float = 0.0,
    names: Sequence[str] | None = None,
    processes: int = 1,
    progress: Callable[[int, float, float], None] | None = None,
) -> Comparison:
    """Compare A with B against `field` (one bot fewer than the ruleset seats).

    Ends when the interval excludes 0, is narrower than ± `precision`, or after `max_decks`.
    `progress(decks, difference, half)` is called after each look. `processes` as in `play_games`.
    """
    ruleset = ruleset or PRESETS["tournament"]
    if len(field) != ruleset.players - 1:
        raise SimulationError(f"this ruleset seats {ruleset.players}: the field needs {ruleset.players - 1} bots")
    bots = (a, b, *field)
    labels = tuple(names) if names is not None else tuple(bot.__name__ for bot in bots)
    rules = one_deal(ruleset)
    luck = Adjustment(CONTROLS)
    differences: list[float] = []
    found = Comparison(labels[0], labels[1], 0.0, math.inf, 0, 0, seed)
    while found.decks < max_decks and not known(found.difference, found.half, found.decks, precision):
        last = min(found.decks + BATCH, max_decks)
        decks = [deck_games(seed, deck, ruleset.players) for deck in range(found.decks, last)]
        games = [game for deck in decks for game in deck]
        raw = paired(list(play_games(bots, labels, rules, games, processes)))
        seats = [(mine.seed, mine.order.index(0)) for mine, _ in decks]
        differences += luck.adjusted(raw, [controls(rules, dealt, seat) for dealt, seat in seats])
        mean, half = sequential_interval(differences)
        found = Comparison(labels[0], labels[1], mean, half, last, found.deals + len(games), seed)
        if progress is not None:
            progress(last, mean, half)
    return found


def deck_games(seed: int, deck: int, players: int) -> tuple[Game, Game]:
    """One deck: each of the two in the same seat, the field in the same order around it; seats change by deck."""
    orders = list(permutations(range(players)))
    dealt = derive(seed, f"deck/{deck}")
    places = orders[deck % len(orders)]
    mine, theirs = (
        tuple(candidate if place == 0 else place + 1 for place in places) for candidate in (0, 1)
    )  # 0: A, 1: B, the field from 2 on
    return Game(deck, dealt, mine), Game(deck, dealt, theirs)


def paired(scores: Sequence[Score]) -> list[float]:
    """By deck, how many points A scored more than B in the same seat; A's game of a deck comes before B's."""
    return [
        float(mine.scores[mine.game.order.index(0)] - theirs.scores[theirs.game.order.index(1)])
        for mine, theirs in zip(scores[::2], scores[1::2], strict=True)
    ]


def sequential_interval(differences: Sequence[float]) -> tuple[float, float]:
    """The mean, and the half width of its 95 % interval that holds at every stopping time at once; 0 if none differs.

    Robbins' normal mixture: |S_n| <= s * sqrt((n + m) * ln((n + m) / (m * alpha²))) for all n with chance 1 - alpha.
    s counts one deck SURPRISE points away in: a bot that wins a little and seldom loses much looks better than it is
    for as long as the great loss has not come.
    """
    n = len(differences)
    mean = sum(differences) / n
    if n < 2:
        return mean, math.inf
    if not any(differences):
        return 0.0, 0.0
    spread = math.sqrt((sum((d - mean) ** 2 for d in differences) + SURPRISE**2) / (n - 1))
    return mean, spread / n * math.sqrt((n + MIXTURE) * math.log((n + MIXTURE) / (MIXTURE * ALPHA**2)))

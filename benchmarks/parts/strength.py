"""A model of who beats whom: each bot has a strength, each match adds luck of variance 1, the places are the order.

A simplification, known to be wrong in one way: real bots' order also depends on who else sits there (`beside`). So what
leagues drawn from it say of parameters is checked on real matches, which need no model.
"""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from statistics import NormalDist

from thousand.bots import HOUSE_BOTS
from thousand.rules import PRESETS
from thousand.simulator import Game, derive, play_games

Places = Mapping[str, int]  # by bot, of one match
Block = Sequence[Places]
HOUSE = tuple(sorted(HOUSE_BOTS))
TIED = 0.008  # performances as near as this share a place: 0.2 % of all pairs of real matches do
NORMAL = NormalDist()
STEPS = 400


def drawn_block(strengths: Mapping[str, float], bots: Sequence[str], draw: random.Random) -> Block:
    """Six matches of three bots, from the model."""
    return [_places({bot: round(draw.gauss(strengths[bot], 1) / TIED) for bot in bots}) for _ in range(6)]


def house_blocks(count: int, seed: int, processes: int = 1) -> dict[tuple[str, ...], list[Block]]:
    """Real ones: `count` blocks of every three house bots."""
    names = list(HOUSE)
    games = [
        Game(number, derive(seed, f"strength/{'-'.join(three)}/{block}/{number}"), tuple(map(names.index, order)))
        for three in combinations(names, 3)
        for block in range(count)
        for number, order in enumerate(permutations(three))
    ]
    scores = play_games([HOUSE_BOTS[name] for name in names], names, PRESETS["tournament"], games, processes)
    matches = [{names[i]: place for i, place in zip(s.game.order, s.ranking, strict=True)} for s in scores]
    found: dict[tuple[str, ...], list[Block]] = {}
    for at in range(0, len(matches), 6):
        found.setdefault(tuple(sorted(matches[at])), []).append(matches[at : at + 6])
    return found


def ahead(matches: Iterable[Places]) -> dict[tuple[str, str], tuple[float, int]]:
    """For every two that met: how often the first placed better, half for a shared place, and in how many matches."""
    found: dict[tuple[str, str], tuple[float, int]] = {}
    for places in matches:
        for one, other in combinations(sorted(places), 2):
            won, met = found.get((one, other), (0.0, 0))
            better = (places[one] < places[other]) + 0.5 * (places[one] == places[other])
            found[one, other] = won + better, met + 1
    return found


def fit(matches: Iterable[Places]) -> dict[str, float]:
    """The likeliest strengths, as far as matches can tell (a bot that never lost is as strong as STEPS take it)."""
    pairs = ahead(matches)
    strengths = {bot: 0.0 for pair in pairs for bot in pair}
    for _ in range(STEPS):
        pull = dict.fromkeys(strengths, 0.0)
        weight = dict.fromkeys(strengths, 1e-9)
        for (one, other), (won, met) in pairs.items():
            gap = (strengths[one] - strengths[other]) / math.sqrt(2)
            chance = min(max(NORMAL.cdf(gap), 1e-6), 1 - 1e-6)
            slope = NORMAL.pdf(gap) / math.sqrt(2)
            for bot, sign in ((one, 1), (other, -1)):
                pull[bot] += sign * (won - met * chance) * slope / (chance * (1 - chance))
                weight[bot] += met * slope * slope / (chance * (1 - chance))
        moved = {bot: strengths[bot] + min(max(0.5 * pull[bot] / weight[bot], -0.1), 0.1) for bot in strengths}
        middle = sum(moved.values()) / len(moved)
        strengths = {bot: strength - middle for bot, strength in moved.items()}
    return strengths


def beside(matches: Iterable[Places], one: str, other: str) -> dict[str, float]:
    """How often `one` is ahead of `other`, by who is third at the table."""
    by_third: dict[str, list[Places]] = {}
    for places in matches:
        if one in places and other in places:
            (third,) = set(places) - {one, other}
            by_third.setdefault(third, []).append({one: places[one], other: places[other]})
    found = {}
    for third, several in by_third.items():
        (((first, _), (won, met)),) = ahead(several).items()
        found[third] = won / met if first == one else 1 - won / met
    return found


def _places(performances: Mapping[str, int]) -> Places:
    return {bot: 1 + sum(other > mine for other in performances.values()) for bot, mine in performances.items()}

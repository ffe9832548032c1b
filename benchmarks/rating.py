"""What to rate with: unit, beta, tau and draw probability, by leagues of bots whose true strengths are known.

`trial` plays leagues and asks after so many matches: is the order right, do the 95 % intervals hold the truth, how much
is lost by betting on the next match as the ratings say. That believes a model; `foresight` does not: it asks how well
ratings foresee real matches of the house bots. Each row is one JSON line; `make soak` plays far more real matches.
"""

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations

from benchmarks.measure import Figure, report
from benchmarks.parts import quick
from benchmarks.parts.strength import NORMAL, Block, Places, beside, drawn_block, fit, house_blocks
from workers.model import INITIAL_SIGMA, RatingParameters, Unit
from workers.ratings import Rating, rate

OURS = RatingParameters()
STOCK = RatingParameters(
    beta=INITIAL_SIGMA / 2, tau=INITIAL_SIGMA / 100, draw_probability=0.1
)  # the library's own defaults
LADDER = {f"bot{step}": 0.3 * step for step in range(6)}  # neighbours beat each other in 58 % of their matches
MARKS = (6, 18, 48, 108, 162, 240, 360, 540)  # matches a bot
RUNS = 30
REAL = 5  # blocks of every three house bots
RIGHT = 0.95
UNIT = f"matches a bot until the order is right 95 % of the time ({MARKS[-1]}: or more)"
Play = Callable[[Sequence[str], random.Random], Block]


@dataclass(frozen=True, slots=True)
class Trial:
    """One row; beta and tau in sigmas of a newcomer.

    By MARKS: `right`: share of leagues in true order; `covered`: share of true differences inside their 95 % interval;
    `loss`: nats a bet on the next match loses, times 10,000. `needed`: matches a bot from which on the order is right
    in 95 % of the leagues; None: more than the last mark.
    """

    name: str
    unit: str
    beta: float
    tau: float
    draw_probability: float
    needed: int | None
    right: tuple[float, ...]
    covered: tuple[float, ...]
    loss: tuple[float, ...]


class League:
    """Ratings under play: whoever has played least sits down next."""

    def __init__(self, parameters: RatingParameters, bots: Sequence[str], play: Play, draw: random.Random) -> None:
        self._p, self._play, self._draw = parameters, play, draw
        self._margin = quick.draw_margin(parameters)
        self.ratings: dict[str, Rating] = dict.fromkeys(bots, (parameters.mu, parameters.sigma))
        self.blocks = dict.fromkeys(bots, 0)

    def play_until(self, matches: int) -> None:
        """Until the bots have played so many on average."""
        while 6 * sum(self.blocks.values()) < matches * len(self.blocks):
            waiting = sorted(self.blocks, key=lambda bot: (self.blocks[bot], self._draw.random()))
            for at in range(0, len(waiting) // 3 * 3, 3):
                three = waiting[at : at + 3]
                self.fold(self._play(three, self._draw))
                for bot in three:
                    self.blocks[bot] += 1

    def fold(self, block: Block) -> None:
        """Rate one block."""
        for places in _games(self._p.unit, block):
            self._rate(places)

    def _rate(self, places: Places) -> None:
        order = sorted(places, key=lambda bot: places[bot])
        if [places[bot] for bot in order] == [1, 2, 3]:
            new = quick.rate(self._p, self._margin, *(self.ratings[bot] for bot in order))
            self.ratings.update(zip(order, new, strict=True))
        else:
            self.ratings.update(rate(self._p, [(bot, self.ratings[bot], places[bot]) for bot in order]))


def _games(unit: Unit, block: Block) -> Sequence[Places]:
    if unit is Unit.MATCH:
        return block
    sums = {bot: sum(places[bot] for places in block) for bot in block[0]}
    return [{bot: 1 + sum(other < mine for other in sums.values()) for bot, mine in sums.items()}]


def trial(
    name: str,
    parameters: RatingParameters,
    field: Callable[[random.Random], Mapping[str, float]],
    runs: int = RUNS,
    play: Play | None = None,
) -> Trial:
    """Play `runs` leagues of a field that is drawn for each; `play` instead of the model."""
    noise = parameters.beta * (math.sqrt(6) if parameters.unit is Unit.BLOCK else 1.0)  # of one match
    right, covered, loss = ([0.0] * len(MARKS) for _ in range(3))
    for run in range(runs):
        draw = random.Random(f"rating/{name}/{run}")
        strengths = field(draw)
        truth = sorted(strengths, key=lambda bot: -strengths[bot])
        league = League(parameters, list(strengths), play or partial(drawn_block, strengths), draw)
        for at, mark in enumerate(MARKS):
            league.play_until(mark)
            shown = sorted(strengths, key=lambda bot: 3 * league.ratings[bot][1] - league.ratings[bot][0])
            right[at] += (shown == truth) / runs
            held, lost = _honesty(strengths, truth, league.ratings, noise)
            covered[at] += held / runs
            loss[at] += lost / runs
    needed = next((m for at, m in enumerate(MARKS) if min(right[at:]) >= RIGHT), None)
    return Trial(
        name,
        parameters.unit.value,
        round(parameters.beta / parameters.sigma, 3),
        round(parameters.tau / parameters.sigma, 4),
        parameters.draw_probability,
        needed,
        tuple(round(share, 2) for share in right),
        tuple(round(share, 2) for share in covered),
        tuple(round(1e4 * nats) for nats in loss),
    )


def _honesty(
    strengths: Mapping[str, float], truth: Sequence[str], ratings: Mapping[str, Rating], noise: float
) -> tuple[float, float]:
    """Of all pairs: the share whose true difference lies in its interval, and the mean loss of a bet."""
    held = lost = 0.0
    pairs = [(one, other) for place, one in enumerate(truth) for other in truth[place + 1 :]]
    for one, other in pairs:
        gap = strengths[one] - strengths[other]
        told = (ratings[one][0] - ratings[other][0]) / noise
        doubt = math.hypot(ratings[one][1], ratings[other][1]) / noise
        held += abs(told - gap) <= 1.96 * doubt
        chance, bet = NORMAL.cdf(gap / math.sqrt(2)), NORMAL.cdf(told / math.hypot(math.sqrt(2), doubt))
        for true, said in ((chance, bet), (1 - chance, 1 - bet)):
            lost += true * math.log(true / max(said, 1e-12)) if true > 0 else 0.0
    return held / len(pairs), lost / len(pairs)


def ladder(draw: random.Random) -> Mapping[str, float]:
    """Six bots, each a little better than the next."""
    return LADDER


def mixed(draw: random.Random) -> Mapping[str, float]:
    """Five bots of like strength, as those that mean to win are, and one far below."""
    return {f"bot{number}": draw.gauss(0, 0.6) - 3 * (number == 0) for number in range(6)}


def grid() -> list[RatingParameters]:
    """Ours, what the library has, and ours with one thing changed."""
    s = INITIAL_SIGMA
    betas = [replace(OURS, beta=s * factor) for factor in (0.5, 1.5, 2.0)]
    taus = [replace(OURS, tau=tau) for tau in (0.0, s / 100, s / 30)]
    draws = [replace(OURS, draw_probability=draw) for draw in (0.02, 0.1)]
    blocks = [
        replace(OURS, unit=Unit.BLOCK, beta=s * factor / math.sqrt(6), draw_probability=0.1) for factor in (1.0, 1.5)
    ]
    return [OURS, STOCK, *betas, *taus, *draws, *blocks]


def foresight(parameters: RatingParameters, blocks: Sequence[Block], orders: int = 12) -> float:
    """Nats a bet on a pair of a real match loses, placed before its block is folded; the mean over shuffled ledgers."""
    lost, bets = 0.0, 0
    noise = parameters.beta * (math.sqrt(6) if parameters.unit is Unit.BLOCK else 1.0)
    bots = sorted({bot for block in blocks for bot in block[0]})
    for order in range(orders):
        shuffled = list(blocks)
        random.Random(f"foresight/{order}").shuffle(shuffled)
        league = League(parameters, bots, lambda three, draw: (), random.Random())
        for block in shuffled:
            for one, other in combinations(sorted(block[0]), 2):
                (mu, sigma), (their_mu, their_sigma) = league.ratings[one], league.ratings[other]
                chance = NORMAL.cdf((mu - their_mu) / math.hypot(math.sqrt(2) * noise, sigma, their_sigma))
                for places in block:
                    if places[one] != places[other]:
                        lost -= math.log(max(chance if places[one] < places[other] else 1 - chance, 1e-9))
                        bets += 1
            league.fold(block)
    return lost / bets


def main(runs: int = RUNS) -> None:
    """The table, and the house bots in person."""
    for name, field in (("rating/ladder", ladder), ("rating/mixed", mixed)):
        rows = [trial(name, parameters, field, runs) for parameters in grid()]
        for row in rows:
            print(json.dumps(asdict(row)), flush=True)
        if name == "rating/ladder":
            ours, stock = (float(row.needed or MARKS[-1]) for row in rows[:2])
            report(Figure("rating", ours, stock, round(stock / ours, 3), UNIT))
    blocks = [block for several in house_blocks(REAL, seed=1).values() for block in several]
    for parameters in grid():
        p, nats = parameters, round(foresight(parameters, blocks), 4)
        sigmas = {"beta": round(p.beta / p.sigma, 3), "tau": round(p.tau / p.sigma, 4)}
        seen = {"name": "rating/foresight", "unit": p.unit.value, **sigmas, "draw_probability": p.draw_probability}
        print(json.dumps({**seen, "nats": nats}), flush=True)
    matches = [places for block in blocks for places in block]
    third = {who: round(share, 2) for who, share in beside(matches, "greedy", "cautious").items()}
    strengths = {bot: round(strength, 2) for bot, strength in fit(matches).items()}
    told = {"name": "rating/house", "strengths": strengths, "greedy_ahead_of_cautious_beside": third}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()

"""How many deals it takes to know a difference to ± 5 points a deal: paired on the same cards, against unpaired play.

Unpaired, A and B play other decks each. `…/controls`: paired, and what the cards alone explain taken out too;
`…/unpaired`: only that. Fewer deals are better, so the ratio is theirs by ours.
"""

from collections.abc import Sequence
from itertools import chain
from statistics import variance

from benchmarks.measure import Figure, report
from thousand.bots import HOUSE_BOTS
from thousand.comparison import CONTROLS, deck_games, paired
from thousand.luck import Adjustment, controls
from thousand.rules import PRESETS, one_deal
from thousand.simulator import NORMAL_95, Score, play_games

DECKS = 3000
HALF = 5.0  # points a deal
PAIRS = (("counter", "greedy"), ("counter", "cautious"), ("greedy", "cautious"))
FIELD = ("cautious", "greedy")
UNIT = f"deals for ± {HALF:g} points"
RULES = one_deal(PRESETS["tournament"])


def deals(values: Sequence[float], for_each: int) -> float:
    """How many deals until the mean of such values is known to ± HALF (95 %), if each value takes so many."""
    return for_each * variance(values) * (NORMAL_95 / HALF) ** 2


def adjusted(values: Sequence[float], scores: Sequence[Score], candidate: int) -> list[float]:
    """The values without what the candidate's cards explain, batch by batch as a comparison does."""
    seen = [controls(RULES, score.game.seed, score.game.order.index(candidate)) for score in scores]
    luck = Adjustment(CONTROLS)
    batches = range(0, len(values), 40)
    return list(chain.from_iterable(luck.adjusted(values[i : i + 40], seen[i : i + 40]) for i in batches))


def measured(a: str, b: str, decks: int = DECKS) -> list[Figure]:
    """The three figures of one pair."""
    bots = [HOUSE_BOTS[name] for name in (a, b, *FIELD)]
    games = [game for deck in range(decks) for game in deck_games(1, deck, RULES.players)]
    scores = list(play_games(bots, (a, b, *FIELD), RULES, games, 2))
    own = [
        (side, [float(score.scores[score.game.order.index(candidate)]) for score in side])
        for candidate, side in ((0, scores[::2]), (1, scores[1::2]))
    ]
    differences = paired(scores)
    # A value of each for one difference: two deals, and the sum of both variances.
    unpaired = sum(deals(values, 2) for _, values in own)
    helped = sum(deals(adjusted(values, side, candidate), 2) for candidate, (side, values) in enumerate(own))
    name = f"pairing/{a}-{b}"
    return [
        _figure(name, deals(differences, 2), unpaired),
        _figure(f"{name}/controls", deals(adjusted(differences, scores[::2], 0), 2), unpaired),
        _figure(f"{name}/unpaired", helped, unpaired),
    ]


def _figure(name: str, ours: float, peer: float) -> Figure:
    return Figure(name, round(ours), round(peer), round(peer / ours, 3), UNIT)


def main() -> None:
    """All of them, and in one line what pairing with controls saves on average."""
    figures = [figure for pair in PAIRS for figure in measured(*pair)]
    for line in figures:
        report(line)
    best = [figure for figure in figures if figure.name.endswith("/controls")]
    report(_figure("pairing", sum(f.ours for f in best) / len(best), sum(f.peer for f in best) / len(best)))

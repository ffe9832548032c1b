"""What a hand is worth: the points it should take as declarer, the score that promises, and what a defender should get.

The weights are least squares over 30,000 simulated deals for three (their estimates explain 79 % of the variance of the
points a declarer takes with the eight cards he plays, 30 % with the seven he is dealt; 31 % of a defender's).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import erf, exp, sqrt
from typing import Final

from thousand.bots.habits import ACE, PAIR, TEN, suits_of
from thousand.rules.cards import MARRIAGE_POINTS, RANK_POINTS, RANKS, SUITS

SPREAD: Final = 24.0  # standard deviation of the points taken about the estimate of the cards that are played
TALON_SPREAD: Final = 38.0  # and of that estimate about the one made before the talon


@dataclass(frozen=True, slots=True)
class Weights:
    """Points per feature of a hand."""

    base: float
    ace: float
    ten: float  # with the ace
    king: float  # with ace and ten
    beside: float  # each other card of a suit headed by ace and ten
    guarded_ten: float  # without the ace, with another card
    void: float
    single: float  # one card that is no ace
    no_ace: float
    marriage: float  # of the best one's points, with an ace to win the lead first
    marriage_without_ace: float
    second: float  # of the other marriages' points
    second_without_ace: float
    trump: float  # each card of the best marriage's suit beside the pair


PLAYED: Final = Weights(
    base=-6, ace=20, ten=10, king=6, beside=6, guarded_ten=8, void=9, single=4, no_ace=4,
    marriage=0.97, marriage_without_ace=0.15, second=0.71, second_without_ace=0.05, trump=6,
)  # fmt: skip
DEALT: Final = Weights(
    base=31, ace=17, ten=8, king=6, beside=5, guarded_ten=6, void=6, single=4, no_ace=-13,
    marriage=0.87, marriage_without_ace=0.58, second=0.46, second_without_ace=0.31, trump=5,
)  # fmt: skip
DEFENDER: Final = Weights(
    base=4, ace=24, ten=5, king=0, beside=1, guarded_ten=10, void=-7, single=-3, no_ace=8,
    marriage=0.4, marriage_without_ace=0.12, second=0, second_without_ace=0, trump=5,
)  # fmt: skip
HALF_MARRIAGE: Final = 0.11  # of its points, before the talon: it may bring the other half


def _suit_value(weights: Weights, ranks: int) -> float:
    """Points of one suit's cards, marriage aside, by the ranks held."""
    length = ranks.bit_count()
    ace, ten = ranks >> ACE & 1, ranks >> TEN & 1
    if length == 0:
        return weights.void
    if ace and ten:
        king = ranks >> TEN - 1 & 1
        return weights.ace + weights.ten + weights.king * king + weights.beside * (length - 2 - king)
    if ace:
        return weights.ace
    if length == 1:
        return weights.single
    return weights.guarded_ten if ten else 0.0


_SUIT_VALUES: Final = {
    weights: tuple(_suit_value(weights, ranks) for ranks in range(1 << RANKS)) for weights in (PLAYED, DEALT, DEFENDER)
}


def hand_value(suits: Sequence[int], weights: Weights = PLAYED, *, entry_free: bool = False) -> float:
    """Points a declarer should take with these cards (by suit, the ranks held), marriages included.

    `entry_free`: a marriage may be announced with the very first lead.
    """
    values = _SUIT_VALUES[weights]
    value = weights.base + values[suits[0]] + values[suits[1]] + values[suits[2]] + values[suits[3]]
    ace = any(ranks >> ACE & 1 for ranks in suits)
    if not ace:
        value += weights.no_ace
    best = -1
    others = 0
    for suit in range(SUITS):
        if suits[suit] & PAIR == PAIR:
            others += MARRIAGE_POINTS[suit]
            best = suit
    if best >= 0:
        others -= MARRIAGE_POINTS[best]
        free = ace or entry_free
        value += MARRIAGE_POINTS[best] * (weights.marriage if free else weights.marriage_without_ace)
        value += others * (weights.second if free else weights.second_without_ace)
        value += weights.trump * (suits[best].bit_count() - 2)
    return value


def dealt_value(hand: Iterable[int], *, entry_free: bool = False) -> float:
    """The same before the talon is taken: what it should bring is counted."""
    suits = suits_of(hand)
    value = hand_value(suits, DEALT, entry_free=entry_free)
    for suit, ranks in enumerate(suits):
        if (ranks & PAIR).bit_count() == 1:
            value += HALF_MARRIAGE * MARRIAGE_POINTS[suit]
    return value


def pass_cost(card: int, suits: Sequence[int]) -> float:
    """What it costs to pass this card to an opponent: its points, and the marriage it may complete there."""
    suit, rank = divmod(card, RANKS)
    cost = RANK_POINTS[rank] * 0.8
    if PAIR >> rank & 1 and suits[suit] & PAIR != PAIR:
        cost += MARRIAGE_POINTS[suit] * 0.15  # the other half lies with one of the opponents
    return cost


def chance(estimate: float, contract: float) -> float:
    """The chance to take at least `contract` points when `estimate` are expected."""
    return 0.5 * (1.0 + erf((estimate - contract + 2.5) / (SPREAD * sqrt(2.0))))


def gain(estimate: float, contract: float) -> float:
    """Expected score of playing for this contract."""
    return contract * (2.0 * chance(estimate, contract) - 1.0)


@lru_cache(maxsize=4096)
def declaring(estimate: int, bid: int, *, may_raise: bool = True) -> float:
    """Expected score of winning the auction at `bid` with a hand of this `dealt_value`.

    The talon moves the estimate; the contract is then raised to where the gain is greatest.
    """
    total = weight = 0.0
    for step in range(-6, 7):
        deviation = step / 2.5
        density = exp(-deviation * deviation / 2)
        seen = estimate + TALON_SPREAD * deviation
        contracts = range(bid, max(bid, min(300, int(seen))) + 1, 5) if may_raise else (bid,)
        total += density * max(gain(seen, contract) for contract in contracts)
        weight += density
    return total / weight

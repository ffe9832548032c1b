"""What a hand is worth to its declarer: the points it should take, and the chance of a contract with them.

The figures were fitted on simulated deals of `counter` against itself; they are estimates, not rules.
"""

from collections.abc import Iterable, Sequence
from math import erf, sqrt

from thousand.bots.habits import ACE, KING, PAIR, QUEEN, TEN, suits_of
from thousand.rules.cards import MARRIAGE_POINTS, RANK_POINTS, RANKS, SUITS

BASE = 10.0  # of any hand
ACE_VALUE, TEN_BEHIND, KING_BEHIND = 21.0, 17.0, 12.0  # with every higher card of the suit in hand as well
TEN_GUARDED, TEN_BARE = 9.0, 2.0  # the ace is out
KING_GUARDED = 3.0
LENGTH = 7.0  # each card of a suit beyond the third
TRUMP_LENGTH = 6.0  # each card of the best marriage's suit beyond the pair
NO_ENTRY = 0.55  # what a marriage keeps without an ace to win a trick with first
SECOND = 0.85  # what a second marriage keeps: the lead must be won again
TALON_GAIN = 18.0  # three cards of the talon, two cards passed
HALF_MARRIAGE = 0.16  # of its points: the chance that the talon holds the other half
SPREAD = 26.0  # standard deviation of the points taken about the estimate


def _suit_value(ranks: int) -> float:
    """Points of one suit's cards, marriage aside, by the ranks held."""
    length = ranks.bit_count()
    ace, ten, king = ranks >> ACE & 1, ranks >> TEN & 1, ranks >> KING & 1
    value = ACE_VALUE * ace + LENGTH * max(0, length - 3)
    if ten:
        value += TEN_BEHIND if ace else TEN_GUARDED if length > 1 else TEN_BARE
    if king:
        value += KING_BEHIND if ace and ten else KING_GUARDED if length > 1 else 0.0
    return value


SUIT_VALUE = tuple(_suit_value(ranks) for ranks in range(1 << RANKS))  # by the ranks held


def hand_value(suits: Sequence[int], *, entry_free: bool = False) -> float:
    """Points a declarer should take with these cards (by suit, the ranks held), marriages included."""
    value = BASE
    entries = 0
    for ranks in suits:
        value += SUIT_VALUE[ranks]
        entries += ranks >> ACE & 1
    marriages = sorted((MARRIAGE_POINTS[s] for s in range(SUITS) if suits[s] & PAIR == PAIR), reverse=True)
    if not marriages:
        return value
    kept = 1.0 if entries or entry_free else NO_ENTRY
    for number, points in enumerate(marriages):
        value += points * kept * (1.0 if number == 0 or entries > number else SECOND)
    longest = max(suits[s].bit_count() for s in range(SUITS) if suits[s] & PAIR == PAIR)
    return value + TRUMP_LENGTH * (longest - 2)


def dealt_value(hand: Iterable[int], talon: int, *, entry_free: bool = False) -> float:
    """The same before the talon of so many cards is taken: what it should bring is added."""
    suits = suits_of(hand)
    value = hand_value(suits, entry_free=entry_free) + TALON_GAIN * talon / 3
    for suit, ranks in enumerate(suits):
        if (ranks & PAIR).bit_count() == 1:
            value += HALF_MARRIAGE * talon / 3 * MARRIAGE_POINTS[suit]
    return value


def pass_cost(card: int, suits: Sequence[int]) -> float:
    """What it costs to pass this card to an opponent: its points, and the marriage it may complete there."""
    suit, rank = divmod(card, RANKS)
    cost = RANK_POINTS[rank] * 0.8
    if rank in (KING, QUEEN) and suits[suit] & PAIR != PAIR:
        cost += MARRIAGE_POINTS[suit] * 0.15  # the other half lies with one of the opponents, or did in the talon
    return cost


def chance(estimate: float, contract: float) -> float:
    """The chance to take at least `contract` points when `estimate` are expected."""
    return 0.5 * (1.0 + erf((estimate - contract + 2.5) / (SPREAD * sqrt(2.0))))


def gain(estimate: float, contract: float) -> float:
    """Expected score of playing for this contract."""
    return contract * (2.0 * chance(estimate, contract) - 1.0)

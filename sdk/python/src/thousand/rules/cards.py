"""The pack: 24 cards as ints 0..23 (suit * 6 + rank), a hand as a 24-bit set of them.

Suits are 0..3 = ♠ ♣ ♦ ♥, ranks 0..5 = 9 J Q K 10 A, so within a suit the higher int wins (RULES 1).
"""

from collections.abc import Iterable
from typing import Final

from thousand.rules.card import BY_NOTATION, CARDS, Card, Suit
from thousand.rules.pack import (
    ACE_MARRIAGE_POINTS,
    ACES,
    MARRIAGE_POINTS,
    PACK,
    PAIRS,
    QUEENS,
    RANK_POINTS,
    RANKS,
    SUITS,
)

__all__ = [
    "ACES", "ACE_MARRIAGE_POINTS", "BY_NOTATION", "CARDS", "MARRIAGE_POINTS", "PACK", "PAIRS", "QUEENS", "RANKS",
    "RANK_POINTS", "SHOWN_ORDER", "SUITS", "Card", "Suit", "cards_of", "hand_of", "parse_cards", "points_of",
]  # fmt: skip

# Shown sorted: ♠ ♣ ♦ ♥, then A 10 K Q J 9 (RULES 1).
SHOWN_ORDER: Final = tuple(CARDS[s * RANKS + r] for s in range(SUITS) for r in reversed(range(RANKS)))


def hand_of(cards: Iterable[int]) -> int:
    """The 24-bit set of these cards."""
    hand = 0
    for card in cards:
        hand |= 1 << card
    return hand


def _suit_cards(suit: int) -> tuple[tuple[Card, ...], ...]:
    cards = SHOWN_ORDER[suit * RANKS : suit * RANKS + RANKS]
    return tuple(tuple(c for c in cards if held >> c % RANKS & 1) for held in range(64))


# By the twelve bits held of two suits: their cards in shown order. By the six of one: its card points.
_BLACK: Final = tuple(spades + clubs for clubs in _suit_cards(1) for spades in _suit_cards(0))
_RED: Final = tuple(diamonds + hearts for hearts in _suit_cards(3) for diamonds in _suit_cards(2))
_SUIT_POINTS: Final = tuple(sum(RANK_POINTS[r] for r in range(RANKS) if held >> r & 1) for held in range(64))


def cards_of(hand: int) -> tuple[Card, ...]:
    """The cards of a 24-bit set in shown order."""
    return _BLACK[hand & 4095] + _RED[hand >> 12]


def points_of(hand: int) -> int:
    """Card points of a 24-bit set."""
    points = _SUIT_POINTS
    return points[hand & 63] + points[hand >> 6 & 63] + points[hand >> 12 & 63] + points[hand >> 18]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written with blanks between, in the order written. Raises NotationError."""
    return tuple(Card.parse(word) for word in text.split())

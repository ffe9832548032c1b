"""The pack: 24 cards as ints 0..23 (suit * 6 + rank), a hand as a 24-bit set of them.

Suits are 0..3 = ♠ ♣ ♦ ♥, ranks 0..5 = 9 J Q K 10 A, so within a suit the higher int wins (RULES 1).
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from thousand.rules.errors import NotationError

SUITS: Final = 4
RANKS: Final = 6
PACK: Final = (1 << 24) - 1
RANK_POINTS: Final = (0, 2, 3, 4, 10, 11)  # RULES 1: 9 J Q K 10 A
RANK_LETTERS: Final = "9JQKTA"
SUIT_LETTERS: Final = "SCDH"
SUIT_SYMBOLS: Final = "♠♣♦♥"


class Suit(IntEnum):
    """A suit; its int is its place in the order ♠ ♣ ♦ ♥."""

    SPADES = 0
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        """`S`, `C`, `D` or `H`."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """`♠`, `♣`, `♦` or `♥`."""
        return SUIT_SYMBOLS[self]

    @property
    def marriage(self) -> int:
        """Points of the marriage in this suit (RULES 1): 40, 60, 80, 100."""
        return MARRIAGE_POINTS[self]


MARRIAGE_POINTS: Final = (40, 60, 80, 100)


class Card(int):
    """One card; compares and hashes as its int 0..23. `str(card)` is its notation, e.g. `SA`, `HT`."""

    __slots__ = ()

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return Suit(self // RANKS)

    @property
    def rank(self) -> int:
        """0..5 = 9 J Q K 10 A: the higher wins within the suit."""
        return self % RANKS

    @property
    def points(self) -> int:
        """Card points (RULES 1): A 11, 10 10, K 4, Q 3, J 2, 9 0."""
        return RANK_POINTS[self % RANKS]

    @property
    def pretty(self) -> str:
        """For people: `♥10`."""
        rank = RANK_LETTERS[self % RANKS]
        return SUIT_SYMBOLS[self // RANKS] + ("10" if rank == "T" else rank)

    def __str__(self) -> str:
        return SUIT_LETTERS[self // RANKS] + RANK_LETTERS[self % RANKS]

    def __repr__(self) -> str:
        return f"Card({self!s})"

    @classmethod
    def parse(cls, text: str) -> "Card":
        """The card written `SA`, `HT`, `D9`. Raises NotationError for anything else."""
        card = BY_NOTATION.get(text)
        if card is None:
            raise NotationError(f"{text!r} is no card: write a suit S C D H and a rank A T K Q J 9, e.g. HT")
        return card


ACE_MARRIAGE_POINTS: Final = 200
ACES: Final = sum(1 << (suit * RANKS + 5) for suit in range(SUITS))  # 24-bit set
PAIRS: Final = tuple(0b1100 << suit * RANKS for suit in range(SUITS))  # king and queen by suit, 24-bit sets
QUEENS: Final = sum(1 << (suit * RANKS + 2) for suit in range(SUITS))  # 24-bit set
CARDS: Final = tuple(Card(i) for i in range(SUITS * RANKS))
BY_NOTATION: Final = {str(card): card for card in CARDS}
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


# By the six bits held of a suit: its cards in shown order, its card points.
_SPADES, _CLUBS, _DIAMONDS, _HEARTS = (_suit_cards(suit) for suit in range(SUITS))
_SUIT_POINTS: Final = tuple(sum(RANK_POINTS[r] for r in range(RANKS) if held >> r & 1) for held in range(64))


def cards_of(hand: int) -> tuple[Card, ...]:
    """The cards of a 24-bit set in shown order."""
    return _SPADES[hand & 63] + _CLUBS[hand >> 6 & 63] + _DIAMONDS[hand >> 12 & 63] + _HEARTS[hand >> 18]


def points_of(hand: int) -> int:
    """Card points of a 24-bit set."""
    points = _SUIT_POINTS
    return points[hand & 63] + points[hand >> 6 & 63] + points[hand >> 12 & 63] + points[hand >> 18]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written with blanks between, in the order written. Raises NotationError."""
    return tuple(Card.parse(word) for word in text.split())

"""A card and a suit as people know them, each an int."""

from enum import IntEnum
from typing import Final

from thousand.rules.errors import NotationError
from thousand.rules.pack import MARRIAGE_POINTS, RANK_POINTS, RANKS, SUITS

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


CARDS: Final = tuple(Card(i) for i in range(SUITS * RANKS))
BY_NOTATION: Final = {str(card): card for card in CARDS}

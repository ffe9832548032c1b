"""The numbers of the pack: how cards are numbered, what they are worth, and the sets of them the rules speak of."""

from typing import Final

SUITS: Final = 4
RANKS: Final = 6
PACK: Final = (1 << 24) - 1
RANK_POINTS: Final = (0, 2, 3, 4, 10, 11)  # RULES 1: 9 J Q K 10 A
MARRIAGE_POINTS: Final = (40, 60, 80, 100)  # RULES 1: by suit
ACE_MARRIAGE_POINTS: Final = 200
ACES: Final = sum(1 << (suit * RANKS + 5) for suit in range(SUITS))  # 24-bit set
PAIRS: Final = tuple(0b1100 << suit * RANKS for suit in range(SUITS))  # king and queen by suit, 24-bit sets
QUEENS: Final = sum(1 << (suit * RANKS + 2) for suit in range(SUITS))  # 24-bit set

"""Cards as strings like `SA`, and how they are dealt (RULES 1)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Rules = Mapping[str, Any]  # the options by name, in the words of the rules: "on", "off", "none", numbers

SUITS = "SCDH"
RANKS_LOW_TO_HIGH = "9JQKTA"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
MARRIAGE = {"S": 40, "C": 60, "D": 80, "H": 100}
ACES = {"SA", "CA", "DA", "HA"}
DUMMY = 2  # the dummy's seat, between forehand and dealer in the order of play


def points_of(cards: Iterable[str]) -> int:
    """Card points."""
    return sum(POINTS[card[1]] for card in cards)


def strength(card: str) -> int:
    """The higher wins within a suit."""
    return RANKS_LOW_TO_HIGH.index(card[1])


def marriages_in(cards: Iterable[str]) -> list[str]:
    """Suits of which both king and queen are there."""
    held = set(cards)
    return [suit for suit in SUITS if suit + "K" in held and suit + "Q" in held]


def nines_in(cards: Iterable[str]) -> int:
    """How many nines."""
    return sum(card[1] == "9" for card in cards)


def lowest(cards: Iterable[str]) -> str:
    """The lowest card: 9 J Q K 10 A, then ♠ ♣ ♦ ♥ (RULES 4 Revoke)."""
    return min(cards, key=lambda card: (strength(card), SUITS.index(card[0])))


def clockwise(first: int, players: int) -> list[int]:
    """All seats, clockwise from one."""
    return [(first + step) % players for step in range(players)]


def seats_dealt(rules: Rules, dealer: int) -> list[int]:
    """Seats that get cards, clockwise from forehand; the dummy sits between forehand and dealer."""
    if rules["two_player"] == "dummy":
        return [1 - dealer, DUMMY, dealer]
    order = clockwise((dealer + 1) % rules["players"], rules["players"])
    return order[:3] if rules["players"] == 4 else order


TALON_ROUNDS = {"talon_2": (2, 3), "talon_4": (2, 3, 4, 5), "two_talons_of_2": (2, 3, 4, 5)}
TALON_ROUNDS |= {"two_talons_of_3": (2, 3, 4, 5, 6, 7), "dummy": (2, 3, 4), "none": (2, 3, 4)}


def deal_out(rules: Rules, order: Sequence[int], deck: Sequence[str]) -> tuple[dict[int, list[str]], list[list[str]]]:
    """One card at a time; a card to the talon after certain rounds. Returns hands by seat, and one or two talons."""
    left = list(deck)
    hands: dict[int, list[str]] = {seat: [] for seat in order}
    talon: list[str] = []
    dealt_round = 0
    while left:
        dealt_round += 1
        for seat in order:
            hands[seat].append(left.pop(0))
        if dealt_round in TALON_ROUNDS[rules["two_player"]]:
            talon.append(left.pop(0))
    if str(rules["two_player"]).startswith("two_talons"):
        half = len(talon) // 2
        return hands, [talon[:half], talon[half:]]
    return hands, [talon]

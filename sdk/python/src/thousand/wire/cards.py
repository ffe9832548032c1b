"""Cards and suits: number on the wire = 1 + card, 1 + suit; 0 is no card."""

from collections.abc import Iterable
from typing import Any

from thousand.rules.cards import CARDS, Card, Suit
from thousand.wire.errors import WireError


def card_from(number: int, field: str) -> Card:
    """The card. Raises WireError for UNSPECIFIED and unknown numbers."""
    if 1 <= number <= len(CARDS):
        return CARDS[number - 1]
    what = "is not set" if number == 0 else f"has the unknown value {number}"
    raise WireError(f"{field} {what}: it must be one of the 24 cards")


def maybe_card_from(number: int, field: str) -> Card | None:
    """The card, or None where UNSPECIFIED means face down."""
    return None if number == 0 else card_from(number, field)


def maybe_card_to(card: Card | None) -> Any:
    """The number; 0 for no card."""
    return 0 if card is None else card + 1


def cards_to(cards: Iterable[Card]) -> list[Any]:
    """The numbers of some cards."""
    return [card + 1 for card in cards]


def cards_from(numbers: Iterable[int], field: str) -> tuple[Card, ...]:
    """The cards. Raises WireError."""
    return tuple(card_from(number, field) for number in numbers)


def suit_to(suit: Suit | None) -> Any:
    """The number; 0 for none."""
    return 0 if suit is None else suit + 1


def suit_from(number: int, field: str) -> Suit:
    """The suit. Raises WireError."""
    if 1 <= number <= 4:
        return Suit(number - 1)
    raise WireError(f"{field} is {number}: it must be one of the four suits")


def maybe_suit_from(number: int, field: str) -> Suit | None:
    """The suit, or None for UNSPECIFIED."""
    return None if number == 0 else suit_from(number, field)

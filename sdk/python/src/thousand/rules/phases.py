"""The phases of a deal (RULES 2) and the decision a seat is asked for in one of them."""

from enum import StrEnum
from typing import NamedTuple

from thousand.rules.actions import Action
from thousand.rules.enums import plain


@plain
class Phase(StrEnum):
    """Where a deal stands; OVER when the match has ended."""

    CUT = "cut"
    REDEAL = "redeal"
    AUCTION = "auction"
    TALON = "talon"
    PASS_CARDS = "pass_cards"
    CONTRACT = "contract"
    PLAY = "play"
    OVER = "over"


class Decision(NamedTuple):
    """A seat must act: exactly one of `actions`."""

    seat: int
    phase: Phase
    actions: tuple[Action, ...]

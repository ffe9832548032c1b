"""Errors of the rules: each says what was wrong and leaves the match as it was."""

from enum import StrEnum


class RulesError(Exception):
    """Base of every error raised by `thousand.rules`; always the caller's fault."""


class InvalidRuleset(RulesError):
    """A ruleset that cannot be played; the message names the options and why."""


class NotationError(RulesError):
    """A text that is no card, action or match; the message quotes it and says what was expected."""


class Illegal(StrEnum):
    """Why an action was refused."""

    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"  # an action of another phase
    NOT_IN_HAND = "not_in_hand"  # a card the seat does not hold
    AGAINST_RULES = "against_rules"  # right phase, own cards, yet not legal now
    MATCH_OVER = "match_over"


class IllegalAction(RulesError):
    """An action that `apply` refuses. Carries the code; the text names what is legal, never a hidden card."""

    def __init__(self, code: Illegal, message: str) -> None:
        super().__init__(message)
        self.code = code

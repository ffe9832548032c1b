"""Rights to a redeal (RULES 2, 3): asked seat by seat, clockwise from forehand, of those alone who have one."""

from typing import Final

from thousand.rules import auction, contracting, dealing
from thousand.rules import options as o
from thousand.rules.actions import ACCEPT, REDEAL, Action, ActionKind
from thousand.rules.cards import hand_of, points_of
from thousand.rules.events import Event, RedealReason, Redealt
from thousand.rules.ruleset import Ruleset
from thousand.rules.state import Match

NINES: Final = hand_of((0, 6, 12, 18))
_NO_TALON: Final = o.RedealTalon.OFF
_BEFORE_AUCTION: Final = o.RedealMoment.BEFORE_AUCTION
_AFTER_PASS: Final = o.RedealMoment.AFTER_PASS
LOW_HAND: Final = 14  # a hand worth less (13 yes, 14 no)


def _right(match: Match, seat: int, moment: o.RedealMoment) -> RedealReason | None:
    rules = match.ruleset
    deal = match.deal
    hand = deal.hands[seat]
    nines = hand & NINES
    if nines == NINES and moment in rules.redeal_four_nines:
        return RedealReason.FOUR_NINES
    if (
        rules.redeal_three_nines_on_hundred
        and moment is _BEFORE_AUCTION
        and seat == deal.hundred
        and nines.bit_count() >= 3
    ):
        return RedealReason.THREE_NINES_ON_HUNDRED
    if rules.redeal_low_hand and moment in rules.redeal_low_hand and points_of(hand) < LOW_HAND:
        return RedealReason.LOW_HAND
    return None


def anyone_may_before_auction(rules: Ruleset) -> bool:
    """Whether these rules know any redeal before the auction."""
    four, low = rules.redeal_four_nines, rules.redeal_low_hand
    return rules.redeal_three_nines_on_hundred or _BEFORE_AUCTION in four or _BEFORE_AUCTION in low


def anyone_may_after_pass(rules: Ruleset) -> bool:
    """Whether these rules know a redeal after passing."""
    return _AFTER_PASS in rules.redeal_four_nines or _AFTER_PASS in rules.redeal_low_hand


def before_auction(match: Match, seat: int) -> RedealReason | None:
    """The right this seat has before the auction."""
    return _right(match, seat, _BEFORE_AUCTION)


def after_pass(match: Match, seat: int) -> RedealReason | None:
    """The right this seat has once the cards are passed."""
    return _right(match, seat, _AFTER_PASS)


def talon_right(match: Match) -> bool:
    """Whether the declarer may have a redeal for a poor talon."""
    rules = match.ruleset
    deal = match.deal
    if rules.redeal_talon is _NO_TALON or deal.taken:  # RULES 4 Taken: no redeal of the talon
        return False
    if rules.redeal_talon_when is o.RedealTalonWhen.FORCED and (
        deal.contract != rules.opening_bid or deal.fixed_contract
    ):
        return False
    poor = points_of(deal.talon) < 5
    two_nines = rules.redeal_talon is o.RedealTalon.BELOW_5_OR_TWO_NINES and (deal.talon & NINES).bit_count() >= 2
    return poor or two_nines


def legal(match: Match) -> tuple[Action, ...]:
    """Demand it or not."""
    return (REDEAL, ACCEPT)


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """The seat's answer; an ACCEPT is nobody else's business and logs nothing."""
    deal = match.deal
    if action.kind is ActionKind.REDEAL:
        reason = after_pass(match, seat) if deal.after_pass else before_auction(match, seat)
        demand(match, seat, reason or RedealReason.LOW_HAND, events)
        return
    deal.asked_redeal = deal.asked_redeal[1:]
    if deal.asked_redeal:
        deal.turn = deal.asked_redeal[0]
    elif deal.after_pass:
        contracting.start(match, events)
    else:
        auction.start(match, events)


def demand(match: Match, seat: int, reason: RedealReason, events: list[Event]) -> None:
    """The cards are dealt again."""
    events.append(Redealt(seat, reason))
    dealing.deal_again(match, events)

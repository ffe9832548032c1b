"""The declarer takes the talon: choosing one of two unseen, and who sees it (RULES 3)."""

from typing import Final

from thousand.rules import options as o
from thousand.rules import passing
from thousand.rules.actions import CHOICES, Action
from thousand.rules.cards import cards_of
from thousand.rules.events import Event, TalonChosen, TalonTaken
from thousand.rules.phases import Phase
from thousand.rules.state import Match
from thousand.rules.tuples import new

_UNLESS_FORCED: Final = o.TalonShown.UNLESS_FORCED


def start(match: Match, events: list[Event]) -> None:
    """Ask which talon, where there are two; else take it."""
    deal = match.deal
    deal.turn = deal.declarer
    if len(deal.talons) == 2:
        match.phase = Phase.TALON
    else:
        _take(match, 0, events)


def legal(match: Match) -> tuple[Action, ...]:
    """One of two talons, unseen."""
    return CHOICES


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """The chosen talon."""
    deal = match.deal
    deal.chosen = action.amount
    deal.leftover = deal.talons[1 - action.amount]
    events.append(TalonChosen(seat, action.amount))
    _take(match, action.amount, events)


def _take(match: Match, index: int, events: list[Event]) -> None:
    rules, deal = match.ruleset, match.deal
    deal.talon = deal.talons[index]
    deal.hands[deal.declarer] |= deal.talon
    forced = (
        deal.contract == rules.opening_bid
        and not deal.taken
        and not (deal.golden and rules.golden is o.Golden.FORCED_DOUBLE)
    )
    unseen = (deal.blind and o.BlindHides.TALON in rules.blind_hides) or (
        forced and rules.talon_shown is _UNLESS_FORCED
    )
    deal.seen_talon = not unseen
    events.append(new(TalonTaken, (deal.declarer, cards_of(deal.talon), deal.seen_talon)))
    passing.start(match)

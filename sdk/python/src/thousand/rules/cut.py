"""The cut as a ritual (RULES 4 Cut): the dealer's right neighbour cuts, the dealer alone sees the bottom card."""

from thousand.rules import dealing
from thousand.rules import options as o
from thousand.rules.actions import ACCEPT, CUTS, RECUT, TUCK, Action, ActionKind
from thousand.rules.cards import RANKS
from thousand.rules.events import BottomSeen, Cut, CutSettled, Event, Fined, RowKind
from thousand.rules.phases import Phase
from thousand.rules.state import Match

_NINE, _JACK = 0, 1
_TUCK_AFTER = 12
FINE = 120


def ask(match: Match) -> None:
    """The right neighbour of the dealer cuts (of two, the opponent)."""
    deal = match.deal
    match.phase = Phase.CUT
    deal.bottom = None
    deal.turn = (deal.dealer - 1) % match.ruleset.players


def legal(match: Match) -> tuple[Action, ...]:
    """Any cut, or what the dealer may do about a nine or a jack."""
    bottom = match.deal.bottom
    if bottom is None:
        return CUTS[1:]
    remedy = RECUT if bottom.rank == _NINE else TUCK
    return (remedy,) if match.ruleset.cut_ritual is o.CutRitual.MUST else (remedy, ACCEPT)


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """Cut, or settle the bottom card."""
    deal = match.deal
    if action.kind is ActionKind.CUT:
        deal.deck = deal.deck[action.amount :] + deal.deck[: action.amount]
        events.append(Cut(seat, action.amount))
        _look_at_bottom(match, seat, events)
        return
    events.append(CutSettled(seat, action.kind))
    if action.kind is ActionKind.RECUT:
        ask(match)
        return
    if action.kind is ActionKind.TUCK:  # then nothing is looked at and there is no more cutting
        deck = deal.deck
        deal.deck = [*deck[:_TUCK_AFTER], deck[-1], *deck[_TUCK_AFTER:-1]]
    deal.bottom = None
    dealing.deal_cards(match, events)


def _look_at_bottom(match: Match, cutter: int, events: list[Event]) -> None:
    deal = match.deal
    bottom = deal.deck[-1]
    events.append(BottomSeen(deal.dealer, bottom))
    if bottom % RANKS not in (_NINE, _JACK):
        dealing.deal_cards(match, events)
        return
    if bottom % RANKS == _NINE:
        deal.nines += 1
        if deal.nines == 3 and not deal.fined:
            deal.fined = True
            doubled = deal.golden and match.ruleset.golden_doubles is o.GoldenDoubles.ALL
            fine = 2 * FINE if doubled else FINE
            match.standings = match.standings.copy()
            match.standings.scores[cutter] -= fine
            events.append(Fined(cutter, RowKind.CUT_FINE, -fine))
    deal.bottom = bottom
    deal.turn = deal.dealer

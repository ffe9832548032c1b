"""What is done for a seat that gives no answer: legal, deterministic, and never more than it has to."""

from thousand.rules.actions import ACCEPT, LOOK, PASS, Action, ActionKind
from thousand.rules.cards import PAIRS, RANKS, Card
from thousand.rules.match import decision
from thousand.rules.phases import Phase
from thousand.rules.state import Match


def caretaker(match: Match) -> Action:
    """The action taken for the seat in turn. Raises ValueError when the match is over."""
    current = decision(match)
    if current is None:
        raise ValueError("the match is over: nobody is to act")
    actions = current.actions
    for quiet in (PASS, ACCEPT, LOOK):
        if quiet in actions:
            return quiet
    if current.phase is Phase.PASS_CARDS:
        gives = [action for action in actions if action.kind is ActionKind.GIVE]
        hand = match.deal.hands[current.seat]
        return min(gives, key=lambda action: _cost(action, hand)) if gives else actions[0]
    if current.phase is Phase.PLAY:
        plays = [action for action in actions if action.card is not None]
        return min(plays, key=lambda action: (action.announce, *_low(action.card or Card(0))))
    return actions[0]  # the first cut, the lower talon, the forced bid, the contract as bid


def _low(card: Card) -> tuple[int, int]:
    return card % RANKS, card // RANKS


def _cost(action: Action, hand: int) -> tuple[int, list[tuple[int, int]], tuple[int, ...]]:
    """Marriages broken first, then the cards from the lowest (field case B08)."""
    cards = [give.card for give in action.gives]
    broken = sum(1 for pair in PAIRS if hand & pair == pair and any(pair >> card & 1 for card in cards))
    return broken, sorted(map(_low, cards)), tuple(cards)

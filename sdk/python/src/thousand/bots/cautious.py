"""`cautious`: bids only what it already holds, throws its small cards away, takes what it can take for certain."""

from collections.abc import Sequence

from thousand.bot import Bot
from thousand.bots.habits import (
    ACE,
    TEN,
    beats,
    best_on_table,
    bid_up_to,
    card_points,
    contract_up_to,
    dull,
    give_least,
    marriage_points,
    of_kind,
    suits_of,
)
from thousand.rules.actions import Action, ActionKind
from thousand.rules.view import View

ACE_WORTH, TEN_WORTH = 20, 15  # an ace or a ten behind it, with what falls to them


def holding(hand: Sequence[int]) -> int:
    """Points that look safe: aces, tens with their ace, and marriages if there is an ace to win the lead with."""
    suits = suits_of(hand)
    aces = sum(ranks >> ACE & 1 for ranks in suits)
    tens = sum(ranks >> ACE & ranks >> TEN & 1 for ranks in suits)
    return ACE_WORTH * aces + TEN_WORTH * tens + (marriage_points(hand) if aces else 0)


class CautiousBot(Bot):
    """Rarely declares, rarely fails."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        answer = dull(view, actions)
        if answer is not None:
            return answer
        hand = view.hand or ()
        kinds = {action.kind for action in actions}
        if ActionKind.PLAY in kinds:
            return play(view, of_kind(actions, ActionKind.PLAY))
        if ActionKind.GIVE in kinds:
            return give_least(actions, hand)
        if ActionKind.CONTRACT in kinds:
            return contract_up_to(actions, holding(hand))
        return bid_up_to(actions, holding(hand))


def play(view: View, plays: Sequence[Action]) -> Action:
    """Announce; lead an ace, else the smallest card; follow with the best card if it wins now, else the smallest."""
    announced = [action for action in plays if action.announce]
    if announced:
        return min(announced, key=card_points)
    best = best_on_table(view)
    if best is None:
        winners = [action for action in plays if action.card is not None and action.card.rank == ACE]
    else:
        winners = [action for action in plays if action.card is not None and beats(action.card, best, view.trump)]
    return max(winners, key=card_points) if winners else min(plays, key=card_points)

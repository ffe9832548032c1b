"""`greedy`: bids on hope, and takes every trick it can with the highest card it has."""

from collections.abc import Sequence

from thousand.bot import Bot
from thousand.bots.habits import (
    beats,
    best_on_table,
    bid_up_to,
    card_points,
    contract_up_to,
    dull,
    give_least,
    marriage_points,
    of_kind,
)
from thousand.rules.actions import Action, ActionKind
from thousand.rules.cards import RANK_POINTS, RANKS
from thousand.rules.view import View

HOPE = 35  # points expected beyond those in hand


class GreedyBot(Bot):
    """Wants every trick now."""

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
            return contract_up_to(actions, 0)
        points = sum(RANK_POINTS[card % RANKS] for card in hand)
        return bid_up_to(actions, points + marriage_points(hand) + HOPE)


def play(view: View, plays: Sequence[Action]) -> Action:
    """The most expensive marriage; else the highest card that takes the trick; else the lowest."""
    announced = [action for action in plays if action.announce and action.card is not None]
    if announced:
        return max(announced, key=lambda action: action.card.suit if action.card is not None else 0)
    best = best_on_table(view)
    winners = [
        action for action in plays if action.card is not None and (best is None or beats(action.card, best, view.trump))
    ]
    return max(winners, key=card_points) if winners else min(plays, key=card_points)

"""What all house bots do alike: dull decisions (cutting, choosing unseen, redeals), and how a trick stands.

Everything here is a function of the view and the legal actions.
"""

from collections.abc import Iterable, Sequence

from thousand.rules.actions import ACCEPT, RECUT, REDEAL, TUCK, Action, ActionKind
from thousand.rules.cards import MARRIAGE_POINTS, RANK_POINTS, RANKS, SUITS, Card, Suit
from thousand.rules.view import View

QUEEN, KING, TEN, ACE = 2, 3, 4, 5  # ranks
PAIR = (1 << QUEEN) | (1 << KING)  # a marriage, as a set of ranks


def dull(view: View, actions: Sequence[Action]) -> Action | None:
    """The answer where there is nothing to think about, else None.

    A nine or jack at the bottom would fall to the dealer himself: he cuts again or tucks it away. A right to a redeal
    comes with a bad hand: it is used. Of two unseen talons the first. Cards are looked at before anything is bid.
    """
    if len(actions) == 1:
        return actions[0]
    first = actions[0].kind
    if first is ActionKind.CUT:
        return actions[(11 + 7 * view.decision) % len(actions)]  # never the same cut again and again
    if first is ActionKind.CHOOSE:
        return actions[0]
    if first in (ActionKind.REDEAL, ActionKind.ACCEPT, ActionKind.RECUT, ActionKind.TUCK):
        return next(action for action in (REDEAL, RECUT, TUCK, ACCEPT) if action in actions)
    return next((action for action in actions if action.kind is ActionKind.LOOK), None)


def of_kind(actions: Iterable[Action], kind: ActionKind) -> list[Action]:
    """The actions of this kind, in their order."""
    return [action for action in actions if action.kind is kind]


def suits_of(cards: Iterable[int]) -> list[int]:
    """By suit, the ranks held as a 6-bit set."""
    suits = [0] * SUITS
    for card in cards:
        suits[card // RANKS] |= 1 << card % RANKS
    return suits


def marriages_in(cards: Iterable[int]) -> list[Suit]:
    """The suits whose king and queen are both here."""
    return [Suit(suit) for suit, ranks in enumerate(suits_of(cards)) if ranks & PAIR == PAIR]


def marriage_points(cards: Iterable[int]) -> int:
    """What the marriages here are worth."""
    return sum(MARRIAGE_POINTS[suit] for suit in marriages_in(cards))


def bid_up_to(actions: Sequence[Action], worth: float) -> Action:
    """The lowest bid if it is no more than `worth`, else pass (or the lowest bid, where it must be made)."""
    bids = of_kind(actions, ActionKind.BID)
    passes = of_kind(actions, ActionKind.PASS)
    lowest = min(bids, key=lambda action: action.amount, default=None)
    if lowest is not None and (lowest.amount <= worth or not passes):
        return lowest
    return passes[0] if passes else actions[0]


def contract_up_to(actions: Sequence[Action], worth: float) -> Action:
    """The highest contract that is no more than `worth`, else the lowest."""
    contracts = sorted(of_kind(actions, ActionKind.CONTRACT), key=lambda action: action.amount)
    return next((action for action in reversed(contracts) if action.amount <= worth), contracts[0])


def give_least(actions: Sequence[Action], hand: Sequence[int]) -> Action:
    """Pass the cards worth least, breaking no marriage where that can be avoided."""
    suits = suits_of(hand)

    def loss(action: Action) -> int:
        lost = 0
        for card, _ in action.gives:
            breaks = suits[card // RANKS] & PAIR == PAIR and PAIR >> card % RANKS & 1
            lost += RANK_POINTS[card % RANKS] + (MARRIAGE_POINTS[card // RANKS] if breaks else 0)
        return lost

    return min(of_kind(actions, ActionKind.GIVE), key=loss)


def on_table(view: View) -> tuple[Card | None, ...]:
    """The cards of the trick being played, in order; none when this seat leads."""
    if not view.tricks or view.tricks[-1].winner is not None:
        return ()
    return view.tricks[-1].cards


def beats(card: int, best: int, trump: int | None) -> bool:
    """Whether `card`, played later, beats `best` (RULES 1: a higher card of its suit, or a trump)."""
    if card // RANKS == best // RANKS:
        return card > best
    return card // RANKS == trump


def best_on_table(view: View) -> Card | None:
    """The card that wins the trick as it stands; None when nothing lies there."""
    best: Card | None = None
    for card in on_table(view):
        if card is not None and (best is None or beats(card, best, view.trump)):
            best = card
    return best


def card_points(action: Action) -> int:
    """Card points of the card an action plays."""
    return 0 if action.card is None else RANK_POINTS[action.card % RANKS]

"""How `counter` plays a trick: for each legal card, what it should win now less what it should be worth later.

All figures are in points; those below were found by playing thousands of deals with one changed and the rest as it is.
`stands` says how likely a card is to hold; the rest is bookkeeping on top of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from thousand.bots.counting import SUIT_CARDS, Count, count, higher, none_held, stands
from thousand.bots.habits import ACE, KING, PAIR, QUEEN, TEN, beats, best_on_table, on_table
from thousand.rules.actions import Action
from thousand.rules.cards import CARDS, MARRIAGE_POINTS, RANK_POINTS, RANKS, SUITS, Card
from thousand.rules.view import View

FOLLOW = 4.0  # what one rival who cannot win throws on a trick
FUTURE = 8.0  # what rivals will throw on a sure winner kept for later
RUFFED = 0.95  # what a sure winner in a plain suit keeps while rivals may hold trumps
SECOND_BEST = 0.4  # what a card keeps that one card beats, while a smaller one of its suit guards it
TRUMP = 4.0  # a trump is worth this much more later
GUARD = 3.0  # a small card beside a ten that the ace still beats
LEAD_MARRIAGE = 0.5  # winning the lead, as a share of the best marriage that could be announced then
CASH_FIRST = 1.1  # to the declarer who leads, more than all of it: sure winners come before the marriage
KEPT_MARRIAGE = 0.4  # what an unannounced marriage is worth later without a sure winner; with one:
KEPT_WITH_ENTRY = 0.9
SMEAR = 0.35  # points thrown on a fellow defender's trick cost this share of what the declarer's would


@dataclass(frozen=True, slots=True)
class Trick:
    """The trick on the table and what this seat knows around it."""

    counted: Count
    trump: int | None
    best: Card | None  # None: this seat leads
    led: int | None  # suit
    points: int
    later: tuple[int, ...]  # rivals who play after this seat
    declares: bool  # this seat is the declarer
    friendly: bool  # a fellow defender is winning it, and the declarer has played
    marriage: int  # the best marriage in hand not yet announced, in points
    entry: bool  # there is a sure winner in hand
    pairs: int  # the cards of unannounced marriages in hand


def choose(view: View, plays: Sequence[Action]) -> Action:
    """The best of these cards."""
    trick = look(view)
    return max(plays, key=lambda action: worth(trick, action))


def look(view: View) -> Trick:
    """Sort what the view says about this trick."""
    counted = count(view)
    table = on_table(view)
    current = view.tricks[-1] if table else None
    acted = current.seats if current is not None else ()
    best = best_on_table(view)
    led = None if not table or table[0] is None else table[0] // RANKS
    pairs, marriage = _pairs(counted.hand)
    holder = next((seat for seat, card in zip(acted, table, strict=False) if card is not None and card == best), None)
    friendly = holder is not None and view.declarer not in (view.seat, holder) and view.declarer in acted
    return Trick(
        counted=counted,
        trump=view.trump,
        best=best,
        led=led,
        points=sum(card.points for card in table if card is not None),
        later=tuple(seat for seat in counted.rivals if seat not in acted),
        declares=view.declarer == view.seat,
        friendly=friendly,
        marriage=marriage,
        entry=any(_sure(card, view.trump, counted) for card in CARDS if counted.hand >> card & 1),
        pairs=pairs,
    )


def _pairs(hand: int) -> tuple[int, int]:
    pairs = best = 0
    for suit in range(SUITS):
        pair = PAIR << suit * RANKS
        if hand & pair == pair:
            pairs |= pair
            best = max(best, MARRIAGE_POINTS[suit])
    return pairs, best


def _sure(card: int, trump: int | None, counted: Count) -> bool:
    if higher(card) & counted.out:
        return False
    return trump is None or card // RANKS == trump or not SUIT_CARDS[trump] & counted.out


def worth(trick: Trick, action: Action) -> float:
    """What playing this card should bring, all told."""
    card = action.card
    if card is None:
        return 0.0
    ace_marriage = action.announce and card.rank == ACE
    trump = card // RANKS if action.announce and not ace_marriage else trick.trump
    win = _win(trick, card, trump)
    points = RANK_POINTS[card.rank]
    rest = _rest(trick, action) * (CASH_FIRST if trick.declares and trick.best is None else LEAD_MARRIAGE)
    value = win * (trick.points + points + FOLLOW * len(trick.later) + rest)
    value -= (1.0 - win) * points * (SMEAR if trick.friendly else 1.0)
    if action.announce:
        value += 200.0 if ace_marriage else MARRIAGE_POINTS[card // RANKS]
    return value - later_worth(trick, card, announced=action.announce and not ace_marriage)


def _rest(trick: Trick, action: Action) -> float:
    """The marriage that could be announced after winning this trick."""
    card = action.card
    if card is None or not trick.pairs >> card & 1:
        return trick.marriage
    return _pairs(trick.counted.hand & ~(PAIR << card // RANKS * RANKS))[1]


def _win(trick: Trick, card: Card, trump: int | None) -> float:
    """The chance that this card takes the trick."""
    if trick.best is not None and not beats(card, trick.best, trump):
        return 0.0
    counted, later = trick.counted, trick.later
    if trick.led is None or card // RANKS == trick.led:
        if trick.best is not None and trick.led != trick.best // RANKS:
            return 0.0
        return stands(card, trump, counted, later)
    over = higher(card) & counted.out
    chance = 1.0
    for seat in later:
        void = none_held(SUIT_CARDS[trick.led] & counted.out, (seat,), counted)
        chance *= 1.0 - void * (1.0 - none_held(over, (seat,), counted))
    return chance


def later_worth(trick: Trick, card: Card, *, announced: bool) -> float:
    """What this card should still bring if it is kept."""
    counted, trump = trick.counted, trick.trump
    suit, rank = divmod(card, RANKS)
    hand = counted.hand
    points = RANK_POINTS[rank]
    over = (higher(card) & counted.out).bit_count()
    below = SUIT_CARDS[suit] & hand & ((1 << card) - 1)
    value = 0.0
    if over == 0:
        threatened = trump is not None and suit != trump and SUIT_CARDS[trump] & counted.out
        value = (points + FUTURE) * (RUFFED if threatened else 1.0)
    elif over == 1 and below:
        value = (points + FUTURE) * SECOND_BEST
    if suit == trump:
        value += TRUMP
    ten_waits = hand >> suit * RANKS + TEN & 1 and counted.out >> suit * RANKS + ACE & 1
    if rank < TEN and ten_waits and (SUIT_CARDS[suit] & hand).bit_count() == 2:
        value += GUARD
    if not announced and rank in (QUEEN, KING) and trick.pairs >> card & 1:
        value += MARRIAGE_POINTS[suit] * (KEPT_WITH_ENTRY if trick.entry else KEPT_MARRIAGE)
    return value

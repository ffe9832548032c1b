"""What one seat can know of the cards it does not see: who may hold what, from its view alone.

Cards are 24-bit sets, as in `thousand.rules.cards`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from thousand.rules.cards import PACK, RANKS, SUITS, hand_of
from thousand.rules.view import View

SUIT_CARDS = tuple(0b111111 << suit * RANKS for suit in range(SUITS))


@dataclass(frozen=True, slots=True)
class Count:
    """The cards as one seat can place them; `may_hold` and `has` by seat, 0 for itself and seats without cards."""

    hand: int
    out: int  # cards this seat has not seen: in other hands, or face down
    may_hold: tuple[int, ...]  # subsets of `out`
    has: tuple[int, ...]  # of those, what the seat must hold
    rivals: tuple[int, ...]  # the other seats that hold cards
    dealt: float  # the share of `out` that lies in their hands; the rest is face down


def count(view: View) -> Count:
    """Count the cards: what was played, passed and shown, and which suits each seat has shown to lack."""
    hand = hand_of(view.hand or ())
    played = 0
    for trick in view.tricks:
        for card in trick.cards:
            if card is not None:
                played |= 1 << card
    rivals = tuple(seat for seat in view.active if seat != view.seat)
    has = _known(view, hand, played)
    discarded = 0
    for _, to, card in view.given:
        if to < 0:
            discarded |= 1 << card
    out = PACK & ~(hand | played | discarded)
    may_hold = [0] * len(view.scores)
    lacks = _lacks(view)
    for seat in rivals:
        elsewhere = sum(has[other] for other in rivals if other != seat)
        may_hold[seat] = out & ~elsewhere & ~lacks[seat]
    return Count(hand, out, tuple(may_hold), tuple(has), rivals, _dealt(view, rivals, out))


def _dealt(view: View, rivals: Sequence[int], out: int) -> float:
    """In play every hand has as many cards as this one, but for the trick on the table."""
    trick = view.tricks[-1] if view.tricks else None
    acted = trick.seats if trick is not None and trick.winner is None else ()
    cards = sum(len(view.hand or ()) - (seat in acted) for seat in rivals)
    return min(1.0, cards / out.bit_count()) if out else 1.0


def _known(view: View, hand: int, played: int) -> list[int]:
    """By seat, cards it must hold: what this seat passed to it."""
    has = [0] * len(view.scores)
    gone = hand | played
    for giver, to, card in view.given:
        if giver == view.seat and to >= 0 and not gone >> card & 1 and to < len(has):
            has[to] |= 1 << card
    return has


def _lacks(view: View) -> list[int]:
    """By seat, the cards it cannot hold: who did not follow lacks the suit, and trumps too unless it played one."""
    lacks = [0] * len(view.scores)
    trump: int | None = None
    for trick in view.tricks:
        if trick.marriage is not None:
            trump = trick.marriage
        led = trick.cards[0] if trick.cards else None
        if led is None:
            continue
        for seat, card in zip(trick.seats[1:], trick.cards[1:], strict=False):
            if card is None or seat >= len(lacks) or card // RANKS == led // RANKS:
                continue
            lacks[seat] |= SUIT_CARDS[led // RANKS]
            if trump is not None and card // RANKS != trump:
                lacks[seat] |= SUIT_CARDS[trump]
    return lacks


def higher(card: int) -> int:
    """The cards of its suit that beat it."""
    return SUIT_CARDS[card // RANKS] & ~((2 << card) - 1)


def lies_with(card: int, seats: Sequence[int], counted: Count) -> float:
    """The chance that this unseen card is in the hand of one of these rivals."""
    inside = everywhere = 0
    for seat in counted.rivals:
        if counted.has[seat] >> card & 1:
            return 1.0 if seat in seats else 0.0
        if counted.may_hold[seat] >> card & 1:
            everywhere += 1
            inside += seat in seats
    return counted.dealt * inside / everywhere if everywhere else 0.0


def none_held(cards: int, seats: Sequence[int], counted: Count) -> float:
    """The chance that none of these cards is in one of these hands."""
    chance = 1.0
    while cards and chance > 0.0:
        card = cards.bit_length() - 1
        cards ^= 1 << card
        chance *= 1.0 - lies_with(card, seats, counted)
    return chance


def stands(card: int, trump: int | None, counted: Count, later: Sequence[int]) -> float:
    """The chance that `card`, of the suit led and best so far, is not beaten by the rivals who play later."""
    chance = none_held(higher(card) & counted.out, later, counted)
    if trump is None or card // RANKS == trump or not SUIT_CARDS[trump] & counted.out:
        return chance
    for seat in later:
        void = none_held(SUIT_CARDS[card // RANKS] & counted.out, (seat,), counted)
        if void > 0.0:
            chance *= 1.0 - void * (1.0 - none_held(SUIT_CARDS[trump] & counted.out, (seat,), counted))
    return chance

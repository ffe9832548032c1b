"""Passing cards (RULES 2, 3): one to each opponent or as two players deal; the talon's redeal and the write-off."""

from functools import cache
from itertools import combinations
from typing import Final

from thousand.rules import contracting, ending, redeal
from thousand.rules import options as o
from thousand.rules.actions import REDEAL, TALON, WRITE_OFF, Action, ActionKind, give_one, give_two
from thousand.rules.cards import cards_of
from thousand.rules.events import CardPassed, Event, RedealReason
from thousand.rules.phases import Phase
from thousand.rules.scoring import write_off_is_free
from thousand.rules.state import DUMMY, Match
from thousand.rules.tuples import new

_PASS_CARDS: Final = Phase.PASS_CARDS
_REDEAL: Final = ActionKind.REDEAL
_GIVE_UP: Final = ActionKind.WRITE_OFF
_NO_WRITE_OFF: Final = o.WriteOff.OFF
_FORBIDDEN: Final = o.WriteOffBarrel.FORBIDDEN
_TWO_CARDS: Final = o.TwoPlayer.TALON_4
_TALON_TOO: Final = o.TwoPlayer.TWO_TALONS_OF_3


def start(match: Match) -> None:
    """The declarer is to pass."""
    match.phase = _PASS_CARDS
    match.deal.turn = match.deal.declarer


def legal(match: Match) -> tuple[Action, ...]:
    """Every way to pass; the talon's redeal; giving up."""
    extra: tuple[Action, ...] = ()
    if redeal.talon_right(match):
        if match.ruleset.redeal_talon_mode is o.RedealTalonMode.MUST:
            return (REDEAL,)
        extra = (REDEAL,)
    if may_write_off(match):
        extra = (*extra, WRITE_OFF)
    return (*_gives(match), *extra)


@cache
def _receivers(active: tuple[int, ...], declarer: int, two_player: o.TwoPlayer | None) -> tuple[int, ...]:
    """Who gets a card, sorted: a seat twice where it gets two, the talon where a card is discarded into it."""
    others = [seat for seat in active if seat != declarer]
    if two_player is _TWO_CARDS:
        others *= 2
    elif two_player is _TALON_TOO:
        others.append(TALON)
    return tuple(sorted(others))


def _gives(match: Match) -> list[Action]:
    deal = match.deal
    cards: tuple[int, ...] = cards_of(deal.hands[deal.declarer])
    receivers = _receivers(deal.active, deal.declarer, match.ruleset.two_player)
    if len(receivers) == 1:
        return [give_one(receivers[0])[card] for card in cards]
    one, other = receivers
    pairs = give_two(one, other)
    if one == other:
        return [pairs[a][b] for a, b in combinations(cards, 2)]
    rows = [pairs[card] for card in cards]
    gives = [row[card] for row in rows for card in cards]
    del gives[:: len(cards) + 1]  # the same card twice
    return gives


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """Pass, demand a redeal, or give up."""
    if action.kind is _REDEAL:
        redeal.demand(match, seat, RedealReason.TALON, events)
        return
    if action.kind is _GIVE_UP:
        ending.write_off(match, events)
        return
    rules, deal = match.ruleset, match.deal
    hands = deal.hands
    open_deal = rules.pass_shown and not (deal.blind and o.BlindHides.PASS in rules.blind_hides)
    for card, to in action.gives:
        bit = 1 << card
        hands[seat] = hands[seat] ^ bit
        if to == TALON:
            deal.leftover |= bit
        else:
            hands[to] = hands[to] | bit
        shown = open_deal and to != TALON and not (to == DUMMY and rules.two_player is o.TwoPlayer.DUMMY)
        deal.given.append((seat, to, card, shown))
        events.append(new(CardPassed, (seat, to, card, shown)))
    deal.after_pass = True
    if redeal.anyone_may_after_pass(rules):
        deal.asked_redeal = [s for s in deal.bidders if redeal.after_pass(match, s)]
    if deal.asked_redeal:
        match.phase = Phase.REDEAL
        deal.turn = deal.asked_redeal[0]
    else:
        contracting.start(match, events)


def is_free(match: Match) -> bool:
    """Whether giving up now would cost the declarer nothing (RULES 3 write_off_cost, write_off_penalty)."""
    return write_off_is_free(match.ruleset, match.standings.write_offs[match.deal.declarer])


def may_write_off(match: Match) -> bool:
    """Whether the declarer may give up, as far as score sheet and deal allow (not the moment)."""
    rules, deal = match.ruleset, match.deal
    if rules.write_off is _NO_WRITE_OFF:
        return False
    if rules.write_off_limit is not None and match.standings.write_offs[deal.declarer] >= rules.write_off_limit:
        return False
    if deal.golden:
        golden = rules.write_off_golden
        if golden is o.WriteOffGolden.FORBIDDEN or (golden is o.WriteOffGolden.FORBIDDEN_IF_FREE and is_free(match)):
            return False
    barrel = rules.write_off_barrel
    if barrel is _FORBIDDEN:
        return not match.standings.on_barrel(deal.declarer)
    if barrel is o.WriteOffBarrel.ALLOWED:
        return True
    anyone = any(tries is not None for tries in match.standings.barrel_tries_left)
    return not (anyone and (barrel is o.WriteOffBarrel.FORBIDDEN_IF_ANYONE or is_free(match)))

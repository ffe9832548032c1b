"""Passing cards (RULES 2, 3): one to each opponent or as two players deal; the talon's redeal and the write-off."""

from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter

from thousand.rules import contracting, ending, redeal
from thousand.rules import options as o
from thousand.rules.actions import REDEAL, TALON, WRITE_OFF, Action, ActionKind, Give, give_one, give_two
from thousand.rules.cards import Card, cards_of
from thousand.rules.events import CardPassed, Event, RedealReason
from thousand.rules.phases import Phase
from thousand.rules.scoring import write_off_is_free
from thousand.rules.state import DUMMY, Match


def start(match: Match) -> None:
    """The declarer is to pass."""
    match.phase = Phase.PASS_CARDS
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


def _gives(match: Match) -> Sequence[Action]:
    deal = match.deal
    cards = cards_of(deal.hands[deal.declarer])
    others = [seat for seat in deal.active if seat != deal.declarer]
    two_player = match.ruleset.two_player
    if two_player is o.TwoPlayer.TALON_4:
        both = give_two(others[0], others[0])
        return [both[a][b] for a, b in combinations(cards, 2)]
    if two_player is o.TwoPlayer.TWO_TALONS_OF_3:
        others.append(TALON)
    if len(others) == 1:
        table = give_one(others[0])
        return [table[card] for card in cards]
    one, other = sorted(others)
    pairs = give_two(one, other)
    held = itemgetter(*cards)
    gives: list[Action] = []
    for row in held(pairs):
        gives += held(row)
    del gives[:: len(cards) + 1]  # the same card twice
    return gives


def is_legal_give(match: Match, action: Action) -> bool:
    """Whether a GIVE is among `legal`, without going through all of them."""
    deal = match.deal
    hand = deal.hands[deal.declarer]
    gives = action.gives
    wanted = match.ruleset.two_player
    cards = 0
    for card, _ in gives:
        cards |= 1 << card
    if cards & ~hand or cards.bit_count() != len(gives):
        return False
    others = [seat for seat in deal.active if seat != deal.declarer]
    if wanted is o.TwoPlayer.TALON_4:
        others *= 2
    elif wanted is o.TwoPlayer.TWO_TALONS_OF_3:
        others.append(TALON)
    return [to for _, to in gives] == sorted(others) and list(gives) == sorted(gives, key=_by_receiver)


def _by_receiver(give: Give) -> tuple[int, Card]:
    return give.to, give.card


def act(match: Match, seat: int, action: Action, events: list[Event]) -> None:
    """Pass, demand a redeal, or give up."""
    if action.kind is ActionKind.REDEAL:
        redeal.demand(match, seat, RedealReason.TALON, events)
        return
    if action.kind is ActionKind.WRITE_OFF:
        ending.write_off(match, events)
        return
    rules, deal = match.ruleset, match.deal
    open_deal = rules.pass_shown and not (deal.blind and o.BlindHides.PASS in rules.blind_hides)
    for card, to in action.gives:
        deal.hands[seat] ^= 1 << card
        if to == TALON:
            deal.leftover |= 1 << card
        else:
            deal.hands[to] |= 1 << card
        shown = open_deal and to != TALON and not (rules.two_player is o.TwoPlayer.DUMMY and to == DUMMY)
        deal.given.append((seat, to, card, shown))
        events.append(CardPassed(seat, to, card, shown))
    deal.after_pass = True
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
    if rules.write_off is o.WriteOff.OFF:
        return False
    if rules.write_off_limit is not None and match.standings.write_offs[deal.declarer] >= rules.write_off_limit:
        return False
    golden = rules.write_off_golden if deal.golden else o.WriteOffGolden.ALLOWED
    if golden is o.WriteOffGolden.FORBIDDEN or (golden is o.WriteOffGolden.FORBIDDEN_IF_FREE and is_free(match)):
        return False
    anyone = any(tries is not None for tries in match.standings.barrel_tries_left)
    match rules.write_off_barrel:
        case o.WriteOffBarrel.FORBIDDEN:
            return not match.standings.on_barrel(deal.declarer)
        case o.WriteOffBarrel.FORBIDDEN_IF_ANYONE:
            return not anyone
        case o.WriteOffBarrel.FORBIDDEN_IF_FREE:
            return not (anyone and is_free(match))
        case _:
            return True

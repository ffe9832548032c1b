"""All secrecy in one file: what one seat may know, built from an allow-list.

A View has no field that could hold another hand; an event passes `visible` or does not leave the engine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from thousand.rules import options as o
from thousand.rules.actions import Action
from thousand.rules.cards import Card, Suit, cards_of
from thousand.rules.events import BottomSeen, CardPassed, Event, HandDealt, TalonTaken
from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.state import DUMMY, Deal, Match


@dataclass(frozen=True, slots=True)
class TrickView:
    """A trick as the table saw it. `cards` in order of play, from `leader`; None = the dummy's, face down."""

    leader: int
    seats: tuple[int, ...]
    cards: tuple[Card | None, ...]
    winner: int | None  # None while it is being played
    marriage: Suit | None  # announced with the lead


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know now. Seats are 0..players-1, clockwise; scores in points; tuples by seat."""

    ruleset: Ruleset
    seat: int
    decision: int  # how many decisions this seat has been asked before, in this match
    phase: Phase
    deal_number: int  # 1-based
    dealer: int
    hundred: int  # holder of the forced bid
    active: tuple[int, ...]  # seats that hold cards in this deal, clockwise from forehand
    golden: bool
    # the score sheet
    scores: tuple[int, ...]
    bolts: tuple[int, ...]
    bolt_runs: tuple[int, ...]  # second counter of bolt_run both
    barrel_tries_left: tuple[int | None, ...]  # None = not on the barrel
    falls: tuple[int, ...]
    write_offs: tuple[int, ...]
    golden_made: tuple[bool, ...]  # of the golden contracts so far, in order: whether each was made
    # own cards
    hand: tuple[Card, ...] | None  # None: not looked at (blind), or sitting out
    bottom: Card | None  # the dealer at the cut
    # the auction, in the order spoken
    auction: tuple[tuple[int, Action], ...]
    to_speak: int | None  # whose turn in the auction
    high_bid: int  # 0 = none yet
    high_bidder: int | None
    passed: tuple[int, ...]  # seats that have passed
    looked: tuple[bool, ...]
    declarer: int | None
    contract: int  # in force; 0 before there is one
    factor: int  # 1, 2 or 4: golden, blind (RULES 5)
    # talon and passing
    talon_chosen: int | None
    talon: tuple[Card, ...] | None  # as taken, if this seat may see it
    given: tuple[tuple[int, int, Card], ...]  # (from, to or TALON, card) this seat may see
    # play
    trump: Suit | None
    marriages: tuple[tuple[int, Suit], ...]  # (seat, suit) announced, in order
    tricks: tuple[TrickView, ...]  # all of this deal, the last may be unfinished
    tricks_won: tuple[int, ...]
    points: tuple[int, ...]  # taken so far in this deal, as far as this seat can know
    revoked: tuple[int, ...]


NOBODY = -2  # no seat: a spectator
_SUITS = tuple(Suit)


def factor(match: Match) -> int:
    """1, 2 or 4: golden and blind deals (RULES 5)."""
    return (2 if match.deal.golden else 1) * (2 if match.deal.high_blind else 1)


def view(match: Match, seat: int) -> View:
    """What this seat may know now."""
    deal = match.deal
    sheet = match.standings
    players = match.ruleset.players
    over = match.phase is Phase.OVER
    sees = deal.looked[seat] and not over
    declared = deal.declarer >= 0
    return View(
        ruleset=match.ruleset,
        seat=seat,
        decision=match.asked[seat],
        phase=match.phase,
        deal_number=deal.number,
        dealer=deal.dealer,
        hundred=deal.hundred,
        active=deal.bidders,
        golden=deal.golden,
        scores=tuple(sheet.scores),
        bolts=tuple(sheet.bolts),
        bolt_runs=tuple(sheet.bolt_runs),
        barrel_tries_left=tuple(sheet.barrel_tries_left),
        falls=tuple(sheet.falls),
        write_offs=tuple(sheet.write_offs),
        golden_made=tuple(sheet.golden_made),
        hand=cards_of(deal.hands[seat]) if sees else None,
        bottom=deal.bottom if seat == deal.dealer else None,
        auction=tuple(deal.words),
        to_speak=deal.turn if match.phase is Phase.AUCTION else None,
        high_bid=deal.high_bid,
        high_bidder=deal.high_bidder if deal.high_bidder >= 0 else None,
        passed=tuple([s for s in deal.bidders if deal.passed[s]]),
        looked=tuple(deal.looked),
        declarer=deal.declarer if declared else None,
        contract=deal.contract,
        factor=factor(match),
        talon_chosen=deal.chosen if deal.chosen >= 0 else None,
        talon=cards_of(deal.talon) if deal.talon and (deal.seen_talon or seat == deal.declarer) else None,
        given=tuple([(giver, to, card) for giver, to, card, shown in deal.given if shown or seat in (giver, to)]),
        trump=_SUITS[deal.trump] if deal.trump >= 0 else None,
        marriages=tuple([(s, _SUITS[suit]) for s, suit in deal.marriages]),
        tricks=_tricks(match, deal),
        tricks_won=tuple(deal.tricks_won[:players]),
        points=tuple(deal.shown_points[:players]),
        revoked=tuple(deal.revokes),
    )


def _tricks(match: Match, deal: Deal) -> tuple[TrickView, ...]:
    hides = match.ruleset.two_player is o.TwoPlayer.DUMMY
    order = tuple(deal.next)
    tricks = [_trick(order, *trick, hides) for trick in deal.tricks]
    if deal.trick:
        tricks.append(_trick(order, deal.leader, tuple(deal.trick), None, deal.marriage, hides))
    return tuple(tricks)


@lru_cache(maxsize=8192)  # every seat sees the same trick, decision after decision
def _trick(
    order: tuple[int, ...],
    leader: int,
    cards: tuple[Card, ...],
    winner: int | None,
    marriage: int | None,
    hides: bool,
) -> TrickView:
    seats = [leader]
    while len(seats) < len(cards):
        seats.append(order[seats[-1]])
    shown = tuple(None if hides and s == DUMMY else c for s, c in zip(seats, cards, strict=True))
    return TrickView(leader, tuple(seats), shown, winner, None if marriage is None else Suit(marriage))


def _own(event: HandDealt | BottomSeen, seat: int) -> Event | None:
    return event if event.seat == seat else None


def _talon_taken(event: TalonTaken, seat: int) -> Event | None:
    return event if event.shown or event.seat == seat else event._replace(cards=None)


def _card_passed(event: CardPassed, seat: int) -> Event | None:
    return event if event.shown or seat in (event.seat, event.to) else event._replace(card=None)


# The kinds of event that are not everybody's, and what of one a seat may know.
_HIDDEN: Final[dict[type[Any], Callable[[Any, int], Event | None]]] = {
    HandDealt: _own,
    BottomSeen: _own,
    TalonTaken: _talon_taken,
    CardPassed: _card_passed,
}


def visible(event: Event, seat: int, _match: Match | None = None) -> Event | None:
    """The event as this seat may know it, or None if it may not know of it at all."""
    known = _HIDDEN.get(type(event))
    return event if known is None else known(event, seat)


def public(event: Event) -> Event | None:
    """The event as everybody may know it, spectators too; None if nobody else may know of it."""
    return visible(event, NOBODY)

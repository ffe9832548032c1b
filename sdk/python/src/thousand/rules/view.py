"""All secrecy in one file: what one seat may know, built from an allow-list.

A View has no field that could hold another hand; an event passes `visible` or does not leave the engine.
"""

from dataclasses import dataclass

from thousand.rules.actions import Action
from thousand.rules.cards import Card, Suit
from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset


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
    revealed: tuple[Card, ...]  # face-down cards, once the deal is scored

"""What a seat sees, as the bytes of a View, put together from remembered pieces.

Law: what goes in is a View, which cannot hold what its seat may not know. While cards are played only few of its fields
change, and all but the hand are everybody's: those alone are read from the match. A test compares what comes out with
`view` and `thousand.wire` at every decision.
"""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any, Final

from referee.chunks import KEPT, ById, field, tagged, varint
from thousand.rules import Action, Card, Match, Suit, View, cards_of, view
from thousand.rules import options as o
from thousand.rules.phases import Phase
from thousand.rules.state import DUMMY, Deal
from thousand.v1 import view_pb2
from thousand.v1.card_pb2 import Cards
from thousand.wire import action_to
from thousand.wire.cards import cards_to, maybe_card_to, suit_to
from thousand.wire.views import PHASE

MaybeSeat = int | None
Seats = tuple[int, ...]
_PLAY: Final = Phase.PLAY
_NUMBER: Final = b"\x10"  # View.decision
_AUCTION: Final = b"\x8a\x01"  # View.auction
_TRICKS: Final = b"\xfa\x01"  # View.tricks
_LEADER, _SEATS, _CARDS, _WINNER, _MARRIAGE = b"\x08", b"\x12", b"\x1a", b"\x20", b"\x28"  # of a TrickView
_PLUS_ONE: Final = bytes([*range(1, 256), 0])  # a card is 1 + card on the wire


class Views:
    """The views of one match, whose deals follow each other as new objects."""

    __slots__ = ("_deal", "_done", "_hides", "_match", "_now", "_open", "_order", "_still", "_tricks")

    def __init__(self, match: Match) -> None:
        self._match = match
        self._deal: Deal | None = None  # being played: what follows is of this deal
        self._hides = match.ruleset.two_player is o.TwoPlayer.DUMMY
        self._still: list[bytes | None] = []  # by seat: what does not change any more
        self._order: Seats = ()
        self._tricks: list[bytes] = []
        self._done = b""  # what a trick, an announcement or a revoke changes
        self._now: tuple[object, ...] = ()  # what `_done` was made of

    def of(self, seat: int) -> bytes:
        """What this seat may know now."""
        match = self._match
        if match.phase is not _PLAY:
            return view_bytes(view(match, seat))
        deal = match.deal
        if deal is not self._deal:
            self._begin(deal)
        still = self._still[seat]
        if still is None:
            still = self._still[seat] = _still(view(match, seat))
        now = (len(deal.tricks), deal.trump, len(deal.marriages), len(deal.revokes), *deal.shown_points)
        if now != self._now:
            self._now = now
            self._done = self._happened(deal)
        return b"".join(
            (
                _number(match.asked[seat]),
                still,
                _held(deal.hands[seat]) if deal.looked[seat] else b"",
                self._done,
                _open(self._order, deal.leader, tuple(deal.trick), deal.marriage, self._hides) if deal.trick else b"",
            )
        )

    def _begin(self, deal: Deal) -> None:
        self._deal = deal
        self._still = [None] * self._match.ruleset.players
        self._order = tuple(deal.next)
        self._tricks = []
        self._now = ()

    def _happened(self, deal: Deal) -> bytes:
        tricks = self._tricks
        for leader, cards, winner, marriage in deal.tricks[len(tricks) :]:
            tricks.append(_trick(_seats(self._order, leader, len(cards)), cards, winner, marriage, self._hides))
        players = self._match.ruleset.players
        return b"".join(
            (
                _announced(deal.trump, tuple(deal.marriages)),
                *tricks,
                _taken(tuple(deal.tricks_won[:players]), tuple(deal.shown_points[:players]), tuple(deal.revokes)),
            )
        )


def view_bytes(seen: View) -> bytes:
    """A serialised View."""
    return b"".join(
        (
            _number(seen.decision),
            _still(seen),
            b"" if seen.hand is None else _cards(bytes(seen.hand)),
            _announced(-1 if seen.trump is None else seen.trump, seen.marriages),
            *[_trick(t.seats, t.cards, t.winner, t.marriage, False) for t in seen.tricks],
            _taken(seen.tricks_won, seen.points, seen.revoked),
        )
    )


def _still(seen: View) -> bytes:
    """What stays as it is while cards are played."""
    return b"".join(
        (
            _place(seen.seat, seen.phase, seen.deal_number, seen.dealer, seen.hundred, seen.active, seen.golden),
            _sheet(seen.scores, seen.bolts, seen.bolt_runs, seen.barrel_tries_left, seen.falls, seen.write_offs),
            b"" if seen.bottom is None else _bottom(seen.bottom),
            *_words(seen.auction),
            _bidding(
                seen.to_speak,
                seen.high_bid,
                seen.high_bidder,
                seen.passed,
                seen.looked,
                seen.declarer,
                seen.contract,
                seen.factor,
                seen.talon_chosen,
            ),
            _talon(seen.talon, seen.given),
        )
    )


@lru_cache(KEPT)
def _number(decision: int) -> bytes:
    return tagged(_NUMBER, decision)


@lru_cache(KEPT)
def _place(seat: int, phase: Phase, number: int, dealer: int, hundred: int, active: Seats, golden: bool) -> bytes:
    at: Any = PHASE.to[phase]
    return view_pb2.View(
        seat=seat, phase=at, deal_number=number, dealer=dealer, hundred=hundred, active=active, golden=golden
    ).SerializeToString()


@lru_cache(KEPT)
def _sheet(
    scores: Seats, bolts: Seats, runs: Seats, tries: tuple[MaybeSeat, ...], falls: Seats, write_offs: Seats
) -> bytes:
    left = [-1 if t is None else t for t in tries]
    return view_pb2.View(
        scores=scores, bolts=bolts, bolt_runs=runs, barrel_tries_left=left, falls=falls, write_offs=write_offs
    ).SerializeToString()


@lru_cache(KEPT)
def _bottom(card: Card) -> bytes:
    return view_pb2.View(bottom=maybe_card_to(card)).SerializeToString()


@lru_cache(KEPT)
def _bidding(
    to_speak: MaybeSeat,
    high_bid: int,
    high_bidder: MaybeSeat,
    passed: Seats,
    looked: tuple[bool, ...],
    declarer: MaybeSeat,
    contract: int,
    factor: int,
    talon_chosen: MaybeSeat,
) -> bytes:
    return view_pb2.View(
        to_speak=to_speak,
        high_bid=high_bid,
        high_bidder=high_bidder,
        passed=passed,
        looked=looked,
        declarer=declarer,
        contract=contract,
        factor=factor,
        talon_chosen=talon_chosen,
    ).SerializeToString()


@lru_cache(KEPT)
def _talon(talon: tuple[Card, ...] | None, given: tuple[tuple[int, int, Card], ...]) -> bytes:
    if talon is None and not given:
        return b""
    passed: Any = [{"from_seat": seat, "to": to, "card": card + 1} for seat, to, card in given]
    return view_pb2.View(
        talon=None if talon is None else Cards(cards=cards_to(talon)),
        given=[view_pb2.PassedCard(**one) for one in passed],
    ).SerializeToString()


@lru_cache(KEPT)
def _announced(trump: int, marriages: tuple[tuple[int, int], ...]) -> bytes:
    return view_pb2.View(
        trump=suit_to(Suit(trump) if trump >= 0 else None),
        marriages=[view_pb2.SeatSuit(seat=seat, suit=suit_to(Suit(suit))) for seat, suit in marriages],
    ).SerializeToString()


@lru_cache(KEPT)
def _taken(tricks_won: Seats, points: Seats, revoked: Seats) -> bytes:
    return view_pb2.View(tricks_won=tricks_won, points=points, revoked=revoked).SerializeToString()


# cards: written out, for nearly every hand and trick is new


def _cards(cards: bytes) -> bytes:
    """A hand, as View.hand of packed Cards.cards, each a byte."""
    return _HANDS[len(cards)] + cards.translate(_PLUS_ONE)


_HANDS: Final = (b"\x7a\x00", *(bytes((0x7A, n + 2, 0x0A, n)) for n in range(1, 25)))  # by number of cards
# By the six bits held of a suit: its cards in the order of `cards_of`.
_SPADES, _CLUBS, _DIAMONDS, _HEARTS = (
    tuple(bytes(cards_of(bits << suit * 6)).translate(_PLUS_ONE) for bits in range(64)) for suit in range(4)
)


def _held(hand: int) -> bytes:
    """The same of a 24-bit set."""
    return b"".join(
        (
            _HANDS[hand.bit_count()],
            _SPADES[hand & 63],
            _CLUBS[hand >> 6 & 63],
            _DIAMONDS[hand >> 12 & 63],
            _HEARTS[hand >> 18],
        )
    )


@lru_cache(KEPT)
def _seats(order: Seats, leader: int, count: int) -> Seats:
    """Who plays the cards of a trick."""
    seats = [leader]
    while len(seats) < count:
        seats.append(order[seats[-1]])
    return tuple(seats)


@lru_cache(KEPT)
def _open(order: Seats, leader: int, cards: tuple[Card, ...], marriage: int | None, hides: bool) -> bytes:
    """The trick on the table."""
    return _trick(_seats(order, leader, len(cards)), cards, None, marriage, hides)


def _trick(
    seats: Seats, cards: tuple[Card | None, ...], winner: int | None, marriage: int | None, hides: bool
) -> bytes:
    """`hides`: the dummy's card lies face down."""
    shown = bytes(
        [0 if card is None or (hides and seat == DUMMY) else card + 1 for seat, card in zip(seats, cards, strict=True)]
    )
    body = b"".join(
        (
            tagged(_LEADER, seats[0]),
            _SEATS,
            varint(len(seats)),
            bytes(seats),
            _CARDS,
            varint(len(shown)),
            shown,
            b"" if winner is None else _WINNER + varint(winner),
            b"" if marriage is None else _MARRIAGE + varint(marriage + 1),
        )
    )
    return field(_TRICKS, body)


def _word(seat: int, action: Action) -> bytes:
    return field(_AUCTION, view_pb2.Word(seat=seat, action=action_to(action)).SerializeToString())


_BY_SEAT: Final = tuple(ById[Action](partial(_word, seat)) for seat in range(4))


def _words(auction: Iterable[tuple[int, Action]]) -> list[bytes]:
    return [_BY_SEAT[seat].one(action) for seat, action in auction]

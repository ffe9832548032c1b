"""What a seat sees, as the bytes of a View, put together from remembered pieces.

Law: the bytes are those of `view`, which says what a seat may know; a test compares them for every seat, before every
decision, under every preset. What is not everybody's is in `_own` alone.
"""

from functools import lru_cache, partial
from typing import Any, Final

from referee.chunks import KEPT, PLUS_ONE, ById, cards_in, field, packed, signed, tagged, varint, zigzag
from thousand.rules import Action, Card, Match, Suit, cards_of
from thousand.rules import options as o
from thousand.rules.phases import Phase
from thousand.rules.standings import Standings
from thousand.rules.state import DUMMY, Deal
from thousand.v1 import view_pb2
from thousand.wire import action_to
from thousand.wire.cards import suit_to
from thousand.wire.views import PHASE

MaybeSeat = int | None
Seats = tuple[int, ...]
_AUCTION_PHASE: Final = Phase.AUCTION
_OVER: Final = Phase.OVER
_PLAY: Final = Phase.PLAY
_NUMBER: Final = b"\x10"  # View.decision
_DEAL_NUMBER: Final = b"\x20"
_WON, _POINTS, _REVOKED = b"\x82\x02", b"\x8a\x02", b"\x92\x02"  # View.tricks_won and the two after it
_AUCTION: Final = b"\x8a\x01"  # View.auction
_TRICKS: Final = b"\xfa\x01"  # View.tricks
_LEADER, _SEATS, _CARDS, _WINNER, _MARRIAGE = b"\x08", b"\x12", b"\x1a", b"\x20", b"\x28"  # of a TrickView


class Views:
    """The views of one match, whose deals follow each other as new objects."""

    __slots__ = (
        "_deal", "_done", "_hides", "_match", "_now", "_order", "_sheet", "_standings", "_still", "_tricks", "_words",
        "_words_known",
    )  # fmt: skip

    def __init__(self, match: Match) -> None:
        self._match = match
        self._hides = match.ruleset.two_player is o.TwoPlayer.DUMMY
        self._standings: Standings | None = None
        self._sheet = b""  # of these standings
        self._deal: Deal | None = None  # what follows is of this deal
        self._still: list[bytes] = []  # by seat: what does not change any more once cards are played
        self._order: Seats = ()
        self._words = b""
        self._words_known = 0
        self._tricks: list[bytes] = []
        self._done = b""  # what a trick, an announcement or a revoke changes
        self._now: tuple[object, ...] = ()  # what `_done` was made of

    def of(self, seat: int) -> bytes:
        """What this seat may know now."""
        match = self._match
        deal = match.deal
        if deal is not self._deal:
            self._begin(deal)
        if match.phase is _PLAY:
            still = self._still[seat] or self._settle(match, deal, seat)
        else:
            still = self._spoken(match, deal, seat)
        now = (len(deal.tricks), deal.trump, len(deal.marriages), len(deal.revokes), *deal.shown_points)
        if now != self._now:
            self._now = now
            self._done = self._happened(deal)
        return b"".join(
            (
                _number(match.asked[seat]),
                still,
                _held(deal.hands[seat]) if deal.looked[seat] and match.phase is not _OVER else b"",
                self._done,
                _open(self._order, deal.leader, tuple(deal.trick), deal.marriage, self._hides) if deal.trick else b"",
            )
        )

    def _begin(self, deal: Deal) -> None:
        self._deal = deal
        self._still = [b""] * self._match.ruleset.players
        self._order = tuple(deal.next)
        self._words = b""
        self._words_known = 0
        self._tricks = []
        self._now = ()

    def _settle(self, match: Match, deal: Deal, seat: int) -> bytes:
        still = self._still[seat] = self._spoken(match, deal, seat)
        return still

    def _spoken(self, match: Match, deal: Deal, seat: int) -> bytes:
        """All but the hand and what is played."""
        if match.standings is not self._standings:
            self._standings = match.standings
            self._sheet = _sheet(match.standings)
        words = deal.words
        if len(words) != self._words_known:
            self._words += b"".join([_SPOKEN[seat].one(action) for seat, action in words[self._words_known :]])
            self._words_known = len(words)
        return b"".join(
            (
                _place(seat, match.phase, deal.dealer, deal.hundred, deal.bidders, deal.golden),
                tagged(_DEAL_NUMBER, deal.number),
                self._sheet,
                self._words,
                _bidding(
                    deal.turn if match.phase is _AUCTION_PHASE else None,
                    deal.high_bid,
                    deal.high_bidder,
                    tuple([s for s in deal.bidders if deal.passed[s]]),
                    tuple(deal.looked),
                    deal.declarer,
                    deal.contract,
                    (2 if deal.golden else 1) * (2 if deal.high_blind else 1),
                    deal.chosen,
                ),
                _own(deal, seat) if deal.talon or deal.given or deal.bottom is not None else b"",
            )
        )

    def _happened(self, deal: Deal) -> bytes:
        tricks = self._tricks
        for leader, cards, winner, marriage in deal.tricks[len(tricks) :]:
            tricks.append(_trick(_seats(self._order, leader, len(cards)), cards, winner, marriage, self._hides))
        players = self._match.ruleset.players
        return b"".join(
            (
                _announced(deal.trump, tuple(deal.marriages)),
                *tricks,
                packed(_WON, deal.tricks_won[:players]),
                packed(_POINTS, deal.shown_points[:players]),
                packed(_REVOKED, deal.revokes),
            )
        )


def _own(deal: Deal, seat: int) -> bytes:
    """What only some seats may see, but for the hand (RULES 2): the bottom card, the talon, passed cards."""
    return _seen(
        deal.bottom if seat == deal.dealer else None,
        deal.talon if deal.seen_talon or seat == deal.declarer else 0,
        tuple([(giver, to, card) for giver, to, card, shown in deal.given if shown or seat in (giver, to)]),
    )


@lru_cache(KEPT)
def _number(decision: int) -> bytes:
    return tagged(_NUMBER, decision)


@lru_cache(KEPT)
def _place(seat: int, phase: Phase, dealer: int, hundred: int, active: Seats, golden: bool) -> bytes:
    at: Any = PHASE.to[phase]
    return view_pb2.View(
        seat=seat, phase=at, dealer=dealer, hundred=hundred, active=active, golden=golden
    ).SerializeToString()


def _sheet(sheet: Standings) -> bytes:
    return b"".join(
        (
            signed(b"\x4a", sheet.scores),
            packed(b"\x52", sheet.bolts),
            packed(b"\x5a", sheet.bolt_runs),
            signed(b"\x62", [-1 if tries is None else tries for tries in sheet.barrel_tries_left]),
            packed(b"\x6a", sheet.falls),
            packed(b"\x72", sheet.write_offs),
            packed(b"\x9a\x02", sheet.golden_made),
        )
    )


@lru_cache(KEPT)
def _bidding(
    to_speak: MaybeSeat,
    high_bid: int,
    high_bidder: int,
    passed: Seats,
    looked: tuple[bool, ...],
    declarer: int,
    contract: int,
    factor: int,
    chosen: int,
) -> bytes:
    return view_pb2.View(
        to_speak=to_speak,
        high_bid=high_bid,
        high_bidder=None if high_bidder < 0 else high_bidder,
        passed=passed,
        looked=looked,
        declarer=None if declarer < 0 else declarer,
        contract=contract,
        factor=factor,
        talon_chosen=None if chosen < 0 else chosen,
    ).SerializeToString()


def _seen(bottom: Card | None, talon: int, given: tuple[tuple[int, int, Card], ...]) -> bytes:
    passed = [
        field(b"\xe2\x01", tagged(b"\x08", giver) + tagged(b"\x10", zigzag(to)) + tagged(b"\x18", card + 1))
        for giver, to, card in given
    ]
    return b"".join(
        (
            b"" if bottom is None else tagged(b"\x80\x01", bottom + 1),
            field(b"\xda\x01", cards_in(b"\x0a", cards_of(talon))) if talon else b"",
            *passed,
        )
    )


@lru_cache(KEPT)
def _announced(trump: int, marriages: tuple[tuple[int, int], ...]) -> bytes:
    return view_pb2.View(
        trump=suit_to(Suit(trump) if trump >= 0 else None),
        marriages=[view_pb2.SeatSuit(seat=seat, suit=suit_to(Suit(suit))) for seat, suit in marriages],
    ).SerializeToString()


# cards: written out, for nearly every hand and trick is new


_HANDS: Final = (b"\x7a\x00", *(bytes((0x7A, n + 2, 0x0A, n)) for n in range(1, 25)))  # by number of cards
# By the six bits held of a suit: its cards in the order of `cards_of`.
_SPADES, _CLUBS, _DIAMONDS, _HEARTS = (
    tuple(bytes(cards_of(bits << suit * 6)).translate(PLUS_ONE) for bits in range(64)) for suit in range(4)
)


def _held(hand: int) -> bytes:
    """A hand, a 24-bit set, as View.hand of packed Cards.cards, each a byte."""
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


_SPOKEN: Final = tuple(ById[Action](partial(_word, seat)) for seat in range(4))  # by seat

"""Views and decisions as bytes, put together from cached pieces.

A message's serialised parts, one after another, are the message. Most parts of a view are those of the view before it
(the score sheet, the tricks, the words of the auction), so each part is built by protobuf once and remembered. What
goes in is a View, which cannot hold what its seat may not know; a test compares what comes out with `thousand.wire`.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import Any, Final, Generic, TypeVar

from referee.outputs import Ask, Journalled, LastAnswer
from thousand.rules import Action, Card, Event, Suit, TrickView, View
from thousand.rules.phases import Phase
from thousand.v1 import play_pb2, record_pb2, view_pb2
from thousand.v1.card_pb2 import Cards
from thousand.wire import action_to, entry_to, event_to
from thousand.wire.cards import cards_to, maybe_card_to, suit_to
from thousand.wire.results import CAUSE
from thousand.wire.views import PHASE

T = TypeVar("T")
MaybeSeat = int | None
Seats = tuple[int, ...]
_KEPT: Final = 1 << 14  # of each part
_MOST: Final = 1 << 16  # values remembered by identity
_LENGTHS: Final = tuple(
    bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in range(1 << 14)
)  # of a field, as a varint
_VIEW: Final = b"\x1a"  # Decision.view
_DECISION_ACTIONS: Final = b"\x22"  # Decision.actions
_ENTRY_ACTION: Final = b"\x1a"  # JournalEntry.action
_EVENTS: Final = b"\x2a"  # Decision.events
_LAST: Final = b"\x42"  # Decision.last_answer
_HAND: Final = b"\x7a"  # View.hand
_NO_CARDS: Final = b"\x7a\x00"  # a hand, and nothing in it
_PLUS_ONE: Final = bytes([*range(1, 256), 0])
_AUCTION: Final = b"\x8a\x01"  # View.auction
_TRICKS: Final = b"\xfa\x01"  # View.tricks
_ITEMS: Final = b"\x0a"  # PlayResponse.items, JournalBatch.entries, Cards.cards
_DECISION: Final = b"\x1a"  # PlayResponseItem.decision


def _length(n: int) -> bytes:
    return _LENGTHS[n] if n < 1 << 14 else bytes([n & 127 | 128, n >> 7 & 127 | 128, n >> 14])


def field(tag: bytes, body: bytes) -> bytes:
    """A nested message or text of less than 2 MiB."""
    return tag + _length(len(body)) + body


def decision_frame(match_id: str, ask: Ask) -> bytes:
    """A PlayResponse with this decision as its one item."""
    head = play_pb2.Decision(
        match_id=match_id, decision_id=ask.decision_id, decision_ms=ask.decision_ms or 0, bank_ms=ask.bank_ms
    ).SerializeToString()
    seen = view_bytes(ask.view)
    parts = [head, _VIEW, _length(len(seen)), seen, *_ACTIONS.all(ask.actions)]
    parts += [_event(type(event), event) for event in ask.events]  # type: ignore[arg-type]  # a type is hashable
    if ask.last is not None:
        parts.append(_last(ask.last))
    body = field(_DECISION, b"".join(parts))
    return field(_ITEMS, body)


def view_bytes(view: View) -> bytes:
    """A serialised View."""
    return b"".join(
        (
            _number(view.decision),
            _deal(view.seat, view.phase, view.deal_number, view.dealer, view.hundred, view.active, view.golden),
            _sheet(view.scores, view.bolts, view.bolt_runs, view.barrel_tries_left, view.falls, view.write_offs),
            b"" if view.hand is None else _hand(view.hand),
            b"" if view.bottom is None else _bottom(view.bottom),
            *_words(view.auction),
            _bidding(
                view.to_speak,
                view.high_bid,
                view.high_bidder,
                view.passed,
                view.looked,
                view.declarer,
                view.contract,
                view.factor,
                view.talon_chosen,
            ),
            _talon(view.talon, view.given, view.trump, view.marriages),
            *_TRICK_VIEWS.all(view.tricks),
            _taken(view.tricks_won, view.points, view.revoked),
        )
    )


@lru_cache(_KEPT)
def _number(decision: int) -> bytes:
    return view_pb2.View(decision=decision).SerializeToString()


@lru_cache(_KEPT)
def _deal(seat: int, phase: Phase, number: int, dealer: int, hundred: int, active: Seats, golden: bool) -> bytes:
    at: Any = PHASE.to[phase]
    return view_pb2.View(
        seat=seat, phase=at, deal_number=number, dealer=dealer, hundred=hundred, active=active, golden=golden
    ).SerializeToString()


@lru_cache(_KEPT)
def _sheet(
    scores: Seats, bolts: Seats, runs: Seats, tries: tuple[MaybeSeat, ...], falls: Seats, write_offs: Seats
) -> bytes:
    left = [-1 if t is None else t for t in tries]
    return view_pb2.View(
        scores=scores, bolts=bolts, bolt_runs=runs, barrel_tries_left=left, falls=falls, write_offs=write_offs
    ).SerializeToString()


def _hand(hand: tuple[Card, ...]) -> bytes:
    """The one part that is new each time: written out, as View.hand of packed Cards.cards, each a byte (1 + card)."""
    cards = bytes(hand).translate(_PLUS_ONE)
    return b"".join((_HAND, _LENGTHS[len(cards) + 2], _ITEMS, _LENGTHS[len(cards)], cards)) if cards else _NO_CARDS


@lru_cache(_KEPT)
def _bottom(card: Card) -> bytes:
    return view_pb2.View(bottom=maybe_card_to(card)).SerializeToString()


@lru_cache(_KEPT)
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


@lru_cache(_KEPT)
def _talon(
    talon: tuple[Card, ...] | None,
    given: tuple[tuple[int, int, Card], ...],
    trump: Suit | None,
    marriages: tuple[tuple[int, Suit], ...],
) -> bytes:
    passed: Any = [{"from_seat": seat, "to": to, "card": card + 1} for seat, to, card in given]
    return view_pb2.View(
        talon=None if talon is None else Cards(cards=cards_to(talon)),
        given=[view_pb2.PassedCard(**one) for one in passed],
        trump=suit_to(trump),
        marriages=[view_pb2.SeatSuit(seat=seat, suit=suit_to(suit)) for seat, suit in marriages],
    ).SerializeToString()


@lru_cache(_KEPT)
def _taken(tricks_won: Seats, points: Seats, revoked: Seats) -> bytes:
    return view_pb2.View(tricks_won=tricks_won, points=points, revoked=revoked).SerializeToString()


def _trick(trick: TrickView) -> bytes:
    message = view_pb2.TrickView(
        leader=trick.leader,
        seats=trick.seats,
        cards=[maybe_card_to(card) for card in trick.cards],
        winner=trick.winner,
        marriage=suit_to(trick.marriage),
    )
    return field(_TRICKS, message.SerializeToString())


@lru_cache(_KEPT)
def _event(_kind: type[Any], event: Event) -> bytes:
    return field(_EVENTS, event_to(event).SerializeToString())  # by type: tuples of two kinds may be equal


@lru_cache(_KEPT)
def _last(last: LastAnswer) -> bytes:
    cause: Any = CAUSE.to[last.cause]
    message = play_pb2.LastAnswer(
        decision_id=last.decision_id, elapsed_ms=last.elapsed_ms, cause=cause, strikes=last.strikes
    )
    return field(_LAST, message.SerializeToString())


class _ById(Generic[T]):
    """Bytes by the identity of a value: the engine's are interned, and hashing one costs more than all the rest.

    The value is kept with its bytes, so its identity cannot pass to another.
    """

    def __init__(self, encode: Callable[[T], bytes]) -> None:
        self._encode = encode
        self._known: dict[int, tuple[bytes, T]] = {}

    def all(self, values: Iterable[T]) -> list[bytes]:
        """The bytes of some values."""
        known = self._known
        try:
            return [known[id(value)][0] for value in values]
        except KeyError:
            return [self.one(value) for value in values]

    def one(self, value: T) -> bytes:
        """The bytes of a value."""
        found = self._known.get(id(value))
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[id(value)] = (self._encode(value), value)
        return found[0]


def _action(tag: bytes, action: Action) -> bytes:
    return field(tag, action_to(action).SerializeToString())


def _word(seat: int, action: Action) -> bytes:
    return field(_AUCTION, view_pb2.Word(seat=seat, action=action_to(action)).SerializeToString())


_ACTIONS: Final = _ById(partial(_action, _DECISION_ACTIONS))
_ENTRY_ACTIONS: Final = _ById(partial(_action, _ENTRY_ACTION))
_TRICK_VIEWS: Final = _ById(_trick)
_BY_SEAT: Final = tuple(_ById(partial(_word, seat)) for seat in range(4))


def _words(auction: Iterable[tuple[int, Action]]) -> list[bytes]:
    return [_BY_SEAT[seat].one(action) for seat, action in auction]


def journal_entry(said: Journalled) -> bytes:
    """An entry as a field of JournalBatch."""
    entry = said.entry
    if said.strikes:
        message = entry_to(said.seq, entry, said.bank_ms, said.strikes)
        return field(_ITEMS, message.SerializeToString())
    cause: Any = CAUSE.to[entry.cause]
    head = record_pb2.JournalEntry(
        seq=said.seq,
        seat=entry.seat,
        cause=cause,
        elapsed_ms=entry.elapsed_ms,
        bank_ms=said.bank_ms,
        early=said.early,
    ).SerializeToString()
    return field(_ITEMS, head + _ENTRY_ACTIONS.one(entry.action))

"""Events as bytes: those that are new in every deal are written out, the others are remembered.

A test compares them with `thousand.wire`, under every preset.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from referee.chunks import KEPT, ById, cards_in, field, packed, signed, tagged, zigzag
from thousand.rules import Event, Row, RowKind
from thousand.rules import events as ev
from thousand.v1 import event_pb2
from thousand.wire import event_to
from thousand.wire.enums import EnumCodec

_FRESH: Final = 1 << 13  # events remembered by identity: told to every seat soon, and then never again
_KINDS: Final = EnumCodec(RowKind, event_pb2.RowKind).to
# Fields one to four of most events, if numbers.
_1, _2, _3, _4 = b"\x08", b"\x10", b"\x18", b"\x20"


def _deal_started(event: ev.DealStarted) -> bytes:
    number, dealer, hundred, active, golden = event
    seats = tagged(_2, dealer) + tagged(_3, hundred) + packed(b"\x22", active)
    return field(b"\x0a", tagged(_1, number) + seats + tagged(b"\x28", golden))


def _hand_dealt(event: ev.HandDealt) -> bytes:
    seat, cards = event
    return field(b"\x32", tagged(_1, seat) + cards_in(b"\x12", cards))


def _bid(event: ev.Bid) -> bytes:
    seat, amount, blind, forced = event
    return field(b"\x4a", tagged(_1, seat) + tagged(_2, amount) + tagged(_3, blind) + tagged(_4, forced))


def _auction_won(event: ev.AuctionWon) -> bytes:
    seat, amount, blind = event
    return field(b"\x5a", tagged(_1, seat) + tagged(_2, amount) + tagged(_3, blind))


def _talon_taken(event: ev.TalonTaken) -> bytes:
    seat, cards, shown = event
    seen = b"" if cards is None else field(b"\x12", cards_in(b"\x0a", cards))
    return field(b"\x6a", tagged(_1, seat) + seen + tagged(_3, shown))


def _card_passed(event: ev.CardPassed) -> bytes:
    seat, to, card, shown = event
    seen = b"" if card is None else tagged(_3, card + 1)
    return field(b"\x72", tagged(_1, seat) + tagged(_2, zigzag(to)) + seen + tagged(_4, shown))


def _contract_set(event: ev.ContractSet) -> bytes:
    seat, amount = event
    return field(b"\x7a", tagged(_1, seat) + tagged(_2, amount))


def _row(row: Row) -> bytes:
    seat, kind, change = row
    return field(b"\x1a", tagged(_1, seat) + tagged(_2, _KINDS[kind]) + tagged(_3, zigzag(change)))


def _deal_scored(event: ev.DealScored) -> bytes:
    number, points, rows, scores, bolts, tries, falls, hidden = event
    body = (
        tagged(_1, number),
        packed(b"\x12", points),
        *[_row(row) for row in rows],
        signed(b"\x22", scores),
        packed(b"\x2a", bolts),
        signed(b"\x32", [-1 if left is None else left for left in tries]),
        packed(b"\x3a", falls),
        cards_in(b"\x42", hidden),
    )
    return field(b"\xb2\x01", b"".join(body))


_WRITTEN_OUT: Final[dict[type[Any], Callable[[Any], bytes]]] = {
    ev.DealStarted: _deal_started,
    ev.HandDealt: _hand_dealt,
    ev.Bid: _bid,
    ev.AuctionWon: _auction_won,
    ev.TalonTaken: _talon_taken,
    ev.CardPassed: _card_passed,
    ev.ContractSet: _contract_set,
    ev.DealScored: _deal_scored,
}


def _event(event: Event) -> bytes:
    kind = type(event)
    write = _WRITTEN_OUT.get(kind)
    if write is None:
        return _few(kind, event)  # type: ignore[arg-type]  # a type is hashable
    return field(b"\x2a", write(event))


@lru_cache(KEPT)
def _few(_kind: type[Any], event: Event) -> bytes:
    return field(b"\x2a", event_to(event).SerializeToString())  # by type: tuples of two kinds may be equal


TOLD: Final = ById[Event](_event, _FRESH)  # each, as a field of Decision.events

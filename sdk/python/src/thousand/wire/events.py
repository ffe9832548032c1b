"""Events on the wire: each NamedTuple of `rules.events` is the message of that name, field by field, by its types."""

import types
import typing
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from thousand.rules import events as ev
from thousand.rules.cards import Card, Suit
from thousand.rules.events import Event, Row
from thousand.v1 import action_pb2, event_pb2
from thousand.v1.card_pb2 import Cards
from thousand.wire import cards as c
from thousand.wire.enums import EnumCodec, upper_snake
from thousand.wire.errors import WireError

Encode = Callable[[Any], Any]
Decode = Callable[[Any, str], Any]

EVENT_TYPES: Final[tuple[type[Any], ...]] = typing.get_args(ev.Event)


def _enum_codec(kind: type[StrEnum]) -> tuple[Encode, Decode]:
    home = action_pb2 if hasattr(action_pb2, kind.__name__) else event_pb2
    codec = EnumCodec(kind, getattr(home, kind.__name__))
    return codec.to.__getitem__, codec.read


def _same(value: Any, _field: str) -> Any:
    return value


def _maybe_cards(message: Any, field: str) -> tuple[Card, ...]:
    return c.cards_from(message.cards, field)


def _codec(hint: Any) -> tuple[Encode, Decode]:
    """How a value of this type is written and read."""
    if hint is Card:
        return c.maybe_card_to, c.card_from
    if hint is Suit:
        return c.suit_to, c.suit_from
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum_codec(hint)
    args = typing.get_args(hint)
    if isinstance(hint, types.UnionType):
        if args[0] is Card:
            return c.maybe_card_to, c.maybe_card_from
        if typing.get_origin(args[0]) is tuple:
            return (lambda value: Cards(cards=c.cards_to(value))), _maybe_cards
        return _same_to, _same
    if typing.get_origin(hint) is tuple:
        return _tuple_codec(args[0])
    return _same_to, _same


def _same_to(value: Any) -> Any:
    return value


def _tuple_codec(item: Any) -> tuple[Encode, Decode]:
    if item is Card:
        return c.cards_to, c.cards_from
    if item is Row:
        return _rows_to, _rows_from
    if isinstance(item, types.UnionType):  # a barrel's tries: -1 is none
        return (
            lambda value: [-1 if v is None else v for v in value],
            lambda value, _field: tuple(None if v < 0 else v for v in value),
        )
    return list, lambda value, _field: tuple(value)


_ROW_TO, _ROW_FROM = _enum_codec(ev.RowKind)


def _rows_to(rows: Iterable[Row]) -> list[Any]:
    return [event_pb2.Row(seat=row.seat, kind=_ROW_TO(row.kind), change=row.change) for row in rows]


def _rows_from(messages: Iterable[Any], field: str) -> tuple[Row, ...]:
    return tuple(Row(m.seat, _ROW_FROM(m.kind, f"{field}.kind"), m.change) for m in messages)


class _EventCodec:
    """One event type: its place in the oneof, and its fields."""

    def __init__(self, kind: type[Any]) -> None:
        self.kind = kind
        self.slot = upper_snake(kind.__name__).lower()
        self.message = getattr(event_pb2, kind.__name__)
        hints = typing.get_type_hints(kind)
        self.fields = [(name, *_codec(hints[name])) for name in kind._fields]
        presence = {f.name for f in self.message.DESCRIPTOR.fields if f.has_presence}
        self.optional = {name for name in kind._fields if name in presence}

    def write(self, event: Any) -> event_pb2.Event:
        values = {n: to(v) for (n, to, _), v in zip(self.fields, event, strict=True) if v is not None}
        return event_pb2.Event(**{self.slot: self.message(**values)})

    def read(self, message: Any) -> Any:
        values = []
        for name, _, back in self.fields:
            absent = name in self.optional and not message.HasField(name)
            values.append(None if absent else back(getattr(message, name), f"event.{self.slot}.{name}"))
        return self.kind(*values)


_BY_TYPE: Final = {kind: _EventCodec(kind) for kind in EVENT_TYPES}
_BY_SLOT: Final = {codec.slot: codec for codec in _BY_TYPE.values()}


@lru_cache(maxsize=4_096)
def _cached(kind: type[Any], event: Event) -> event_pb2.Event:
    return _BY_TYPE[kind].write(event)


def event_to(event: Event) -> event_pb2.Event:
    """The message of an event that `visible` has let through; shared, so not to be changed."""
    return _cached(type(event), event)  # type: ignore[arg-type]  # by type: tuples of two kinds may be equal


def events_to(events: Iterable[Event]) -> list[event_pb2.Event]:
    """The messages of some events, in order."""
    return [event_to(event) for event in events]


def event_from(message: event_pb2.Event) -> Event:
    """The event. Raises WireError."""
    slot = message.WhichOneof("event")
    if slot is None:
        raise WireError("event is not set: it must hold one event")
    read: Event = _BY_SLOT[slot].read(getattr(message, slot))
    return read

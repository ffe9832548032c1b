"""Pieces of messages as bytes, put together without protobuf where they are sent thousands of times a second.

A message's serialised parts, one after another, are the message; so parts are built once and remembered. A test
compares what comes out with `thousand.wire`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, Generic, TypeVar

from referee.outputs import Ask, Journalled, LastAnswer
from thousand.record import Cause
from thousand.rules import Action, Event
from thousand.wire import action_to, entry_to, event_to
from thousand.wire.results import CAUSE

T = TypeVar("T")
KEPT: Final = 1 << 14  # of each remembered part
_MOST: Final = 1 << 16  # values remembered by identity
_SMALL: Final = tuple(bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in range(1 << 14))  # as varints
_OWN_CAUSE: Final = Cause.OWN
_OWN: Final = CAUSE.to[Cause.OWN]  # as constants: enums are slow to find and to hash
_ITEMS: Final = b"\x0a"  # PlayResponse.items, JournalBatch.entries
_DECISION: Final = b"\x1a"  # PlayResponseItem.decision
# of a Decision
_MATCH, _ID, _VIEW, _ACTIONS, _EVENTS, _LEFT, _BANK, _LAST = (
    b"\x0a", b"\x10", b"\x1a", b"\x22", b"\x2a", b"\x30", b"\x38", b"\x42",
)  # fmt: skip
# of a LastAnswer
_LAST_ID, _LAST_ELAPSED, _LAST_CAUSE, _LAST_STRIKES = b"\x08", b"\x10", b"\x18", b"\x20"
# of a JournalEntry
_SEQ, _SEAT, _ACTION, _CAUSE, _ELAPSED, _BANK_AFTER, _EARLY = (
    b"\x08", b"\x10", b"\x1a", b"\x20", b"\x28", b"\x30", b"\x40",
)  # fmt: skip


def varint(n: int) -> bytes:
    """A number of 0 or more."""
    if n < 1 << 14:
        return _SMALL[n]
    found = []
    while n > 127:
        found.append(n & 127 | 128)
        n >>= 7
    return bytes([*found, n])


def tagged(tag: bytes, n: int) -> bytes:
    """A number as a field; none for 0, as proto3 has it."""
    return tag + varint(n) if n else b""


def packed(tag: bytes, numbers: Sequence[int]) -> bytes:
    """Numbers as one field; none for no numbers."""
    body = bytes(numbers) if max(numbers, default=0) < 128 else b"".join([varint(n) for n in numbers])
    return field(tag, body) if body else b""


def field(tag: bytes, body: bytes) -> bytes:
    """A nested message or text."""
    return tag + varint(len(body)) + body


class ById(Generic[T]):
    """Bytes by the identity of a value: the engine's are interned, and hashing one costs more than all the rest.

    The value is kept with its bytes, so its identity cannot pass to another.
    """

    __slots__ = ("_encode", "_known")

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


def decision_frame(match_id: str, ask: Ask) -> bytes:
    """A PlayResponse with this decision as its one item."""
    seen = ask.view
    body = b"".join(
        (
            _name(match_id),
            tagged(_ID, ask.decision_id),
            _VIEW,
            varint(len(seen)),
            seen,
            *_LEGAL.all(ask.actions),
            *_TOLD.all(ask.events),
            _clock(ask.decision_ms or 0, ask.bank_ms),
            b"" if ask.last is None else _last(ask.last),
        )
    )
    size = varint(len(body))
    return b"".join((_ITEMS, varint(1 + len(size) + len(body)), _DECISION, size, body))


@lru_cache(KEPT)
def _name(match_id: str) -> bytes:
    return field(_MATCH, match_id.encode())


@lru_cache(KEPT)
def _clock(decision_ms: int, bank_ms: int) -> bytes:
    return tagged(_LEFT, decision_ms) + tagged(_BANK, bank_ms)


def _last(last: LastAnswer) -> bytes:
    decision_id, elapsed_ms, cause, strikes = last
    number = tagged(_LAST_ID, decision_id)
    rest = _measured(elapsed_ms, _OWN if cause is _OWN_CAUSE else CAUSE.to[cause], strikes)
    return b"".join((_LAST, varint(len(number) + len(rest)), number, rest))


@lru_cache(KEPT)
def _measured(elapsed_ms: int, cause: int, strikes: int) -> bytes:
    return tagged(_LAST_ELAPSED, elapsed_ms) + tagged(_LAST_CAUSE, cause) + tagged(_LAST_STRIKES, strikes)


def _event(event: Event) -> bytes:
    return _happened(type(event), event)  # type: ignore[arg-type]  # a type is hashable


@lru_cache(KEPT)
def _happened(_kind: type[Any], event: Event) -> bytes:
    return field(_EVENTS, event_to(event).SerializeToString())  # by type: tuples of two kinds may be equal


def _action(tag: bytes, action: Action) -> bytes:
    return field(tag, action_to(action).SerializeToString())


_LEGAL: Final = ById[Action](partial(_action, _ACTIONS))
_TAKEN: Final = ById[Action](partial(_action, _ACTION))
_TOLD: Final = ById[Event](_event)  # each is told to every seat


def journal_entry(said: Journalled) -> bytes:
    """An entry as a field of JournalBatch."""
    seq, entry, strikes, bank_ms, early = said
    if strikes:
        return field(_ITEMS, entry_to(seq, entry, bank_ms, strikes).SerializeToString())
    number = tagged(_SEQ, seq)
    action = _TAKEN.one(entry.action)
    cause = _OWN if entry.cause is _OWN_CAUSE else CAUSE.to[entry.cause]
    rest = _entry(entry.seat, cause, entry.elapsed_ms, bank_ms, early)
    return b"".join((_ITEMS, varint(len(number) + len(action) + len(rest)), number, action, rest))


@lru_cache(KEPT)
def _entry(seat: int, cause: int, elapsed_ms: int, bank_ms: int, early: bool) -> bytes:
    return b"".join(
        (
            tagged(_SEAT, seat),
            tagged(_CAUSE, cause),
            tagged(_ELAPSED, elapsed_ms),
            tagged(_BANK_AFTER, bank_ms),
            tagged(_EARLY, early),
        )
    )

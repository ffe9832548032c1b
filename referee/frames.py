"""The two messages said thousands of times a second, put together from remembered pieces: a decision, a journal entry.

A test compares what comes out with `thousand.wire`.
"""

from functools import lru_cache, partial
from typing import Final

from referee.chunks import KEPT, ById, field, tagged, varint
from referee.outputs import Ask, Journalled, LastAnswer
from referee.told import TOLD
from thousand.record import Cause
from thousand.rules import Action
from thousand.wire import action_to, entry_to
from thousand.wire.results import CAUSE

_OWN_CAUSE: Final = Cause.OWN
_OWN: Final = CAUSE.to[Cause.OWN]  # as constants: enums are slow to find and to hash
_ITEMS: Final = b"\x0a"  # PlayResponse.items, JournalBatch.entries
_DECISION: Final = b"\x1a"  # PlayResponseItem.decision
# of a Decision
_MATCH, _ID, _VIEW, _ACTIONS, _LEFT, _BANK, _LAST = (
    b"\x0a", b"\x10", b"\x1a", b"\x22", b"\x30", b"\x38", b"\x42",
)  # fmt: skip
# of a LastAnswer
_LAST_ID, _LAST_ELAPSED, _LAST_CAUSE, _LAST_STRIKES = b"\x08", b"\x10", b"\x18", b"\x20"
# of a JournalEntry
_SEQ, _SEAT, _ACTION, _CAUSE, _ELAPSED, _BANK_AFTER, _EARLY = (
    b"\x08", b"\x10", b"\x1a", b"\x20", b"\x28", b"\x30", b"\x40",
)  # fmt: skip


def decision_frame(match_id: str, ask: Ask) -> bytes:
    """A PlayResponse with this decision as its one item."""
    _, decision_id, seen, actions, events, decision_ms, bank_ms, last = ask
    body = b"".join(
        (
            _name(match_id),
            tagged(_ID, decision_id),
            _VIEW,
            varint(len(seen)),
            seen,
            *_LEGAL.all(actions),
            *TOLD.all(events),
            _clock(decision_ms or 0, bank_ms),
            b"" if last is None else _last(last),
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


def _action(tag: bytes, action: Action) -> bytes:
    return field(tag, action_to(action).SerializeToString())


_LEGAL: Final = ById[Action](partial(_action, _ACTIONS))
_TAKEN: Final = ById[Action](partial(_action, _ACTION))


def journal_entry(said: Journalled) -> bytes:
    """An entry as a field of JournalBatch."""
    seq, entry, strikes, bank_ms, early = said
    seat, taken, by, elapsed_ms = entry
    if strikes:
        return field(_ITEMS, entry_to(seq, entry, bank_ms, strikes).SerializeToString())
    number = tagged(_SEQ, seq)
    action = _TAKEN.one(taken)
    cause = _OWN if by is _OWN_CAUSE else CAUSE.to[by]
    rest = _entry(seat, cause, elapsed_ms, bank_ms, early)
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

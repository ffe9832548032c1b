"""Reads the messages bots send nearly always, answers by index as any protobuf library writes them, without protobuf.

Law: what is read here is exactly what protobuf reads; whatever looks the least bit different is left to it.
"""

from typing import Final, NamedTuple

from thousand.rules.tuples import new

_ITEM, _ANSWER = 0x0A, 0x1A  # PlayRequest.items, PlayRequestItem.answer
_MATCH, _DECISION, _INDEX = 0x0A, 0x10, 0x20  # of an Answer
_LONGEST: Final = 127  # bytes of an item whose length is one byte
_VARINT: Final = 4  # bytes of a number; a longer one is left to protobuf


class Indexed(NamedTuple):
    """An Answer that names its action by index."""

    match_id: str
    decision_id: int
    choice: int  # index into the legal actions


def indexed_answers(data: bytes) -> list[Indexed] | None:
    """The answers a PlayRequest consists of; None: it holds something else, or nothing."""
    found: list[Indexed] = []
    at, end = 0, len(data)
    while at < end:
        if at + 6 > end or data[at] != _ITEM or data[at + 2] != _ANSWER or data[at + 4] != _MATCH:
            return None
        size = data[at + 1]
        stop = at + 2 + size
        place = at + 6 + data[at + 5]
        if size > _LONGEST or stop > end or data[at + 3] != size - 2 or place >= stop:
            return None
        name = data[at + 6 : place]
        decision_id = 0
        if data[place] == _DECISION:
            decision_id, place = _number(data, place + 1, stop)
        if decision_id < 0 or place >= stop or data[place] != _INDEX or not name.isascii():
            return None
        index, place = _number(data, place + 1, stop)
        if index < 0 or place != stop:
            return None
        found.append(new(Indexed, (name.decode("ascii"), decision_id, index)))
        at = stop
    return found or None


def _number(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """A varint and where it ends; -1 for one that is too long or goes beyond `stop`."""
    number = shift = 0
    for place in range(at, min(at + _VARINT, stop)):
        byte = data[place]
        number |= (byte & 127) << shift
        if byte < 128:
            return number, place + 1
        shift += 7
    return -1, stop

"""Pieces of messages as bytes, put together without protobuf where they are sent thousands of times a second.

A message's serialised parts, one after another, are the message; so parts are built once and remembered.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar

T = TypeVar("T")
KEPT: Final = 1 << 14  # of each remembered part
_MOST: Final = 1 << 16  # values remembered by identity
_SMALL: Final = tuple(bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in range(1 << 14))  # as varints
PLUS_ONE: Final = bytes([*range(1, 256), 0])  # a card is 1 + card on the wire


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


def zigzag(n: int) -> int:
    """A number that may be negative, as sint32 is written."""
    return n * 2 if n >= 0 else -2 * n - 1


def signed(tag: bytes, numbers: Sequence[int]) -> bytes:
    """Numbers that may be negative as one field; none for no numbers."""
    return packed(tag, [zigzag(n) for n in numbers])


def cards_in(tag: bytes, cards: Sequence[int]) -> bytes:
    """Cards as one field; none for no cards."""
    return field(tag, bytes(cards).translate(PLUS_ONE)) if cards else b""


def field(tag: bytes, body: bytes) -> bytes:
    """A nested message or text."""
    return tag + varint(len(body)) + body


class ById(Generic[T]):
    """Bytes by the identity of a value: the engine's are interned, and hashing one costs more than all the rest.

    The value is kept with its bytes, so its identity cannot pass to another.
    """

    __slots__ = ("_encode", "_known", "_most")

    def __init__(self, encode: Callable[[T], bytes], most: int = _MOST) -> None:
        self._encode = encode
        self._most = most
        self._known: dict[int, tuple[bytes, T]] = {}

    def all(self, values: Iterable[T]) -> list[bytes]:
        """The bytes of some values."""
        found: list[bytes] = []
        for value in values:
            known = self._known.get(id(value))
            found.append(self._new(value) if known is None else known[0])
        return found

    def one(self, value: T) -> bytes:
        """The bytes of a value."""
        known = self._known.get(id(value))
        return self._new(value) if known is None else known[0]

    def _new(self, value: T) -> bytes:
        if len(self._known) >= self._most:
            self._known.clear()
        encoded = self._encode(value)
        self._known[id(value)] = (encoded, value)
        return encoded

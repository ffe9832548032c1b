"""Enums on the wire: `_UNSPECIFIED` is 0 and never means anything, unknown numbers are refused, not mapped."""

import re
from enum import StrEnum
from typing import Any, Generic, TypeVar

from thousand.wire.errors import WireError

E = TypeVar("E", bound=StrEnum)


def upper_snake(name: str) -> str:
    """`BidCap` as `BID_CAP`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).upper()


class EnumCodec(Generic[E]):
    """One StrEnum and the protobuf enum of the same name, matched value by value when made."""

    __slots__ = ("back", "name", "to")

    def __init__(self, kind: type[E], wire: Any, *, name: str | None = None) -> None:
        self.name = name or kind.__name__
        prefix = upper_snake(self.name)
        self.to: dict[E | None, int] = {member: wire.Value(f"{prefix}_{member.value.upper()}") for member in kind}
        if f"{prefix}_NONE" in wire.keys() and "none" not in {m.value for m in kind}:  # noqa: SIM118 - no mapping
            self.to[None] = wire.Value(f"{prefix}_NONE")
        self.back = {number: member for member, number in self.to.items()}

    def read(self, number: int, field: str) -> E | None:
        """The member. Raises WireError."""
        try:
            return self.back[number]
        except KeyError:
            what = "is not set" if number == 0 else f"has the unknown value {number}"
            raise WireError(f"{field} {what}: it must be a value of {self.name}") from None

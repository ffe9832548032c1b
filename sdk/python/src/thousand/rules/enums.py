"""Enum members as plain class attributes: Python 3.11 looks each mention of a member up by a function call."""

from enum import Enum
from typing import TypeVar

E = TypeVar("E", bound=type[Enum])


def plain(enum: E) -> E:
    """The same enum, whose members are found like any attribute of a class (a third of the engine's time)."""
    for member in enum:
        type.__setattr__(enum, member.name, member)
    return enum

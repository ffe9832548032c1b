"""Making a named tuple in half the time: hundreds are made in a deal."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

# `new(Row, (seat, kind, change))` is `Row(seat, kind, change)` without a Python function called in between.
new: Final[Callable[[type[T], tuple[Any, ...]], T]] = tuple.__new__  # type: ignore[assignment]  # T is a named tuple

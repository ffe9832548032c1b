"""Long schedules that are computed place by place, so that millions of tables need no memory."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import gcd
from typing import Final, overload

from workers.formats.base import Table

SHORT: Final = 100_000  # tables; up to here a tuple is quicker
_GOLDEN: Final = 0.6180339887498949


class Tables(Sequence[Table]):
    """A sequence of tables that needs only its length and `at`."""

    def __len__(self) -> int:
        raise NotImplementedError

    def at(self, place: int) -> Table:
        """The table at a place from 0, within the length."""
        raise NotImplementedError

    @overload
    def __getitem__(self, place: int) -> Table: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Table, ...]: ...
    def __getitem__(self, place: int | slice) -> Table | tuple[Table, ...]:
        if isinstance(place, slice):
            return tuple(map(self.at, range(*place.indices(len(self)))))
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self.at(place % len(self))

    def __iter__(self) -> Iterator[Table]:
        return map(self.at, range(len(self)))


class Spread(Tables):
    """The same tables, neighbours far apart: in the order they are made one bot would play everything first."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables, self._length = tables, len(tables)
        step = max(1, round(self._length * _GOLDEN))
        while gcd(step, self._length) > 1:
            step += 1
        self._step = step

    def __len__(self) -> int:
        return self._length

    def at(self, place: int) -> Table:
        return self._tables[place * self._step % self._length]


def spread(tables: Sequence[Table]) -> Sequence[Table]:
    """In an order where tables that follow each other seldom share a bot."""
    if len(tables) > SHORT:
        return Spread(tables)
    return tuple(Spread(tuple(tables)))


class AllSets(Tables):
    """Every set of `size` bots of different groups, in lexicographic order; place by place, without the rest.

    Counting: the sets of bots from j on are coefficients of the product over groups of (1 + c x), c being how many of
    the group stand from j on; to leave a group out is to divide by its factor.
    """

    def __init__(self, groups: Sequence[int], size: int) -> None:
        self._groups, self._size = groups, size
        self._places: dict[int, list[int]] = {}
        for place, group in enumerate(groups):
            self._places.setdefault(group, []).append(place)
        after = [(1, *[0] * size)]
        seen = dict.fromkeys(self._places, 0)
        for group in reversed(groups):
            rest = _without(after[-1], seen[group])
            after.append(tuple(a + b for a, b in zip(after[-1], (0, *rest), strict=False)))
            seen[group] += 1
        self._after = after[::-1]

    def __len__(self) -> int:
        return self._after[0][self._size]

    def __iter__(self) -> Iterator[Table]:
        sets = combinations(range(len(self._groups)), self._size)
        if len(self._places) == len(self._groups):
            return sets
        return (t for t in sets if len({self._groups[i] for i in t}) == self._size)

    def at(self, place: int) -> Table:
        table: list[int] = []
        start = 0
        for left in range(self._size, 0, -1):
            wanted = self._count(start, left, table) - place  # so many sets must begin at the bot or behind it
            low, high = start, len(self._groups) - 1
            while low < high:
                middle = (low + high + 1) // 2
                low, high = (middle, high) if self._count(middle, left, table) >= wanted else (low, middle - 1)
            place = self._count(low, left, table) - wanted
            table.append(low)
            start = low + 1
        return tuple(table)

    def with_all(self, members: Sequence[int]) -> int:
        """How many of the sets hold these bots, who may meet."""
        return self._count(0, self._size - len(members), members)

    def _count(self, start: int, left: int, members: Sequence[int]) -> int:
        """Sets of `left` bots from `start` on, of other groups than the members'."""
        counts = self._after[start]
        for member in members:
            places = self._places[self._groups[member]]
            counts = _without(counts, len(places) - bisect_left(places, start))
        return counts[left]


def _without(counts: Sequence[int], size: int) -> tuple[int, ...]:
    """The product without its factor (1 + size x)."""
    found = [counts[0]]
    for count in counts[1:]:
        found.append(count - size * found[-1])
    return tuple(found)

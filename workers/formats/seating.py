"""Fills a round's tables: keeps owners apart always, and those who have met as far as a search finds a way.

Law: the tables hold everybody once, and never two of one group, if that is possible. While every bot has met fewer
others than there are tables, and owners are all different, a round in which nobody meets again exists (a theorem of
Hajnal and Szemerédi); the tests find that the search finds it. Beyond, it looks for the fewest meetings again.
"""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from workers.formats.base import Table

_NEVER: Final = 1_000_000  # costs more than any number of meetings again
_REACH: Final = 64  # places looked at to either side of one that must change
_PATIENCE: Final = 400  # steps without getting better, before the best that was found is taken
Met = Sequence[Mapping[int, int]]  # by entrant: whom it has met, and how often


def fill(order: Sequence[int], seats: int, groups: Sequence[int], met: Met, lot: bytes) -> tuple[Table, ...]:
    """Tables of those in `order`, neighbours together where nothing speaks against it; their number fills tables."""
    search = _Search(order, seats, groups, met, random.Random(lot))
    best = search.run()
    return tuple(tuple(sorted(best[i : i + seats])) for i in range(0, len(best), seats))


class _Search:
    """Swaps places until nobody sits with somebody they should not, nearest places first; with a memory of what it
    just moved, so that it can leave a dead end."""

    def __init__(self, order: Sequence[int], seats: int, groups: Sequence[int], met: Met, draw: random.Random) -> None:
        self._at, self._seats, self._groups, self._met, self._draw = list(order), seats, groups, met, draw
        self._until: dict[int, int] = {}
        self._cost = 0
        self._bad: set[int] = set()  # tables with a cost
        for table in range(len(order) // seats):
            self._look(table)

    def run(self) -> list[int]:
        """The best order found."""
        best, least, step, since = list(self._at), self._cost, 0, 0
        while self._cost and since < _PATIENCE:
            step, since = step + 1, since + 1
            self._step(step, least)
            if self._cost < least:
                best, least, since = list(self._at), self._cost, 0
        return best

    def _step(self, now: int, least: int) -> None:
        table = self._draw.choice(sorted(self._bad))
        places = [p for p in self._places(table) if self._at_cost(p, self._at[p])]
        p = self._draw.choice(places)
        found: tuple[int, int, float] | None = None
        chosen = p
        for q in range(max(0, p - _REACH), min(len(self._at), p + _REACH + 1)):
            if q // self._seats == table:
                continue
            delta = self._delta(p, q)
            tabu = max(self._until.get(self._at[p], 0), self._until.get(self._at[q], 0)) > now
            if tabu and self._cost + delta >= least:
                continue
            value = (delta, abs(p - q) // self._seats, self._draw.random())
            if found is None or value < found:
                found, chosen = value, q
        if found is not None:
            self._swap(p, chosen, now)

    def _swap(self, p: int, q: int, now: int) -> None:
        for place in (p, q):
            self._until[self._at[place]] = now + self._draw.randint(2, 8)
        before = self._table_cost(p // self._seats) + self._table_cost(q // self._seats)
        self._at[p], self._at[q] = self._at[q], self._at[p]
        self._cost -= before
        for table in (p // self._seats, q // self._seats):
            self._bad.discard(table)
            self._look(table)

    def _look(self, table: int) -> None:
        cost = self._table_cost(table)
        self._cost += cost
        if cost:
            self._bad.add(table)

    def _delta(self, p: int, q: int) -> int:
        """What swapping these two would add to the cost."""
        x, y = self._at[p], self._at[q]
        return self._at_cost(p, y) + self._at_cost(q, x) - self._at_cost(p, x) - self._at_cost(q, y)

    def _at_cost(self, place: int, who: int) -> int:
        """Of `who` with the others at this place's table."""
        others = (self._at[p] for p in self._places(place // self._seats) if p != place)
        return sum(self._pair(who, other) for other in others)

    def _table_cost(self, table: int) -> int:
        return sum(self._pair(a, b) for a, b in combinations([self._at[p] for p in self._places(table)], 2))

    def _places(self, table: int) -> range:
        return range(table * self._seats, (table + 1) * self._seats)

    def _pair(self, a: int, b: int) -> int:
        return _NEVER if self._groups[a] == self._groups[b] else self._met[a].get(b, 0)

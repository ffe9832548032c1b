"""Balanced: every pair of bots that may meet does, as equally often as few blocks allow; one round.

Tables of three follow a Steiner triple system or a cover close to it (100 bots: 1,667 blocks, where all sets are
161,700), tables of two all pairs, tables of four a greedy cover.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from workers.formats.base import NOBODY_MEETS, InvalidFormat, Plan, Table, owner_groups
from workers.formats.counts import Counts, count
from workers.formats.designs import triple_cover
from workers.formats.format import Format
from workers.formats.lazy import spread
from workers.model import Entrant, LedgerEntry, Seatings


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Exact, table by table."""
    return count(owner_groups(plan, entrants), _tables(plan, entrants), plan.seats, seatings)


def balanced(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module. Options: none."""
    return None if results else spread(_tables(plan, entrants))


def _tables(plan: Plan, entrants: Sequence[Entrant]) -> tuple[Table, ...]:
    count = len(entrants)
    base: Iterable[Table] = ()
    if plan.seats == 2:
        base = combinations(range(count), 2)
    elif plan.seats == 3:
        base = triple_cover(count)
    groups = owner_groups(plan, entrants)
    tables = [t for t in base if len({groups[i] for i in t}) == len(t)]
    if plan.seats == 4 or not (plan.owners_may_meet or all(e.house or not e.owner_id for e in entrants)):
        tables += _Cover(plan, entrants, tables).rest()
    if not tables:
        raise InvalidFormat(NOBODY_MEETS)
    return tuple(tables)


class _Cover:
    """Adds tables for pairs that have not met, always with those who met least."""

    def __init__(self, plan: Plan, entrants: Sequence[Entrant], tables: Sequence[Table]) -> None:
        self._plan = plan
        self._entrants = entrants
        self._groups = owner_groups(plan, entrants)
        self._met = [[0] * len(entrants) for _ in entrants]
        self._played = [0] * len(entrants)
        for table in tables:
            self._seat(table)

    def rest(self) -> list[Table]:
        """Tables for every pair that may meet and has not, where a table can be filled around it."""
        added: list[Table] = []
        for pair in combinations(range(len(self._entrants)), 2):
            if self._met[pair[0]][pair[1]] or not self._may(pair):
                continue
            table = self._fill(pair)
            if table is not None:
                self._seat(table)
                added.append(table)
        return added

    def _fill(self, pair: Table) -> Table | None:
        table = pair
        while len(table) < self._plan.seats:
            usable = [c for c in range(len(self._entrants)) if c not in table and self._may((*table, c))]
            if not usable:
                return None
            table = (*table, min(usable, key=lambda c: self._cost(table, c)))
        return tuple(sorted(table))

    def _cost(self, table: Table, who: int) -> tuple[int, int, int, int]:
        met = [self._met[who][other] for other in table]
        return (sum(n > 0 for n in met), sum(met), self._played[who], who)

    def _may(self, table: Sequence[int]) -> bool:
        return len({self._groups[i] for i in table}) == len(table)

    def _seat(self, table: Table) -> None:
        for a, b in combinations(table, 2):
            self._met[a][b] += 1
            self._met[b][a] += 1
        for who in table:
            self._played[who] += 1


BALANCED = Format(balanced, outlook)

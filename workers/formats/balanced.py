"""Balanced: every pair of bots that may meet does, as equally often as few blocks allow; one round.

Tables of three follow a Steiner triple system or a cover close to it (100 bots: 1,667 blocks, where all sets are
161,700), tables of four a cover by transversal designs (825 blocks), tables of two are all pairs. Bots of one owner:
tables with two of them are left out, and others made for the meetings lost.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, islice
from typing import Final

from workers.formats import round_robin
from workers.formats.base import NOBODY_MEETS, InvalidFormat, Plan, Table, owner_groups
from workers.formats.counts import Counts, counts_of, ends
from workers.formats.designs import Design, Shuffled, Triples
from workers.formats.format import Format
from workers.formats.fours import fours
from workers.formats.lazy import Tables, spread
from workers.model import Entrant, LedgerEntry, Seatings

KIN_MAX: Final = 250_000  # pairs of one owner's bots
NEAR: Final = 64  # bots looked at for a seat


def balanced(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module. Options: none."""
    if plan.seats == 2:
        return round_robin.round_robin(plan, entrants, results)
    return None if results else spread(Cover(plan, entrants))


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Exact, from the blocks that are not regular."""
    if plan.seats == 2:
        return round_robin.outlook(plan, entrants, seatings)
    return Cover(plan, entrants).counts(seatings)


class Cover(Tables):
    """A design without the tables where two of one owner meet, and tables for the meetings this loses."""

    def __init__(self, plan: Plan, entrants: Sequence[Entrant]) -> None:
        self._seats = plan.seats
        self._groups = owner_groups(plan, entrants)
        self._kin = _kin(self._groups)
        self._design: Design = Triples(len(entrants)) if plan.seats == 3 else fours(len(entrants))
        if self._kin:  # else owners in an even order would empty the tables of a few bots
            self._design = Shuffled(self._design)
        irregular = {place: self._design.at(place) for place in self._design.irregular()}
        gone = {place for a, b in self._kin if (place := self._design.block_of(a, b)) is not None}
        gone.update(place for place, table in irregular.items() if self._has_kin(table))
        self._gone = sorted(gone)
        self._before = [place - number for number, place in enumerate(self._gone)]
        self._more: list[Table] = []
        self._extra: Counter[int] = Counter()  # in how many of those a bot is
        self._met: Counter[Table] = Counter()  # pairs in blocks that are not regular
        for place, table in irregular.items():
            if place not in gone:
                self._met.update(combinations(table, 2))
        self._lost = _Lost(self._missing(gone))
        self._mend()
        if not len(self):
            raise InvalidFormat(NOBODY_MEETS)

    def __len__(self) -> int:
        return len(self._design) - len(self._gone) + len(self._more)

    def at(self, place: int) -> Table:
        kept = len(self._design) - len(self._gone)
        if place >= kept:
            return self._more[place - kept]
        return self._design.at(place + bisect_right(self._before, place))

    def counts(self, seatings: Seatings) -> Counts:
        """A pair meets once, but for those counted."""
        sizes = Counter(self._groups)
        partners = [len(self._groups) - sizes[group] for group in self._groups]
        times = []
        for pair, met in self._met.items():
            times.append(met + self._is_regular(pair))
            for who in pair:
                partners[who] += times[-1] - 1
        for pair in self._lost.pairs():
            times.append(0)
            for who in pair:
                partners[who] -= 1
        count = len(self._groups)
        if len(times) < count * (count - 1) // 2 - len(self._kin):
            times.append(1)
        per_bot = ends([sum_of // (self._seats - 1) for sum_of in partners])
        return counts_of(self._seats, len(self), per_bot, ends(times), seatings)

    def _missing(self, gone: Iterable[int]) -> list[Table]:
        """Pairs that may meet and only met in the tables left out."""
        pairs = dict.fromkeys(pair for place in gone for pair in combinations(self._design.at(place), 2))
        return [p for p in pairs if not self._has_kin(p) and not self._met[p] and not self._is_regular(p)]

    def _is_regular(self, pair: Table) -> bool:
        place = self._design.block_of(*pair)
        if place is None:
            return False
        at = bisect_right(self._gone, place)
        return not (at and self._gone[at - 1] == place)

    def _mend(self) -> None:
        """Tables for the pairs that are lost, as many of them together as fit; a pair without a table stays lost."""
        turn = 0
        for pair in self._lost.pairs():
            if not self._lost.has(*pair):
                continue
            table, turn = pair, turn + 1
            while table and len(table) < self._seats:
                table = self._seated(table, turn)
            if table:
                self._lost.found(table)
                self._met.update(combinations(table, 2))
                self._extra.update(table)
                self._more.append(table)

    def _seated(self, table: Table, turn: int) -> Table:
        """With one more, who shares most lost meetings with it, then whoever met these least; empty if nobody can."""
        taken = {self._groups[who] for who in table}
        shared = Counter(who for other in table for who in self._lost.of(other) if self._groups[who] not in taken)
        if shared:
            most = max(shared.values())
            near = [who for who, times in shared.items() if times == most]
        else:
            count = len(self._groups)
            others = ((turn * NEAR + step) % count for step in range(count))
            near = list(islice((who for who in others if self._groups[who] not in taken), NEAR))
        best = min(near, key=lambda who: (self._meetings(table, who), self._extra[who], who), default=None)
        return () if best is None else tuple(sorted((*table, best)))

    def _meetings(self, table: Table, who: int) -> int:
        return sum(self._met[min(who, other), max(who, other)] for other in table)

    def _has_kin(self, table: Sequence[int]) -> bool:
        return len({self._groups[who] for who in table}) < len(table)


class _Lost:
    """Pairs that have to be found a table."""

    def __init__(self, pairs: Sequence[Table]) -> None:
        self._of: dict[int, set[int]] = {}
        for a, b in pairs:
            self._of.setdefault(a, set()).add(b)
            self._of.setdefault(b, set()).add(a)

    def pairs(self) -> list[Table]:
        return [(a, b) for a in sorted(self._of) for b in sorted(self._of[a]) if a < b]

    def has(self, a: int, b: int) -> bool:
        return b in self._of.get(a, ())

    def of(self, who: int) -> Collection[int]:
        return self._of.get(who, ())

    def found(self, table: Table) -> None:
        for a, b in combinations(table, 2):
            self._of.get(a, set()).discard(b)
            self._of.get(b, set()).discard(a)


def _kin(groups: Sequence[int]) -> list[Table]:
    """All pairs that may not meet. Raises InvalidFormat for too many."""
    members: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    count = sum(len(m) * (len(m) - 1) // 2 for m in members.values())
    if count > KIN_MAX and len(members) > 1:
        raise InvalidFormat(
            f"{count:,} pairs of bots have one owner, too many to keep apart in a balanced plan of {len(groups):,}: "
            "let bots of one owner meet, or take swiss"
        )
    if len(members) == 1:
        raise InvalidFormat(NOBODY_MEETS)
    return [pair for bots in members.values() for pair in combinations(bots, 2)]


BALANCED: Final = Format(balanced, outlook)

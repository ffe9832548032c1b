"""Knockout: in each round the best of every table go on and the others are out, until one is left: the winner.

- A table is decided by points (see `scores`), then final scores, then the lot drawn for each bot at the start.
- Where those left do not fill all tables, some have a bye and go on: fewest byes first, then the best so far.
- Where those left do not fill one table, it is the last: the best of those knocked out, who came furthest, come back
  to fill it, and whoever is first at it wins. Of one owner's bots only the best sits down there.
- Tables are drawn so that the best so far meet late.
Every round knocks somebody out, so it ends.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from workers.formats.base import NOBODY_MEETS, InvalidFormat, InvalidOption, Plan, Table, owner_groups, tables_at_once
from workers.formats.counts import Counts, counts_of
from workers.formats.format import Format
from workers.formats.options import Option
from workers.formats.scores import Held, Score, Scored, add, lots, ranked, rounds_held, stay_out
from workers.formats.seating import fill
from workers.model import Entrant, LedgerEntry, Seatings

OPTIONS: Final = {"advance": Option("how many of each table go on (of the last one, the first)", "1", most=3)}


@dataclass(slots=True)
class Cup:
    """Where a knockout stands. `left`: who may still win; `out`: the others, those who came furthest first."""

    seats: int
    groups: Sequence[int]
    lot: Sequence[bytes]
    left: list[int]
    out: list[int] = field(default_factory=list)
    scores: list[Score] = field(default_factory=list)

    def best_first(self, whom: Sequence[int]) -> list[int]:
        """By points and final scores a match so far, then by lot. Who has not played stands in the middle."""

        def key(who: int) -> tuple[Fraction, Fraction, bytes]:
            score = self.scores[who]
            if not score.blocks:
                return Fraction(1 - self.seats), Fraction(0), self.lot[who]
            return Fraction(-score.halves, score.matches), Fraction(-score.finals, score.matches), self.lot[who]

        return sorted(whom, key=key)

    def tables(self) -> int:
        """How many tables those left fill; 0: the last one, with others, or none."""
        return tables_at_once([self.groups[who] for who in self.left], self.seats)

    def last_table(self) -> list[int]:
        """The best left of each owner and those who come back; too few if no table can be filled even so."""
        seated: list[int] = []
        for who in [*self.best_first(self.left), *self.out]:
            if len(seated) < self.seats and self.groups[who] not in {self.groups[other] for other in seated}:
                seated.append(who)
        return seated

    def settle(self, blocks: Sequence[Held], advance: int) -> None:
        """Hold a round."""
        last = len(self.left) <= self.seats or not self.tables()
        on: list[int] = []
        seated: set[int] = set()
        for held in blocks:
            add(self.scores, held)
            place = dict(zip(held.table, zip(held.halves, held.finals, strict=True), strict=True))
            order = sorted(held.table, key=lambda who: (-place[who][0], -place[who][1], self.lot[who]))
            on += order[: 1 if last else advance]
            seated.update(held.table)
        for who in self.left:
            self.scores[who].byes += who not in seated
        stay = set(on) if last else {*on, *(who for who in self.left if who not in seated)}
        gone = self.best_first([who for who in {*self.left, *seated} if who not in stay])
        self.out = [*gone, *(who for who in self.out if who not in seated)]
        self.left = sorted(stay)


def cup_of(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Cup:
    """Where it stands after these results."""
    everybody = range(len(entrants))
    cup = Cup(plan.seats, owner_groups(plan, entrants), lots(plan, entrants), list(everybody))
    cup.scores = [Score() for _ in everybody]
    for blocks in rounds_held(entrants, results):
        cup.settle(blocks, plan.number("advance", 1))
    return cup


def knockout(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> tuple[Table, ...] | None:
    """See the module."""
    _check(plan, entrants)
    cup = cup_of(plan, entrants, results)
    if len(cup.left) == 1:
        return None
    tables = cup.tables()
    if not tables:
        last = cup.last_table()
        return (tuple(sorted(last)),) if len(last) == plan.seats else None
    byes = sorted(cup.best_first(cup.left), key=lambda who: cup.scores[who].byes)
    out = stay_out(byes, cup.groups, plan.seats, tables)
    order = _apart([who for who in cup.best_first(cup.left) if who not in out], tables)
    return fill(order, plan.seats, cup.groups, [s.met for s in cup.scores], plan.draw + b"%d" % len(cup.left))


def winner(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> int:
    """Who has won, once `knockout` says that it is over; before, who is first of those left."""
    cup = cup_of(plan, entrants, results)
    return cup.best_first(cup.left)[0]


def scored(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> list[Scored]:
    """Those left, best first; then who came furthest. Once it is over, only the winner is left."""
    cup = cup_of(plan, entrants, results)
    left = cup.best_first(cup.left)
    over = knockout(plan, entrants, results) is None
    order = [(who, not over or place == 0) for place, who in enumerate(left)]
    return ranked([*order, *((who, False) for who in cup.out)], cup.scores)


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Blocks and rounds are exact if all may meet; else the most there can be."""
    _check(plan, entrants)
    groups, seats, advance = owner_groups(plan, entrants), plan.seats, plan.number("advance", 1)
    left, rounds, blocks = len(entrants), 0, 0
    while left >= seats:
        tables = left // seats
        left = 1 if left == seats else left - tables * (seats - advance)
        rounds, blocks = rounds + 1, blocks + tables
    filled = left > 1  # others come back for the last table
    rounds, blocks = rounds + filled, blocks + filled
    free = len(set(groups)) == len(groups)
    if not free:
        rounds = blocks = (len(entrants) - 1) // (seats - advance) + 1
    most = 1 + filled if free and advance == 1 else rounds
    return counts_of(seats, blocks, (int(free), rounds), (0, most), seatings, rounds, exact=False)


def _apart(order: Sequence[int], tables: int) -> list[int]:
    """Table by table, so that the first of all, the second … sit at different ones, and sums of places are even."""
    rows = [order[i : i + tables] for i in range(0, len(order), tables)]
    turned = [row if number % 2 == 0 else row[::-1] for number, row in enumerate(rows)]
    return [row[table] for table in range(tables) for row in turned]


def _check(plan: Plan, entrants: Sequence[Entrant]) -> None:
    advance = plan.number("advance", 1)
    if advance >= plan.seats:
        raise InvalidOption(f"advance is {advance}: fewer go on than sit at a table of {plan.seats}")
    if not tables_at_once(owner_groups(plan, entrants), plan.seats):
        raise InvalidFormat(NOBODY_MEETS)


KNOCKOUT = Format(knockout, outlook, OPTIONS, scored=scored)

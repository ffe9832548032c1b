"""Comparison: is the first entrant better than the second? Rounds of boards at two tables, until the answer is known.

Both play each board once, in the same seat, against the same field around them, which are the other entrants. The field
plays each board at both tables: so it must be of bots that remember nothing, as the house's.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice, permutations
from typing import Final

from thousand.comparison import BATCH, known, sequential_interval
from workers.formats.base import InvalidFormat, Plan, Table
from workers.formats.counts import Counts
from workers.formats.format import Format
from workers.formats.options import Option
from workers.model import Entrant, LedgerEntry, MatchEnd, Seatings

BOARDS: Final = 1_000
OPTIONS: Final = {
    "boards": Option("give up after so many", str(BOARDS), least=1, most=10_000),
    "tenths": Option("also stop when known to ± so many tenths of a point", "never", least=1, most=10_000),
}


def comparison(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module. A round in which no board came to a result is the last."""
    _check(plan, entrants)
    most, planned = plan.number("boards", BOARDS), len(results)
    values = differences(results, entrants)
    if values:
        mean, half = sequential_interval(values)
        if known(mean, half, len(values), plan.number("tenths", 0) / 10):
            return None
    if planned >= most or (planned and not differences(islice(results, planned - min(planned, BATCH), None), entrants)):
        return None
    return [board(plan.seats, number) for number in range(planned, min(planned + BATCH, most))]


def board(seats: int, number: int) -> Table:
    """A's table and B's: every seat order comes as often as another."""
    orders = list(permutations(range(seats)))
    order = orders[number % len(orders)]
    return tuple(candidate if place == 0 else place + 1 for candidate in (0, 1) for place in order)


def differences(results: Iterable[LedgerEntry], entrants: Sequence[Entrant]) -> list[float]:
    """By board that was played at both tables: how many points A scored more than B, in the same seat."""
    a, b = (entrant.player for entrant in entrants[:2])
    found = []
    for entry in results:
        mine, theirs = entry.matches
        if mine.end is theirs.end is MatchEnd.PLAYED:
            found.append(float(mine.scores[mine.seats.index(a)] - theirs.scores[theirs.seats.index(b)]))
    return found


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """At most so many."""
    _check(plan, entrants)
    most = plan.number("boards", BOARDS)
    rounds = -(-most // BATCH)
    return Counts(most, 2 * most, (0, 2 * most), (0, 2 * most), (0, 2 * most), rounds, exact=False)


def _check(plan: Plan, entrants: Sequence[Entrant]) -> None:
    if len(entrants) != plan.seats + 1:
        raise InvalidFormat(
            f"a comparison at tables of {plan.seats} is of two bots and a field of {plan.seats - 1}, "
            f"not {len(entrants) - 2}"
        )


COMPARISON = Format(comparison, outlook, OPTIONS, board=True)

"""Single: the entrants play one table, once."""

from collections.abc import Collection, Sequence

from workers.formats.base import InvalidFormat, Plan, Table
from workers.formats.counts import Counts, counts_of
from workers.formats.format import Format
from workers.model import Entrant, LedgerEntry, Seatings


def single(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module. Options: none."""
    _check(plan, entrants)
    return None if results else (tuple(range(plan.seats)),)


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """One block."""
    _check(plan, entrants)
    return counts_of(plan.seats, 1, (1, 1), (1, 1), seatings)


def _check(plan: Plan, entrants: Sequence[Entrant]) -> None:
    if len(entrants) != plan.seats:
        raise InvalidFormat(f"{len(entrants)} bots for a table of {plan.seats}: name exactly {plan.seats}")


SINGLE = Format(single, outlook)

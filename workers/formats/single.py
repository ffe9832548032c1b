"""Single: the entrants play one table, once."""

from collections.abc import Sequence

from workers.formats.base import InvalidFormat, Plan, Table
from workers.model import Entrant, LedgerEntry


def single(plan: Plan, entrants: Sequence[Entrant], results: Sequence[LedgerEntry]) -> tuple[Table, ...] | None:
    """See the module. Options: none."""
    plan.only()
    if len(entrants) != plan.seats:
        raise InvalidFormat(f"{len(entrants)} bots for a table of {plan.seats}: name exactly {plan.seats}")
    return None if results else (tuple(range(plan.seats)),)

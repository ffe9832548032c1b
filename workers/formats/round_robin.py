"""Round robin: every set of bots that fills a table plays one block; one round."""

from collections.abc import Sequence

from workers.formats.base import Plan, Table, all_tables
from workers.model import Entrant, LedgerEntry


def round_robin(plan: Plan, entrants: Sequence[Entrant], results: Sequence[LedgerEntry]) -> tuple[Table, ...] | None:
    """See the module. Options: none."""
    plan.only()
    return None if results else all_tables(plan, entrants)

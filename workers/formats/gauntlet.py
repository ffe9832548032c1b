"""Gauntlet: one candidate meets every set of the others; one round."""

from collections.abc import Sequence

from workers.formats.base import InvalidFormat, Plan, Table, all_tables
from workers.model import Entrant, LedgerEntry


def gauntlet(plan: Plan, entrants: Sequence[Entrant], results: Sequence[LedgerEntry]) -> tuple[Table, ...] | None:
    """See the module. Option `candidate`: a bot id, the first entrant by default."""
    plan.only("candidate")
    candidate = plan.options.get("candidate", entrants[0].player.bot_id)
    index = next((i for i, e in enumerate(entrants) if e.player.bot_id == candidate), None)
    if index is None:
        raise InvalidFormat(f"candidate {candidate!r} is no entrant")
    tables = tuple(t for t in all_tables(plan, entrants) if index in t)
    if not tables:
        raise InvalidFormat("the candidate meets nobody: bots of one owner do not meet unless the tournament says so")
    return None if results else tables

"""Tournament formats: pure functions from entrants and results so far to the next round of tables.

Law: `next_round` is deterministic in its arguments and never seats two players of one owner unless told so. The tests
iterate over `FORMATS`; a new format is tested the moment it stands there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from workers.formats.balanced import balanced
from workers.formats.base import InvalidFormat, Plan, Table, seat_orders
from workers.formats.counts import Counts, count
from workers.formats.gauntlet import gauntlet
from workers.formats.round_robin import round_robin
from workers.formats.single import single
from workers.model import Entrant, LedgerEntry

__all__ = ["FORMATS", "Counts", "InvalidFormat", "Plan", "Table", "count", "next_round", "seat_orders"]

Format = Callable[[Plan, Sequence[Entrant], Sequence[LedgerEntry]], "tuple[Table, ...] | None"]
FORMATS: Final[Mapping[str, Format]] = {
    "round_robin": round_robin,
    "balanced": balanced,
    "gauntlet": gauntlet,
    "single": single,
}


def next_round(
    name: str, plan: Plan, entrants: Sequence[Entrant], results: Sequence[LedgerEntry] = ()
) -> tuple[Table, ...] | None:
    """The tables of the next round, as indexes into entrants; None when the tournament is over.

    `results`: the ledger entries of all earlier rounds. Raises InvalidFormat, also at creation, for what cannot work.
    """
    if name not in FORMATS:
        raise InvalidFormat(f"format {name!r} is unknown: choose one of {', '.join(sorted(FORMATS))}")
    players = [e.player.bot_id for e in entrants]
    if len(set(players)) < len(players):
        twice = sorted({p for p in players if players.count(p) > 1})
        raise InvalidFormat(f"bot {twice[0]} is entered twice")
    if len(entrants) < plan.seats:
        raise InvalidFormat(f"{len(entrants)} entrants cannot fill a table of {plan.seats}")
    return FORMATS[name](plan, entrants, results)

"""Tournament formats: pure functions from entrants and results so far to the next round of tables.

Law: `next_round` is deterministic in its arguments and never seats two players of one owner unless told so. The tests
iterate over `FORMATS`; a new format is tested the moment it stands there.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from workers.formats.balanced import BALANCED
from workers.formats.base import InvalidFormat, InvalidOption, Plan, Table, owner_groups, seat_orders
from workers.formats.boards import BOARDS
from workers.formats.comparison import COMPARISON
from workers.formats.counts import Counts, count
from workers.formats.format import Format
from workers.formats.gauntlet import GAUNTLET
from workers.formats.knockout import KNOCKOUT
from workers.formats.ladder import LADDER
from workers.formats.options import Kind, Option, read_options
from workers.formats.round_robin import ROUND_ROBIN
from workers.formats.single import SINGLE
from workers.formats.swiss import SWISS
from workers.model import Entrant, LedgerEntry, Seatings

__all__ = [
    "BESIDE", "ENTRANTS_MAX", "FORMATS", "Counts", "Format", "InvalidFormat", "InvalidOption", "Kind", "Option", "Plan",
    "Table", "count", "format_of", "next_round", "outlook", "owner_groups", "prepared", "seat_orders",
]  # fmt: skip

ENTRANTS_MAX: Final = 10_000
BLOCKS_MAX: Final = 50_000_000  # of a round: all pairs of 10,000 bots are 49,995,000
FORMATS: Final[Mapping[str, Format]] = {
    "round_robin": ROUND_ROBIN,
    "balanced": BALANCED,
    "gauntlet": GAUNTLET,
    "swiss": SWISS,
    "knockout": KNOCKOUT,
    "ladder": LADDER,
    "boards": BOARDS,
    "single": SINGLE,
    "comparison": COMPARISON,
}
BESIDE: Final = ("single", "comparison")  # no tournaments: calls of their own make them


def format_of(name: str) -> Format:
    """The format of this name. Raises InvalidOption."""
    if name not in FORMATS:
        raise InvalidOption(f"format {name!r} is unknown: choose one of {', '.join(sorted(FORMATS))}")
    return FORMATS[name]


def prepared(name: str, plan: Plan, entrants: Sequence[Entrant]) -> Plan:
    """The plan with its options read. Raises InvalidFormat for what cannot be played, whatever the results will be."""
    plan = replace(plan, options=read_options(format_of(name).options, plan.options))
    seen: set[str] = set()
    for entrant in entrants:
        if entrant.player.bot_id in seen:
            raise InvalidFormat(f"bot {entrant.player.bot_id} is entered twice")
        seen.add(entrant.player.bot_id)
    if len(entrants) < plan.seats:
        raise InvalidFormat(f"{len(entrants)} entrants cannot fill a table of {plan.seats}")
    if len(entrants) > ENTRANTS_MAX:
        raise InvalidFormat(f"{len(entrants)} entrants are more than {ENTRANTS_MAX:,}: hold several tournaments")
    return plan


def next_round(
    name: str, plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry] = ()
) -> Sequence[Table] | None:
    """The tables of the next round, as indexes into entrants; None when the tournament is over.

    `results`: the ledger entries of all earlier rounds (of an endless format: those since `plan.memory`). Raises
    InvalidFormat, also at creation, for what cannot work.
    """
    plan = prepared(name, plan, entrants)
    tables = FORMATS[name].next_round(plan, entrants, results)
    if tables is not None:
        _check_size(len(tables))
    return tables


def outlook(name: str, plan: Plan, entrants: Sequence[Entrant], seatings: Seatings = Seatings.ALL) -> Counts:
    """What is known of a tournament before anything runs. Raises InvalidFormat as `next_round` does."""
    plan = prepared(name, plan, entrants)
    counts = FORMATS[name].outlook(plan, entrants, seatings)
    _check_size(counts.blocks // max(counts.rounds, 1))
    return counts


def _check_size(blocks: int) -> None:
    if blocks > BLOCKS_MAX:
        raise InvalidFormat(
            f"{blocks:,} blocks are more than {BLOCKS_MAX:,}: take fewer bots, or a format with fewer blocks, "
            "e.g. balanced or swiss"
        )

"""Gauntlet: one candidate meets every set of the others; one round."""

from collections.abc import Collection, Sequence
from typing import Final

from workers.formats.base import InvalidFormat, Plan, Table, owner_groups
from workers.formats.counts import Counts, counts_of, ends
from workers.formats.format import Format
from workers.formats.lazy import AllSets, Tables, spread
from workers.formats.options import Kind, Option
from workers.model import Entrant, LedgerEntry, Seatings

OPTIONS: Final = {"candidate": Option("the bot that meets all others", "the first entrant", Kind.BOT)}


class _WithCandidate(Tables):
    """Every set of one bot less among those the candidate may meet, and the candidate."""

    def __init__(self, plan: Plan, entrants: Sequence[Entrant]) -> None:
        groups = owner_groups(plan, entrants)
        self.candidate = _candidate(plan, entrants)
        self.field = [place for place, group in enumerate(groups) if group != groups[self.candidate]]
        self.sets = AllSets([groups[place] for place in self.field], plan.seats - 1)
        if not len(self.sets):
            raise InvalidFormat(
                "the candidate meets nobody: bots of one owner do not meet unless the tournament says so"
            )

    def __len__(self) -> int:
        return len(self.sets)

    def at(self, place: int) -> Table:
        return tuple(sorted((self.candidate, *(self.field[i] for i in self.sets.at(place)))))


def gauntlet(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module."""
    return None if results else spread(_WithCandidate(plan, entrants))


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Exact; pairs are those of the candidate with each bot it may meet."""
    tables = _WithCandidate(plan, entrants)
    blocks = len(tables)
    each = [tables.sets.with_all((place,)) for place in range(len(tables.field))]
    others = each if len(tables.field) + 1 == len(entrants) else [*each, 0]  # the candidate's owner's other bots
    return counts_of(plan.seats, blocks, ends([blocks, *others]), ends(each), seatings)


def _candidate(plan: Plan, entrants: Sequence[Entrant]) -> int:
    wanted = plan.options.get("candidate", entrants[0].player.bot_id)
    for place, entrant in enumerate(entrants):
        if entrant.player.bot_id == wanted:
            return place
    raise InvalidFormat(f"candidate {wanted!r} is no entrant")


GAUNTLET = Format(gauntlet, outlook, OPTIONS)

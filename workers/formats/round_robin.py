"""Round robin: every set of bots that fills a table plays one block; one round."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from workers.formats.base import NOBODY_MEETS, InvalidFormat, Plan, Table, owner_groups
from workers.formats.counts import Counts, counts_of, ends
from workers.formats.format import Format
from workers.formats.lazy import AllSets, spread
from workers.model import Entrant, LedgerEntry, Seatings


def round_robin(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module. Options: none."""
    return None if results else spread(_sets(plan, owner_groups(plan, entrants)))


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Exact, by counting sets."""
    groups = owner_groups(plan, entrants)
    sets = _sets(plan, groups)
    sizes = Counter(groups)  # how many an owner has decides how many sets its bots are in: two owners of a kind do
    by_size: dict[int, list[int]] = {}
    for group, place in {group: place for place, group in enumerate(groups)}.items():
        by_size.setdefault(sizes[group], []).append(place)
    samples = [place for places in by_size.values() for place in places[:2]]
    pairs = [sets.with_all(pair) for pair in combinations(samples, 2)]
    return counts_of(plan.seats, len(sets), ends([sets.with_all((p,)) for p in samples]), ends(pairs), seatings)


def _sets(plan: Plan, groups: Sequence[int]) -> AllSets:
    sets = AllSets(groups, plan.seats)
    if not len(sets):
        raise InvalidFormat(NOBODY_MEETS)
    return sets


ROUND_ROBIN = Format(round_robin, outlook)

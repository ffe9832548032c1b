"""What all formats share: the plan's settings, tables, seat orders, and who may meet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from workers.model import Entrant, Seatings

Table = tuple[int, ...]  # indexes into the entrants, ascending


class InvalidFormat(ValueError):
    """A tournament that cannot be played as described; the message says what to change."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many sit at a table, and the format's own options."""

    seats: int = 3
    owners_may_meet: bool = False
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.seats not in (2, 3, 4):
            raise InvalidFormat(f"a table has 2, 3 or 4 seats, not {self.seats}")

    def only(self, *known: str) -> None:
        """Refuse options the format does not have."""
        for name in sorted(set(self.options) - set(known)):
            raise InvalidFormat(f"option {name!r} is unknown here: known are {', '.join(known) or 'none'}")


def may_meet(plan: Plan, table: Sequence[Entrant]) -> bool:
    """No two of one owner, house bots exempt."""
    if plan.owners_may_meet:
        return True
    owners = [e.owner_id for e in table if e.owner_id and not e.house]
    return len(set(owners)) == len(owners)


def all_tables(plan: Plan, entrants: Sequence[Entrant]) -> tuple[Table, ...]:
    """Every set that fills a table, in lexicographic order. Raises InvalidFormat if there is none."""
    sets = combinations(range(len(entrants)), plan.seats)
    tables = tuple(t for t in sets if may_meet(plan, [entrants[i] for i in t]))
    if not tables:
        raise InvalidFormat("no table can be filled: bots of one owner do not meet unless the tournament says so")
    return tables


def seat_orders(seats: int, seatings: Seatings = Seatings.ALL) -> tuple[tuple[int, ...], ...]:
    """Which player sits at each seat, match by match.

    ALL: every permutation. BALANCED, for 4 seats: the 12 even ones; there each ordered pair of players holds each
    ordered pair of seats exactly once, so seat and neighbour balance are those of all 24.
    """
    if seatings is Seatings.ONE:
        return (tuple(range(seats)),)
    orders = tuple(permutations(range(seats)))
    if seatings is Seatings.BALANCED and seats == 4:
        return tuple(order for order in orders if _even(order))
    return orders


def _even(order: Sequence[int]) -> bool:
    return sum(a > b for a, b in combinations(order, 2)) % 2 == 0

"""What all formats share: the plan's settings, tables, seat orders, and who may meet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Final

from workers.model import Entrant, Seatings

Table = tuple[int, ...]  # indexes into the entrants, ascending; of a board: in seat order, table after table
NOBODY_MEETS: Final = "no table can be filled: bots of one owner do not meet unless the tournament says so"


class InvalidFormat(ValueError):
    """A tournament that cannot be played as described; the message says what to change."""


class InvalidOption(InvalidFormat):
    """An unknown format, option or value, whoever takes part."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How many sit at a table, and the format's own options.

    `draw`: what everything drawn by lot follows from. `memory`: what an endless format remembers of earlier rounds,
    as `Format.remember` gave it; the results are then those since.
    """

    seats: int = 3
    owners_may_meet: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    draw: bytes = b""
    memory: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.seats not in (2, 3, 4):
            raise InvalidFormat(f"a table has 2, 3 or 4 seats, not {self.seats}")

    def number(self, name: str, default: int) -> int:
        """An option that is a number."""
        value = self.options.get(name, default)
        assert isinstance(value, int)
        return value


def owner_groups(plan: Plan, entrants: Sequence[Entrant]) -> list[int]:
    """By entrant: a number it shares with those it may not meet, who have the same owner; house bots share none."""
    numbers: dict[object, int] = {}
    groups = []
    for place, entrant in enumerate(entrants):
        free = plan.owners_may_meet or entrant.house or not entrant.owner_id
        key: object = place if free else entrant.owner_id
        groups.append(numbers.setdefault(key, len(numbers)))
    return groups


def tables_at_once(groups: Sequence[int], seats: int) -> int:
    """How many tables can be filled at the same time, no group twice at one of them.

    T tables can exactly if the groups, each counted at most T times, fill them.
    """
    sizes: dict[int, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    tables = len(groups) // seats
    while tables and sum(min(size, tables) for size in sizes.values()) < seats * tables:
        tables -= 1
    return tables


def seat_orders(seats: int, seatings: Seatings = Seatings.ALL, players: int = 0) -> tuple[tuple[int, ...], ...]:
    """Which of a block's players sits at each seat, match by match; a BOARD has more `players` than seats.

    ALL: every permutation. BALANCED, for 4 seats: the 12 even ones; there each ordered pair of players holds each
    ordered pair of seats exactly once, so seat and neighbour balance are those of all 24.
    """
    if seatings is Seatings.ONE:
        return (tuple(range(seats)),)
    if seatings is Seatings.BOARD:
        return tuple(tuple(range(first, first + seats)) for first in range(0, players, seats))
    orders = tuple(permutations(range(seats)))
    if seatings is Seatings.BALANCED and seats == 4:
        return tuple(order for order in orders if _even(order))
    return orders


def _even(order: Sequence[int]) -> bool:
    return sum(a > b for a, b in combinations(order, 2)) % 2 == 0

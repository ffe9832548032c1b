"""What a plan of tables means in numbers, before anything runs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from workers.formats.base import Table, seat_orders
from workers.model import Seatings


@dataclass(frozen=True, slots=True)
class Counts:
    """blocks and matches in all; the rest least and most: matches per bot, per bot and seat, per pair of bots."""

    blocks: int
    matches: int
    per_bot: tuple[int, int]
    per_bot_and_seat: tuple[int, int]
    per_pair: tuple[int, int]


def count(entrants: int, tables: Sequence[Table], seatings: Seatings = Seatings.ALL) -> Counts:
    """Counts over these tables."""
    seats = len(tables[0])
    orders = seat_orders(seats, seatings)
    bots: Counter[int] = Counter()
    places: Counter[tuple[int, int]] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    at = Counter((who, seat) for order in orders for seat, who in enumerate(order))
    for table in tables:
        bots.update(dict.fromkeys(table, len(orders)))
        pairs.update(dict.fromkeys(combinations(sorted(table), 2), len(orders)))
        places.update({(table[who], seat): n for (who, seat), n in at.items()})
    everybody = range(entrants)
    return Counts(
        blocks=len(tables),
        matches=len(tables) * len(orders),
        per_bot=_ends([bots[i] for i in everybody]),
        per_bot_and_seat=_ends([places[i, s] for i in everybody for s in range(seats)]),
        per_pair=_ends([pairs[p] for p in combinations(everybody, 2)]),
    )


def _ends(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)

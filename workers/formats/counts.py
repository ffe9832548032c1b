"""What a plan means in numbers, before anything runs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from workers.formats.base import Table, seat_orders
from workers.model import Seatings

Ends = tuple[int, int]  # least and most


@dataclass(frozen=True, slots=True)
class Counts:
    """blocks and matches in all; the rest least and most: matches per bot, per bot and seat, per pair that may meet.

    `rounds`: 0 without an end; then all numbers are those of one round. `exact` False: who meets whom follows from
    results, so least and most are bounds.
    """

    blocks: int
    matches: int
    per_bot: Ends
    per_bot_and_seat: Ends
    per_pair: Ends
    rounds: int = 1
    exact: bool = True


def counts_of(
    seats: int,
    blocks: int,
    per_bot: Ends,
    per_pair: Ends,
    seatings: Seatings = Seatings.ALL,
    rounds: int = 1,
    exact: bool = True,
) -> Counts:
    """Counts from blocks: in all, per bot, and per pair."""
    orders = len(seat_orders(seats, seatings))
    times = orders // seats
    return Counts(
        blocks=blocks,
        matches=blocks * orders,
        per_bot=(per_bot[0] * orders, per_bot[1] * orders),
        per_bot_and_seat=(per_bot[0] * times, per_bot[1] * times) if times else (0, per_bot[1]),
        per_pair=(per_pair[0] * orders, per_pair[1] * orders),
        rounds=rounds,
        exact=exact,
    )


def count(groups: Sequence[int], tables: Iterable[Table], seats: int, seatings: Seatings = Seatings.ALL) -> Counts:
    """Counts over these tables, one by one. `groups`: by entrant, the same number for those who may not meet."""
    bots: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    blocks = 0
    for table in tables:
        blocks += 1
        bots.update(table)
        pairs.update(combinations(sorted(table), 2))
    everybody = range(len(groups))
    may_meet = [p for p in combinations(everybody, 2) if groups[p[0]] != groups[p[1]]]
    return counts_of(seats, blocks, ends([bots[i] for i in everybody]), ends([pairs[p] for p in may_meet]), seatings)


def ends(values: Sequence[int]) -> Ends:
    """Least and most; nothing is none."""
    return min(values, default=0), max(values, default=0)

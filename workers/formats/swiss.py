"""Swiss: a fixed number of rounds; in each, bots with like scores meet, and none meets another again while the round
can be filled otherwise.

Where the entrants do not fill all tables, those who had the fewest byes sit out, the lowest score first; a bye is worth
half of what a table is, so it neither lifts nor sinks.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from workers.formats.base import NOBODY_MEETS, InvalidFormat, Plan, Table, owner_groups, tables_at_once
from workers.formats.counts import Counts, counts_of
from workers.formats.format import Format
from workers.formats.options import Option
from workers.formats.scores import Held, Score, Scored, add, lots, ranked, rounds_held, stay_out
from workers.formats.seating import fill
from workers.model import Entrant, LedgerEntry, Seatings

OPTIONS: Final = {"rounds": Option("how many rounds", "the logarithm of the entrants to base 2, rounded up", most=200)}


def swiss(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> tuple[Table, ...] | None:
    """See the module."""
    groups = owner_groups(plan, entrants)
    tables = _tables(plan, groups)
    held = rounds_held(entrants, results)
    if len(held) >= rounds_of(plan, entrants):
        return None
    scores = scores_of(len(entrants), held, plan.seats)
    order = _order(plan, entrants, scores)
    byes = sorted(range(len(order)), key=lambda at: (scores[order[at]].byes, -at))
    out = stay_out([order[at] for at in byes], groups, plan.seats, tables)
    seated = [i for i in order if i not in out]
    return fill(seated, plan.seats, groups, [s.met for s in scores], plan.draw + b"%d" % len(held))


def _order(plan: Plan, entrants: Sequence[Entrant], scores: Sequence[Score]) -> list[int]:
    lot = lots(plan, entrants)
    return sorted(range(len(entrants)), key=lambda i: (-scores[i].halves, -scores[i].finals, lot[i]))


def scored(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> list[Scored]:
    """By points, then final scores."""
    scores = scores_of(len(entrants), rounds_held(entrants, results), plan.seats)
    return ranked([(who, True) for who in _order(plan, entrants, scores)], scores)


def rounds_of(plan: Plan, entrants: Sequence[Entrant]) -> int:
    """How many rounds there will be."""
    return plan.number("rounds", math.ceil(math.log2(len(entrants))))


def scores_of(entrants: int, rounds: Sequence[Sequence[Held]], seats: int) -> list[Score]:
    """By entrant, byes included."""
    scores = [Score() for _ in range(entrants)]
    for blocks in rounds:
        seated: set[int] = set()
        for held in blocks:
            add(scores, held)
            seated.update(held.table)
        for who in set(range(entrants)) - seated:
            scores[who].byes += 1
            scores[who].halves += (seats - 1) * blocks[0].matches
    return scores


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Blocks are exact; whom a bot meets follows from results."""
    groups, rounds = owner_groups(plan, entrants), rounds_of(plan, entrants)
    tables = _tables(plan, groups)
    out = rounds * (len(entrants) - tables * plan.seats)
    even = max(Counter(groups).values()) <= tables  # else an owner's bots cannot all play, and have more byes
    fewest = rounds - (-(-out // len(entrants)) if even else rounds)
    most = rounds - (out // len(entrants) if even else 0)
    unlike = len(set(groups)) == len(groups)  # all owners different: the theorem in `seating` holds
    again = not unlike or (plan.seats - 1) * (rounds - 1) >= tables
    return counts_of(plan.seats, rounds * tables, (fewest, most), (0, rounds if again else 1), seatings, rounds, False)


def _tables(plan: Plan, groups: Sequence[int]) -> int:
    tables = tables_at_once(groups, plan.seats)
    if not tables:
        raise InvalidFormat(NOBODY_MEETS)
    return tables


SWISS = Format(swiss, outlook, OPTIONS, scored=scored)

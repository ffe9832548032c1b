"""Boards: duplicate play in one round. A board is one deck at several tables; a bot plays it at one, in one seat.

Law: nobody meets a board twice, and bots of one owner never share one. Owners permitting, everybody plays as many
boards as the others or one less; always, each seat as often as the others or once less. Whom a bot meets at its table,
and with whom it is compared (those who hold the same cards), is spread as evenly as a greedy choice can.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

from workers.formats.base import InvalidFormat, Plan, Table, owner_groups, seat_orders
from workers.formats.board_seats import at_tables, in_seats
from workers.formats.counts import Counts, ends
from workers.formats.format import Format
from workers.formats.options import Option
from workers.model import Entrant, LedgerEntry, Seatings

TABLES: Final = 2
EACH: Final = 24  # boards a bot plays, about, unless told how many there are
ENTRANTS_MAX: Final = 500  # who has met whom is kept for every pair
OPTIONS: Final = {
    "boards": Option("how many boards", f"as many as give each bot {EACH}", least=1, most=5_000),
    "tables": Option("tables that play each board", str(TABLES), least=2, most=8),
}


def boards(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> Sequence[Table] | None:
    """See the module. A board is told as its tables one after the other, each in seat order."""
    if results:
        return None
    return at_tables(in_seats(_choose(plan, entrants), len(entrants), plan.seats), len(entrants))


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Exact, board by board; pairs are those who meet at a table."""
    laid = boards(plan, entrants, ()) or ()
    bots: Counter[int] = Counter()
    places: Counter[tuple[int, int]] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    matches = 0
    for board in laid:
        bots.update(board)
        for order in seat_orders(plan.seats, Seatings.BOARD, len(board)):
            matches += 1
            table = [board[i] for i in order]
            places.update((who, seat) for seat, who in enumerate(table))
            pairs.update(combinations(sorted(table), 2))
    everybody = range(len(entrants))
    groups = owner_groups(plan, entrants)
    return Counts(
        blocks=len(laid),
        matches=matches,
        per_bot=ends([bots[i] for i in everybody]),
        per_bot_and_seat=ends([places[i, seat] for i in everybody for seat in range(plan.seats)]),
        per_pair=ends([pairs[p] for p in combinations(everybody, 2) if groups[p[0]] != groups[p[1]]]),
    )


def _size(plan: Plan, entrants: Sequence[Entrant], groups: Sequence[int]) -> int:
    """How many play one board. Raises InvalidFormat if so many cannot be found."""
    if plan.owners_may_meet:
        raise InvalidFormat("bots of one owner never share a board: the tournament cannot let them meet")
    if len(entrants) > ENTRANTS_MAX:
        raise InvalidFormat(f"{len(entrants)} entrants are more than the {ENTRANTS_MAX} that boards can be planned for")
    tables = plan.number("tables", TABLES)
    size = tables * plan.seats
    if len(entrants) < size:
        raise InvalidFormat(
            f"a board needs {tables} tables of {plan.seats}: enter {size} bots or more, not {len(entrants)}"
        )
    owners = len(set(groups))
    if owners < size:
        raise InvalidFormat(
            f"bots of one owner never share a board: {tables} tables of {plan.seats} need bots of {size} owners, "
            f"not {owners} (house bots count singly)"
        )
    return size


def _choose(plan: Plan, entrants: Sequence[Entrant]) -> list[list[int]]:
    """Who plays each board: those who have played least, and of these those who have shared fewest boards."""
    groups = owner_groups(plan, entrants)
    size = _size(plan, entrants, groups)
    count = plan.number("boards", -(-EACH * len(entrants) // size))
    everybody = range(len(entrants))
    played = [0] * len(entrants)
    shared = [[0] * len(entrants) for _ in entrants]
    chosen: list[list[int]] = []
    for number in range(count):
        board: list[int] = []
        taken: set[int] = set()
        cost = [0] * len(entrants)
        while len(board) < size:
            usable = [i for i in everybody if groups[i] not in taken]
            who = min(usable, key=lambda i: (played[i], cost[i], -i))
            board.append(who)
            taken.add(groups[who])
            cost = [a + b for a, b in zip(cost, shared[who], strict=True)]
        for who in board:
            played[who] += 1
            for other in board:
                shared[who][other] += 1
        random.Random(number).shuffle(board)  # the same every time: whoever is asked again must answer the same
        chosen.append(board)
    return chosen


BOARDS = Format(boards, outlook, OPTIONS, board=True)

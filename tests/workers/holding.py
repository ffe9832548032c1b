"""Holds whole tournaments in memory: results by luck and a strength that falls with the bot's number."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from workers.blocks import no_show
from workers.formats import FORMATS, Plan, Table, next_round, seat_orders
from workers.model import Entrant, LedgerEntry, MatchEnd, MatchReport, NoShow, Player

Decide = Callable[[Sequence[Player]], list[int]]  # players by seat -> scores


@dataclass
class Cup:
    """A tournament and what came of it."""

    name: str
    plan: Plan
    entrants: Sequence[Entrant]
    rounds: list[Sequence[Table]] = field(default_factory=list)
    results: list[LedgerEntry] = field(default_factory=list)


def bots(count: int, owners: int = 0) -> tuple[Entrant, ...]:
    """`count` bots of as many owners, each with as many bots as another or one more; 0: each its own."""
    return tuple(Entrant(Player(f"b{i}"), f"o{i % owners}" if owners else "") for i in range(count))


def by_luck(seed: int) -> Decide:
    """Better bots have smaller numbers."""
    draw = random.Random(seed)
    return lambda players: [int(draw.gauss(0, 40)) * 5 - 10 * int(p.bot_id[1:]) for p in players]


def entry(
    index: int, number: int, players: Sequence[Player], decide: Decide, absent: Sequence[Player] = ()
) -> LedgerEntry:
    """One block, in which these never came."""
    matches = []
    for at, order in enumerate(seat_orders(len(players))):
        seats = tuple(players[i] for i in order)
        name = f"m{index}-{at}"
        if absent:
            faulty = [seat for seat, player in enumerate(seats) if player in absent]
            matches.append(no_show(name, seats, faulty, NoShow.UNRATED))
            continue
        scores = decide(seats)
        ranking = tuple(1 + sum(o > s for o in scores) for s in scores)
        matches.append(MatchReport(name, seats, MatchEnd.PLAYED, ranking, tuple(scores), 9, 300, ({},) * len(seats)))
    return LedgerEntry("t", index, number, f"t_{index}", "tournament", True, tuple(matches))


def hold(
    name: str,
    plan: Plan,
    entrants: Sequence[Entrant],
    decide: Decide | None = None,
    *,
    absent: Sequence[Player] = (),
    most: int = 500,
) -> Cup:
    """All its rounds. Fails if there are more than `most`."""
    cup = Cup(name, plan, entrants)
    decide = decide or by_luck(1)
    for number in range(1, most + 1):
        tables = next_round(name, plan, entrants, cup.results)
        if tables is None:
            return cup
        cup.rounds.append(tables)
        for table in tables:
            players = [entrants[i].player for i in table]
            missing = [p for p in players if p in absent]
            cup.results.append(entry(len(cup.results), number, players, decide, missing))
    raise AssertionError(f"{name} does not end")


def lasting(name: str, seats: int, rounds: int = 3) -> Plan:
    """A plan of this format that ends."""
    return Plan(seats, options={"rounds": rounds} if FORMATS[name].endless else {})

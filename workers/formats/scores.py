"""What results are worth to the formats that pair by them.

In a match a bot scores a point for each bot it is ranked above and half a point for each it shares its place with;
counted in halves, so that sums are whole. A match that was not played counts by the ranking in its report, in which
the absent share the last place: staying away never pays.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from workers.formats.base import Plan, Table
from workers.model import Entrant, LedgerEntry, MatchReport


@dataclass(frozen=True, slots=True)
class Held:
    """A block that was held. By place at the table: halves of points, and sums of final scores."""

    table: Table
    halves: tuple[int, ...]
    finals: tuple[int, ...]
    matches: int


@dataclass(slots=True)
class Score:
    """One entrant so far. `met`: whom, and in how many blocks."""

    halves: int = 0
    finals: int = 0
    blocks: int = 0
    matches: int = 0
    byes: int = 0
    met: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Scored:
    """A row of a format's own table. `who`: index into the entrants. `still_in`: may still win, or has won."""

    rank: int
    who: int
    score: Score
    still_in: bool = True


def ranked(order: Sequence[tuple[int, bool]], scores: Sequence[Score]) -> list[Scored]:
    """Rows of (entrant, still in), best first; those next to each other with equal points and final scores share."""
    rows: list[Scored] = []
    for place, (who, still_in) in enumerate(order, 1):
        before, mine = rows[-1] if rows else None, scores[who]
        ties = before is not None and before.still_in == still_in and _like(before.score, mine)
        rows.append(Scored(before.rank if before is not None and ties else place, who, mine, still_in))
    return rows


def _like(one: Score, other: Score) -> bool:
    return (one.halves, one.finals, one.blocks) == (other.halves, other.finals, other.blocks)


def rounds_held(entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> list[list[Held]]:
    """The blocks of every round, first round first, in schedule order."""
    index = {e.player.bot_id: i for i, e in enumerate(entrants)}
    rounds: dict[int, list[tuple[int, Held]]] = {}
    for entry in results:
        halves, finals = Counter[int](), Counter[int]()
        for match in entry.matches:
            for seat, player in enumerate(match.seats):
                halves[index[player.bot_id]] += halves_of(match, seat)
                finals[index[player.bot_id]] += match.scores[seat]
        table = tuple(sorted(halves))
        held = Held(table, tuple(halves[i] for i in table), tuple(finals[i] for i in table), len(entry.matches))
        rounds.setdefault(entry.round, []).append((entry.index, held))
    return [[held for _, held in sorted(rounds[number], key=lambda h: h[0])] for number in sorted(rounds)]


def halves_of(match: MatchReport, seat: int) -> int:
    """Halves of points of one seat in one match."""
    mine = match.ranking[seat]
    return sum((other > mine) + (other >= mine) for other in match.ranking) - 1


def add(scores: Sequence[Score], held: Held) -> None:
    """Count one block."""
    for place, who in enumerate(held.table):
        score = scores[who]
        score.halves += held.halves[place]
        score.finals += held.finals[place]
        score.blocks += 1
        score.matches += held.matches
        score.met.update(other for other in held.table if other != who)


def lots(plan: Plan, entrants: Sequence[Entrant]) -> list[bytes]:
    """By entrant, what decides where results do not: known to nobody before the first round, the same ever after."""
    return [hashlib.sha256(plan.draw + b"\0lot\0" + e.player.bot_id.encode()).digest() for e in entrants]


def stay_out(order: Sequence[int], groups: Sequence[int], seats: int, tables: int) -> set[int]:
    """Who has no table in a round of so many: the first in `order`, and of a group with more bots than tables so many
    that the others find one."""
    spare: Counter[int] = Counter(groups[who] for who in order)
    out: set[int] = set()
    for who in order:
        if spare[groups[who]] > tables:
            spare[groups[who]] -= 1
            out.add(who)
    for who in order:
        if len(order) - len(out) == seats * tables:
            break
        out.add(who)
    return out

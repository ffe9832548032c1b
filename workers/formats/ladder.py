"""Ladder: rounds without end among those who are there, by who needs matches and by the quality of the match.

- Who has played least, with this version, is seated first: a new version at once; of equals the less sure rating, then
  by lot. If not all can be seated, those who have played most sit out.
- A table is made for each in that order: of the nearest in skill still free, the one with whom TrueSkill expects the
  most even match, each meeting in the last rounds halving its value.
Ratings are folded from the ladder's own results, one update a block, whatever leaderboards do with them.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from workers.formats.base import NOBODY_MEETS, InvalidFormat, Plan, Table, owner_groups, tables_at_once
from workers.formats.counts import Counts, counts_of
from workers.formats.format import Format
from workers.formats.options import Option
from workers.formats.scores import halves_of, lots, stay_out
from workers.formats.seating import fill
from workers.model import Entrant, LedgerEntry, Player, RatingParameters, Seatings
from workers.ratings import Rating, quality, rate

OPTIONS: Final = {
    "rounds": Option("how many rounds", "no end: it is cancelled", most=1_000_000),
    "tables": Option("how many tables a round has at most", "all that can be filled", most=10_000),
}
PARAMETERS: Final = RatingParameters()
NEAREST: Final = 16  # looked at for each seat, in order of skill
RECENT: Final = 4  # rounds whose meetings count


@dataclass(slots=True)
class _Known:
    """One player in the memory. `matches`: played with this version."""

    mu: float
    sigma: float
    matches: int = 0


class _State:
    """The memory with the results since folded in: how many rounds, ratings by player key, the last rounds' tables."""

    def __init__(self, memory: Mapping[str, Any], results: Collection[LedgerEntry]) -> None:
        self._players = {key: _Known(*known) for key, known in memory.get("players", {}).items()}
        tables: dict[int, list[list[str]]] = {}
        for entry in sorted(results, key=lambda e: e.index):
            self._fold(entry)
            tables.setdefault(entry.round, []).append(sorted(p.key for p in entry.matches[0].seats))
        self.rounds = int(memory.get("rounds", 0)) + len(tables)
        self.recent = [*memory.get("recent", ()), *(tables[number] for number in sorted(tables))][-RECENT:]

    def plain(self) -> dict[str, object]:
        """As the next memory."""
        players = {key: [known.mu, known.sigma, known.matches] for key, known in self._players.items()}
        return {"rounds": self.rounds, "players": players, "recent": self.recent}

    def known(self, player: Player) -> _Known:
        """A newcomer is as good as its last version was, and less sure."""
        for version in range(player.version, 0, -1):
            if known := self._players.get(Player(player.bot_id, version).key):
                if version == player.version:
                    return known
                return _Known(known.mu, max(known.sigma, PARAMETERS.new_version_sigma))
        return _Known(PARAMETERS.mu, PARAMETERS.sigma)

    def _fold(self, entry: LedgerEntry) -> None:
        """One update, by the points in the block. Matches that are not rated were not played."""
        halves, matches = Counter[Player](), 0
        for match in entry.matches:
            if match.rated:
                matches += 1
                halves.update({player: halves_of(match, seat) for seat, player in enumerate(match.seats)})
        if not matches:
            return
        known = {player: self.known(player) for player in halves}
        placed = [(p.key, (known[p].mu, known[p].sigma), _place(halves, p)) for p in halves]
        new = rate(PARAMETERS, placed)
        for player, before in known.items():
            self._players[player.key] = _Known(*new[player.key], before.matches + matches)


def _place(halves: Mapping[Player, int], player: Player) -> int:
    return 1 + sum(other > halves[player] for other in halves.values())


def remember(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> dict[str, object]:
    """See `Format.remember`."""
    return _State(plan.memory, results).plain()


def ladder(plan: Plan, entrants: Sequence[Entrant], results: Collection[LedgerEntry]) -> tuple[Table, ...] | None:
    """See the module. `entrants`: those who are there now, with their current versions."""
    state = _State(plan.memory, results)
    if 0 < plan.number("rounds", 0) <= state.rounds:
        return None
    groups = owner_groups(plan, entrants)
    tables = _tables(plan, groups)
    lot = lots(plan, entrants)
    known = [state.known(e.player) for e in entrants]
    need = sorted(range(len(entrants)), key=lambda i: (known[i].matches, -known[i].sigma, lot[i]))
    out = stay_out(need[::-1], groups, plan.seats, tables)
    ratings = [(k.mu, k.sigma) for k in known]
    pairing = _Pairing(plan, groups, ratings, _meetings(entrants, state.recent), [i for i in need if i not in out])
    return fill(pairing.order(), plan.seats, groups, [{}] * len(entrants), plan.draw)


class _Pairing:
    """Fills tables, the neediest first."""

    def __init__(
        self,
        plan: Plan,
        groups: Sequence[int],
        ratings: Sequence[Rating],
        met: Sequence[Mapping[int, int]],
        need: Sequence[int],
    ) -> None:
        self._seats, self._groups, self._ratings, self._met, self._need = plan.seats, groups, ratings, met, need
        self._free = sorted((ratings[who][0], who) for who in need)  # by skill

    def order(self) -> list[int]:
        """Table by table. Towards the end nobody of another owner may be free; the caller mends that."""
        order: list[int] = []
        gone: set[int] = set()
        for who in self._need:
            if who in gone:
                continue
            table = [who]
            self._take(who)
            while len(table) < self._seats:
                table.append(self._opponent(table))
                self._take(table[-1])
            gone.update(table)
            order += table
        return order

    def _take(self, who: int) -> None:
        del self._free[bisect_left(self._free, (self._ratings[who][0], who))]

    def _opponent(self, table: Sequence[int]) -> int:
        middle = bisect_left(self._free, (self._ratings[table[0]][0], table[0]))
        near: list[int] = []
        low, high = middle - 1, middle
        taken = {self._groups[who] for who in table}
        while len(near) < NEAREST and (low >= 0 or high < len(self._free)):
            there = [self._free[place][1] for place in (low, high) if 0 <= place < len(self._free)]
            near += [who for who in there if self._groups[who] not in taken]
            low, high = low - 1, high + 1
        return max(near, key=lambda who: self._value(table, who), default=self._free[0][1])

    def _value(self, table: Sequence[int], who: int) -> tuple[float, int]:
        again = sum(self._met[who].get(other, 0) for other in table)
        return quality(PARAMETERS, [self._ratings[i] for i in (*table, who)]) / 2**again, -who


def _meetings(entrants: Sequence[Entrant], recent: Sequence[Sequence[Sequence[str]]]) -> list[Counter[int]]:
    index = {e.player.key: i for i, e in enumerate(entrants)}
    met: list[Counter[int]] = [Counter() for _ in entrants]
    for table in (table for tables in recent for table in tables):
        here = [index[key] for key in table if key in index]
        for who in here:
            met[who].update(other for other in here if other != who)
    return met


def outlook(plan: Plan, entrants: Sequence[Entrant], seatings: Seatings) -> Counts:
    """Of one round, or of as many as it has, if everybody stays."""
    groups, rounds = owner_groups(plan, entrants), plan.number("rounds", 0)
    tables, times = _tables(plan, groups), max(rounds, 1)
    least = times if tables * plan.seats == len(entrants) else 0
    return counts_of(plan.seats, tables * times, (least, times), (0, times), seatings, rounds, exact=False)


def _tables(plan: Plan, groups: Sequence[int]) -> int:
    tables = tables_at_once(groups, plan.seats)
    if not tables:
        raise InvalidFormat(NOBODY_MEETS)
    return min(tables, plan.number("tables", tables))


LADDER: Final = Format(ladder, outlook, OPTIONS, remember)

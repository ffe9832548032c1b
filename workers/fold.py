"""Folds ledger entries into what a leaderboard holds, in ledger order.

Law: the same entries give the same standings to the last bit, whoever folds them, in however many steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workers.model import LedgerEntry, MatchEnd, MatchReport, Player, RatingParameters, Unit
from workers.ratings import Rating, rate
from workers.standings import Pair, Projection, SeatSums, Standing, TableSums, appended, pair_key


@dataclass(slots=True)
class _Tally:
    """What one player did in one block."""

    matches: int = 0
    points: int = 0
    deals: int = 0
    places: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    strikes: dict[str, int] = field(default_factory=dict)
    forfeits: int = 0


class Fold:
    """A projection under change; `known` must hold all that the entries touch (see `touched`)."""

    def __init__(self, parameters: RatingParameters, known: Projection | None = None) -> None:
        self._parameters = parameters
        self.now = known or Projection()

    @property
    def standings(self) -> dict[str, Standing]:
        """By player key."""
        return self.now.standings

    def add(self, entry: LedgerEntry, place: int) -> None:
        """Fold one block; `place` is the entry's place in the ledger."""
        counted = [m for m in entry.matches if m.rated]
        if not counted:
            return
        players = {player: player.key for match in counted for player in match.seats}
        ratings = self._rated(counted, players)
        for key, tally in _tallies(counted, players).items():
            standing = _moved(self.standings[key], tally, ratings[key], place, len(players))
            self.standings[key] = standing
            self.now.histories[key] = appended(self.now.histories.get(key, b""), standing)
        played = [m for m in counted if m.end is MatchEnd.PLAYED]
        if played:
            self._add_pairs(played, players)
            self._add_seats(played)
        self.now.matches += len(counted)

    def _rated(self, counted: Sequence[MatchReport], players: Mapping[Player, str]) -> dict[str, Rating]:
        ratings = {key: self._entering(player, key) for player, key in players.items()}
        games = (
            [_block_places(counted)]
            if self._parameters.unit is Unit.BLOCK
            else [dict(zip(m.seats, m.ranking, strict=True)) for m in counted]
        )
        for places in games:
            keyed = [(players[p], place) for p, place in places.items()]
            ratings.update(rate(self._parameters, [(key, ratings[key], place) for key, place in keyed]))
        return ratings

    def _entering(self, player: Player, key: str) -> Rating:
        standing = self.standings.get(key)
        if standing is None:
            standing = self.standings[key] = self._newcomer(player)
        return standing.mu, standing.sigma

    def _newcomer(self, player: Player) -> Standing:
        p = self._parameters
        for key in predecessors(player):
            before = self.standings.get(key)
            if before is not None:  # a new version enters from its predecessor's mean, less sure
                return Standing(player, before.mu, max(before.sigma, p.new_version_sigma))
        return Standing(player, p.mu, p.sigma)

    def _add_pairs(self, played: Sequence[MatchReport], players: Mapping[Player, str]) -> None:
        found: dict[str, list[int]] = {}
        for match in played:
            at_table = sorted(zip((players[p] for p in match.seats), match.ranking, match.scores, strict=True))
            for i, (one, place, score) in enumerate(at_table):
                for other, other_place, other_score in at_table[i + 1 :]:
                    row = found.setdefault(pair_key(one, other), [0, 0, 0, 0, 0])
                    row[0] += 1
                    row[1] += place < other_place
                    row[2] += place > other_place
                    row[3] += score - other_score
                    row[4] += match.deals
        for name, (matches, ahead, behind, points, deals) in found.items():
            old = self.now.pairs.get(name, _NO_PAIR)
            self.now.pairs[name] = Pair(
                old.matches + matches, old.ahead + ahead, old.behind + behind, old.sums.plus(points, deals)
            )

    def _add_seats(self, played: Sequence[MatchReport]) -> None:
        seats = len(played[0].seats)
        old = self.now.tables.get(seats) or TableSums((SeatSums(),) * seats, (SeatSums(),) * seats)
        known = [m for m in played if m.first_dealer >= 0]
        self.now.tables[seats] = TableSums(
            tuple(_seat_sums(sums, played, [s] * len(played)) for s, sums in enumerate(old.seats)),
            tuple(
                _seat_sums(sums, known, [(m.first_dealer + after) % seats for m in known])
                for after, sums in enumerate(old.from_dealer)
            ),
        )


_NO_PAIR = Pair()


def predecessors(player: Player) -> list[str]:
    """Keys of the versions before this one, the latest first."""
    return [Player(player.bot_id, version).key for version in range(player.version - 1, 0, -1)]


def touched(entries: Sequence[LedgerEntry]) -> tuple[list[str], list[str]]:
    """What a fold of these entries must know: keys of players, predecessors among them, and of pairs."""
    tables = {m.seats for entry in entries for m in entry.matches if m.rated}
    players = {player for seats in tables for player in seats}
    keys = {key for player in players for key in (player.key, *predecessors(player))}
    pairs = {pair_key(a.key, b.key) for seats in tables for i, a in enumerate(seats) for b in seats[i + 1 :]}
    return sorted(keys), sorted(pairs)


def _tallies(counted: Sequence[MatchReport], players: Mapping[Player, str]) -> dict[str, _Tally]:
    found = {key: _Tally() for key in players.values()}
    for match in counted:
        for seat, player in enumerate(match.seats):
            tally = found[players[player]]
            tally.matches += 1
            tally.points += match.scores[seat]
            tally.deals += match.deals
            tally.places.append(match.ranking[seat] - 1)
            tally.seats.append(seat)
            tally.forfeits += seat in match.faulty and match.end is MatchEnd.PLAYED
            for cause, n in match.strikes[seat].items() if match.strikes else ():
                tally.strikes[cause] = tally.strikes.get(cause, 0) + n
    return found


def _moved(old: Standing, tally: _Tally, rating: Rating, place: int, table: int) -> Standing:
    """After a block at a table of so many seats."""
    strikes = old.strikes
    if tally.strikes:
        strikes = dict(strikes)
        for cause, n in tally.strikes.items():
            strikes[cause] = strikes.get(cause, 0) + n
    return Standing(
        player=old.player,
        mu=rating[0],
        sigma=rating[1],
        matches=old.matches + tally.matches,
        places=_counted(old.places, tally.places, table),
        sums=old.sums.plus(tally.points, tally.deals),
        seats=_counted(old.seats, tally.seats, table),
        strikes=strikes,
        forfeits=old.forfeits + tally.forfeits,
        last_entry=place,
    )


def _counted(old: tuple[int, ...], indexes: Sequence[int], size: int) -> tuple[int, ...]:
    counts = [*old, *[0] * (size - len(old))]
    for index in indexes:
        counts[index] += 1
    return tuple(counts)


def _seat_sums(old: SeatSums, matches: Sequence[MatchReport], seats: Sequence[int]) -> SeatSums:
    """With one block more, in whose matches these are the seats."""
    if not matches:
        return old
    points = deals = firsts = dealt = 0
    for match, seat in zip(matches, seats, strict=True):
        points += match.scores[seat]
        deals += match.deals
        firsts += match.ranking[seat] == 1
        dealt += match.first_dealer == seat
    return SeatSums(
        old.matches + len(matches), old.firsts + firsts, old.dealt_first + dealt, old.sums.plus(points, deals)
    )


def _block_places(matches: Sequence[MatchReport]) -> dict[Player, int]:
    sums: dict[Player, int] = {}
    for match in matches:
        for player, place in zip(match.seats, match.ranking, strict=True):
            sums[player] = sums.get(player, 0) + place
    return {p: 1 + sum(other < total for other in sums.values()) for p, total in sums.items()}

"""Folds ledger entries into what a leaderboard holds, in ledger order.

Law: the same entries give the same standings to the last bit, whoever folds them, in however many steps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workers.boards import same_cards
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

    def add(self, match: MatchReport, seat: int, place: int, points: int, deals: int) -> None:
        """One match more."""
        self.matches += 1
        self.points += points
        self.deals += deals
        self.places.append(place - 1)
        self.seats.append(seat)
        self.forfeits += seat in match.faulty and match.end is MatchEnd.PLAYED
        for cause, n in match.strikes[seat].items() if match.strikes else ():
            self.strikes[cause] = self.strikes.get(cause, 0) + n


@dataclass(slots=True)
class _Row:
    """What two players did against each other in one block."""

    matches: int = 0
    ahead: int = 0
    behind: int = 0
    points: int = 0
    deals: int = 0


@dataclass(slots=True)
class _Block:
    """One entry as it counts: who is rated with whom (places by key, game by game), and what is tallied."""

    seats: int
    among: int  # places there are
    players: dict[Player, str]
    matches: list[MatchReport]
    games: list[list[tuple[str, int]]] = field(default_factory=list)
    tallies: dict[str, _Tally] = field(default_factory=dict)
    pairs: dict[str, _Row] = field(default_factory=dict)

    def meet(self, results: Sequence[tuple[str, int, int]], deals: int) -> None:
        """These (key, place, score) count against each other, two by two."""
        ordered = sorted(results)
        for i, (one, place, score) in enumerate(ordered):
            for other, other_place, other_score in ordered[i + 1 :]:
                row = self.pairs.setdefault(pair_key(one, other), _Row())
                row.matches += 1
                row.ahead += place < other_place
                row.behind += place > other_place
                row.points += score - other_score
                row.deals += deals


def _of_block(entry: LedgerEntry, unit: Unit) -> _Block:
    """A set of bots, seat order by seat order."""
    matches = [m for m in entry.matches if m.rated]
    players = {player: player.key for match in matches for player in match.seats}
    block = _Block(len(matches[0].seats) if matches else 0, len(players), players, matches)
    block.tallies = {key: _Tally() for key in players.values()}
    for match in matches:
        for seat, player in enumerate(match.seats):
            block.tallies[players[player]].add(match, seat, match.ranking[seat], match.scores[seat], match.deals)
        if match.end is MatchEnd.PLAYED:
            block.meet(
                list(zip((players[p] for p in match.seats), match.ranking, match.scores, strict=True)), match.deals
            )
    placed = (
        [_block_places(matches)]
        if unit is Unit.BLOCK and matches
        else [dict(zip(m.seats, m.ranking, strict=True)) for m in matches]
    )
    block.games = [[(players[p], place) for p, place in places.items()] for places in placed]
    return block


def _of_board(entry: LedgerEntry) -> _Block:
    """The tables of a board: those who held the same cards, seat by seat; each player sits in one seat only."""
    groups = [group for group in same_cards(entry.matches) if group]
    players = {held.player: held.player.key for group in groups for held in group}
    counted = {held.match.match_id for group in groups for held in group}
    matches = [match for match in entry.matches if match.match_id in counted]
    block = _Block(len(matches[0].seats) if matches else 0, max(map(len, groups), default=0), players, matches)
    for group in groups:
        block.games.append([(players[held.player], held.place) for held in group])
        for held in group:
            tally = block.tallies[players[held.player]] = _Tally()
            tally.add(held.match, held.seat, held.place, held.points, held.deals)
        played = [held for held in group if held.match.end is MatchEnd.PLAYED]
        block.meet([(players[h.player], h.place, h.match.scores[h.seat]) for h in played], 1)  # a board is one deal
    return block


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
        block = _of_board(entry) if entry.board else _of_block(entry, self._parameters.unit)
        if not block.matches:
            return
        parameters = self._parameters.for_boards if entry.board else self._parameters
        ratings = {key: self._entering(player, key) for player, key in block.players.items()}
        for game in block.games:
            ratings.update(rate(parameters, [(key, ratings[key], place) for key, place in game]))
        for key, tally in block.tallies.items():
            standing = self.standings[key] = _moved(self.standings[key], tally, ratings[key], place, block)
            self.now.histories[key] = appended(self.now.histories.get(key, b""), standing)
        for name, row in block.pairs.items():
            old = self.now.pairs.get(name, _NO_PAIR)
            sums = old.sums.plus(row.points, row.deals)
            self.now.pairs[name] = Pair(old.matches + row.matches, old.ahead + row.ahead, old.behind + row.behind, sums)
        played = [m for m in block.matches if m.end is MatchEnd.PLAYED]
        if played:
            self._add_seats(played)
        self.now.matches += len(block.matches)

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
    tables = {seats for entry in entries for seats in _together(entry)}
    players = {player for seats in tables for player in seats}
    keys = {key for player in players for key in (player.key, *predecessors(player))}
    pairs = {pair_key(a.key, b.key) for seats in tables for i, a in enumerate(seats) for b in seats[i + 1 :]}
    return sorted(keys), sorted(pairs)


def _together(entry: LedgerEntry) -> Iterator[tuple[Player, ...]]:
    """Those who count against each other."""
    tables = [m.seats for m in entry.matches if m.rated]
    return zip(*tables, strict=True) if entry.board else iter(tables)


def _moved(old: Standing, tally: _Tally, rating: Rating, place: int, block: _Block) -> Standing:
    """After a block."""
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
        places=_counted(old.places, tally.places, block.among),
        sums=old.sums.plus(tally.points, tally.deals),
        seats=_counted(old.seats, tally.seats, block.seats),
        strikes=strikes,
        forfeits=old.forfeits + tally.forfeits,
        last_entry=place,
        undealt=old.undealt + (not tally.deals),
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

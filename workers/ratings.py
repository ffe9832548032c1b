"""Ratings: folds ledger entries into standings, in ledger order. The only user of trueskill.

Law: the same entries give the same standings to the last bit, whoever folds them, in however many steps.
A winner's shown score may fall: tau widens sigma a little each match (field case B42); mu never falls by winning.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its sources hold invalid escapes, which Python tells on the first compile
    import trueskill

from workers.model import (
    Leaderboard,
    LedgerEntry,
    MatchEnd,
    MatchReport,
    Player,
    Ranked,
    RatingParameters,
    Scope,
    Standing,
    Unit,
)
from workers.store import Store
from workers.store.ledger import CHUNK, dump_of

Rating = tuple[float, float]  # mu, sigma
_EXACT: Final = "mpmath"


@cache
def _environment(p: RatingParameters, backend: str | None = None) -> trueskill.TrueSkill:
    if p.draw_probability <= 0:
        raise ValueError("draw_probability must be above 0: a tie at 0 widens sigma")
    return trueskill.TrueSkill(p.mu, p.sigma, p.beta, p.tau, p.draw_probability, backend=backend)


def rate(parameters: RatingParameters, rated: Sequence[tuple[str, Rating, int]]) -> dict[str, Rating]:
    """New ratings of (bot id or key, rating, place). Tied players enter in id order, so that seats have no effect.

    The library raises FloatingPointError where gaps are beyond floats; there mpmath computes the same with more digits.
    """
    ordered = sorted(rated, key=lambda item: (item[2], item[0]))
    try:
        return _rate(_environment(parameters), ordered)
    except (FloatingPointError, ValueError, ZeroDivisionError):
        return _rate(_environment(parameters, _EXACT), ordered)


def _rate(environment: trueskill.TrueSkill, ordered: Sequence[tuple[str, Rating, int]]) -> dict[str, Rating]:
    groups = [(environment.create_rating(mu, sigma),) for _, (mu, sigma), _ in ordered]
    new = environment.rate(groups, ranks=[place for _, _, place in ordered])
    found = {name: (float(r.mu), float(r.sigma)) for (name, _, _), (r,) in zip(ordered, new, strict=True)}
    if any(value != value or abs(value) == float("inf") for pair in found.values() for value in pair):
        raise FloatingPointError("the rating left the range of numbers")
    return found


class Fold:
    """Standings under change. `changed` holds those touched since it was last emptied."""

    def __init__(self, parameters: RatingParameters, standings: Mapping[str, Standing] | None = None) -> None:
        self._parameters = parameters
        self.standings = dict(standings or {})
        self.changed: dict[str, Standing] = {}
        self.matches = 0

    def add(self, entry: LedgerEntry, place: int) -> None:
        """Fold one block; `place` is the entry's place in the ledger."""
        counted = [m for m in entry.matches if m.rated]
        if self._parameters.unit is Unit.BLOCK and counted:
            self._rate(_block_places(counted))
        for match in counted:
            if self._parameters.unit is Unit.MATCH:
                self._rate(dict(zip(match.seats, match.ranking, strict=True)))
            self._tally(match, place)
        self.matches += len(counted)

    def _rate(self, places: Mapping[Player, int]) -> None:
        rated = [(p.key, self._rating(p), place) for p, place in places.items()]
        for key, (mu, sigma) in rate(self._parameters, rated).items():
            self._put(replace(self.standings[key], mu=mu, sigma=sigma))

    def _rating(self, player: Player) -> Rating:
        standing = self.standings.get(player.key)
        if standing is None:
            standing = self._newcomer(player)
            self._put(standing)
        return standing.mu, standing.sigma

    def _newcomer(self, player: Player) -> Standing:
        p = self._parameters
        for version in range(player.version - 1, 0, -1):
            before = self.standings.get(Player(player.bot_id, version).key)
            if before is not None:  # a new version enters from its predecessor's mean, less sure
                return Standing(player, before.mu, max(before.sigma, p.new_version_sigma))
        return Standing(player, p.mu, p.sigma)

    def _tally(self, match: MatchReport, place: int) -> None:
        for seat, player in enumerate(match.seats):
            old = self.standings[player.key]
            places = list(old.places) + [0] * (len(match.seats) - len(old.places))
            places[match.ranking[seat] - 1] += 1
            strikes = dict(old.strikes)
            for cause, n in (match.strikes[seat] if match.strikes else {}).items():
                strikes[cause] = strikes.get(cause, 0) + n
            self._put(
                replace(
                    old,
                    matches=old.matches + 1,
                    places=tuple(places),
                    points=old.points + match.scores[seat],
                    deals=old.deals + match.deals,
                    strikes=strikes,
                    forfeits=old.forfeits + (seat in match.faulty and match.end is MatchEnd.PLAYED),
                    last_entry=place,
                )
            )

    def _put(self, standing: Standing) -> None:
        self.standings[standing.player.key] = standing
        self.changed[standing.player.key] = standing


def _block_places(matches: Sequence[MatchReport]) -> dict[Player, int]:
    sums: dict[Player, int] = {}
    for match in matches:
        for player, place in zip(match.seats, match.ranking, strict=True):
            sums[player] = sums.get(player, 0) + place
    return {p: 1 + sum(other < total for other in sums.values()) for p, total in sums.items()}


def concerns(board: Leaderboard, entry: LedgerEntry) -> bool:
    """Whether this leaderboard folds this entry."""
    if board.scope is Scope.TOURNAMENT:
        return entry.tournament_id == board.subject
    return entry.world and (board.scope is Scope.ALL or entry.ruleset == board.subject)


def project(store: Store, board: Leaderboard) -> int:
    """Fold what the ledger has behind the cursor; how many entries. Safe to run from several processes."""
    cursor, matches = store.leaderboards.cursor(board)
    fold: Fold | None = None
    done = 0
    while entries := store.ledger.read(cursor, CHUNK):
        if fold is None:
            fold = Fold(board.parameters, store.leaderboards.standings(board.leaderboard_id))
            if store.leaderboards.cursor(board)[0] != cursor:
                return done  # somebody folded between the two reads: the next tick begins afresh
            fold.matches = matches
        for place, entry in enumerate(entries, cursor):
            if concerns(board, entry):
                fold.add(entry, place)
        following = cursor + len(entries)
        if not store.leaderboards.project(board, cursor, following, fold.matches, fold.changed):
            return done
        fold.changed = {}
        done += len(entries)
        cursor = following
    return done


def rebuild(store: Store, board: Leaderboard) -> bool:
    """Fold everything again from the start; True if the bytes are those that stood there, which then stay.

    Others may fold on meanwhile: what is compared is how far the leaderboard had come.
    """
    while True:
        cursor, _ = store.leaderboards.cursor(board)
        stood = store.leaderboards.dump(board.leaderboard_id)
        if store.leaderboards.cursor(board)[0] == cursor:
            break
    fold = _folded(store, board, cursor)
    if stood == (dump_of(cursor, fold.matches, fold.standings) if stood else b""):
        return True
    store.leaderboards.clear(board.leaderboard_id)
    project(store, board)
    return False


def _folded(store: Store, board: Leaderboard, end: int) -> Fold:
    """The ledger from the leaderboard's start up to `end`."""
    fold = Fold(board.parameters)
    for begin in range(board.start, end, CHUNK):
        for place, entry in enumerate(store.ledger.read(begin, min(CHUNK, end - begin)), begin):
            if concerns(board, entry):
                fold.add(entry, place)
    return fold


def rank(standings: Iterable[Standing], names: Mapping[str, str]) -> list[Ranked]:
    """Best first. Equal scores share a place; inside it: more matches, smaller sigma, then name. `names` by bot id."""
    named = [(names.get(s.player.bot_id, s.player.bot_id), s) for s in standings]
    named.sort(key=lambda ns: (-ns[1].score, -ns[1].matches, ns[1].sigma, ns[0].casefold(), ns[1].player.key))
    ranked: list[Ranked] = []
    for at, (name, standing) in enumerate(named, 1):
        shares = ranked and ranked[-1].standing.score == standing.score
        ranked.append(Ranked(ranked[-1].rank if shares else at, name, standing))
    return ranked

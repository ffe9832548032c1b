"""The calls about rounds: those of ladders, and how a format that pairs by points stands after them."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from thousand.v1 import arena_pb2 as api
from thousand.v1 import round_pb2 as pb
from thousand.v1 import score_pb2
from workers.arena import encode
from workers.arena.calls import Caller, page, stored_page
from workers.arena.errors import NotNow
from workers.arena.tournaments import TournamentCalls
from workers.formats import format_of
from workers.formats.scores import Scored
from workers.model import Round, Tournament, TournamentState
from workers.rounds import Settled, drawn
from workers.store import Store

KEPT: Final = 16  # tables


class RoundCalls:
    """Rounds, and how they left the entrants. Blocking: called in a thread."""

    def __init__(self, store: Store, tournaments: TournamentCalls) -> None:
        self._store, self._tournaments = store, tournaments
        self._scored: dict[tuple[str, int], list[Scored]] = {}

    def list_rounds(self, caller: Caller, request: api.ListRoundsRequest) -> api.ListRoundsResponse:
        """Latest first."""
        tournament = self._tournaments.known(request.tournament_id)
        if not format_of(tournament.format).endless:
            raise NotNow(f"a {tournament.format} has one secret for all its rounds: it is told with the tournament")
        read = partial(self._store.rounds.latest, tournament.tournament_id)
        found, following = stored_page(read, request.page_size, request.page_token)
        rounds = [self._encoded(tournament, opened) for opened in found]
        return api.ListRoundsResponse(rounds=rounds, next_page_token=following)

    def list_scores(self, caller: Caller, request: api.ListTournamentScoresRequest) -> api.ListTournamentScoresResponse:
        """Best first."""
        tournament = self._tournaments.known(request.tournament_id)
        scored = format_of(tournament.format).scored
        if scored is None:
            raise NotNow(f"a {tournament.format} has no points of its own: `thousand leaderboard show` ranks it")
        rounds, rows = self._rows(tournament)
        found, following = page(rows, request.page_size, request.page_token)
        names = self._tournaments.names([tournament.entrants[row.who].player for row in found])
        scores = [_score(tournament, row, names) for row in found]
        return api.ListTournamentScoresResponse(scores=scores, next_page_token=following, rounds=rounds)

    def _rows(self, tournament: Tournament) -> tuple[int, list[Scored]]:
        """How many rounds are whole, and the table after them; the last few are remembered."""
        t = tournament.tournament_id
        place, state = self._store.tournaments.place(t), self._store.tournaments.state(t)
        whole = place.front == place.end and state is not TournamentState.CANCELLED
        rounds, end = (place.number, place.end) if whole else (max(0, place.number - 1), place.begin)
        known = self._scored
        if (t, end) not in known:
            scored = format_of(tournament.format).scored
            assert scored is not None
            plan = drawn(tournament, self._store.tournaments.secret(t))
            rows = scored(plan, tournament.entrants, list(Settled(self._store, t, 0, end)))
            kept = list(known.items())[-KEPT:]
            known = self._scored = dict([*kept, ((t, end), rows)])
        return rounds, known[t, end]

    def _encoded(self, tournament: Tournament, opened: Round) -> pb.Round:
        names = self._tournaments.names([entrant.player for entrant in opened.entrants])
        secret = self._store.rounds.revealed(tournament.tournament_id, opened)
        return pb.Round(
            number=opened.number,
            first_block=opened.begin,
            blocks=opened.blocks,
            entrants=[encode.entrant(entrant.player, names) for entrant in opened.entrants],
            fairness=encode.fairness(opened.commitment, secret, tournament.public_seed),
        )


def _score(tournament: Tournament, row: Scored, names: Mapping[str, str]) -> score_pb2.TournamentScore:
    return score_pb2.TournamentScore(
        rank=row.rank,
        entrant=encode.entrant(tournament.entrants[row.who].player, names),
        points=row.score.halves / 2,
        final_scores=row.score.finals,
        matches=row.score.matches,
        byes=row.score.byes,
        still_in=row.still_in,
    )

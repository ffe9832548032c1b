"""The call about rounds of ladders."""

from functools import partial

from thousand.v1 import arena_pb2 as api
from thousand.v1 import round_pb2 as pb
from workers.arena import encode
from workers.arena.calls import Caller, stored_page
from workers.arena.errors import NotNow
from workers.arena.tournaments import TournamentCalls
from workers.formats import format_of
from workers.model import Round, Tournament
from workers.store import Store


class RoundCalls:
    """Rounds. Blocking: called in a thread."""

    def __init__(self, store: Store, tournaments: TournamentCalls) -> None:
        self._store, self._tournaments = store, tournaments

    def list_rounds(self, caller: Caller, request: api.ListRoundsRequest) -> api.ListRoundsResponse:
        """Latest first."""
        tournament = self._tournaments.known(request.tournament_id)
        if not format_of(tournament.format).endless:
            raise NotNow(f"a {tournament.format} has one secret for all its rounds: it is told with the tournament")
        read = partial(self._store.rounds.latest, tournament.tournament_id)
        found, following = stored_page(read, request.page_size, request.page_token)
        rounds = [self._encoded(tournament, opened) for opened in found]
        return api.ListRoundsResponse(rounds=rounds, next_page_token=following)

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

"""The calls about leaderboards and referees."""

from typing import Final

from thousand.v1 import arena_pb2 as api
from thousand.v1 import leaderboard_pb2
from workers.arena import encode
from workers.arena.calls import Caller, page
from workers.arena.errors import NoSuchThing
from workers.model import Leaderboard, Scope
from workers.standings import rank
from workers.store import Store

REFRESH_MS: Final = 5_000


class BoardCalls:
    """Leaderboards and referee addresses. Blocking: called in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list_referees(self, request: api.ListRefereesRequest) -> api.ListRefereesResponse:
        """The referees that are attended right now."""
        attended = {presence.referee_id: presence for presence in self._store.presence.everywhere()}
        referees = [
            api.Referee(
                referee_id=referee.referee_id,
                bot_address=referee.bots,
                draining=attended[referee.referee_id].draining,
            )
            for referee in self._store.presence.referees()
            if referee.referee_id in attended
        ]
        return api.ListRefereesResponse(referees=referees, refresh_ms=REFRESH_MS)

    def list_boards(self, caller: Caller, request: api.ListLeaderboardsRequest) -> api.ListLeaderboardsResponse:
        """All leaderboards by id."""
        boards, following = page(self._store.leaderboards.all(), request.page_size, request.page_token)
        return api.ListLeaderboardsResponse(leaderboards=map(self._encoded, boards), next_page_token=following)

    def get_board(self, caller: Caller, request: api.GetLeaderboardRequest) -> api.GetLeaderboardResponse:
        """One page of a leaderboard, best first."""
        board = self._store.leaderboards.get(request.leaderboard_id)
        if board is None:
            raise NoSuchThing(
                f"there is no leaderboard {request.leaderboard_id!r}: `thousand leaderboard list` shows all"
            )
        bots = {bot.bot_id: bot for bot in self._store.people.bots()}
        names = {bot_id: bot.name for bot_id, bot in bots.items()}
        standings = self._store.leaderboards.standings(board.leaderboard_id)
        shown, following = page(rank(standings.values(), names), request.page_size, request.page_token)
        owners = {bot_id: bot.owner_id for bot_id, bot in bots.items()}
        return api.GetLeaderboardResponse(
            leaderboard=self._encoded(board), entries=encode.ranked(shown, owners), next_page_token=following
        )

    def _encoded(self, board: Leaderboard) -> leaderboard_pb2.Leaderboard:
        cursor, matches = self._store.leaderboards.cursor(board)
        pending = 0
        if board.scope is Scope.TOURNAMENT:
            pending = self._store.tournaments.progress(board.subject).unsettled
        return encode.leaderboard(board, matches, cursor, pending)

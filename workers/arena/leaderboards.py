"""The calls about leaderboards: the order, and what stands behind it. A page is read in one step, and no more of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from thousand.v1 import arena_pb2 as api
from thousand.v1 import leaderboard_pb2
from thousand.v1 import statistics_pb2 as pb
from workers.arena import encode_ratings as encode
from workers.arena.calls import Caller, page, page_size, page_start, the_bot
from workers.arena.errors import BadRequest, NoSuchThing
from workers.codec import from_json
from workers.model import Bot, Leaderboard, Player, Scope
from workers.standings import Activity, Pair, Ranked, Standing, history_points, pair_key, rank
from workers.store import Store
from workers.store.leaderboards import Page, head_of

BEST: Final = 10  # of a leaderboard, where a request names no bots
MATRIX_MAX: Final = 32
CACHED_PAGES: Final = 64


@dataclass(frozen=True, slots=True)
class _Told:
    """A page as it was told, and what it was made of."""

    state: str
    board: Leaderboard
    pending: int
    answer: api.GetLeaderboardResponse


class LeaderboardCalls:
    """Blocking: called in threads. Keeps the pages told last, and tells them again while the store holds the same."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told: dict[tuple[str, int, int], _Told] = {}

    def list_boards(self, caller: Caller, request: api.ListLeaderboardsRequest) -> api.ListLeaderboardsResponse:
        """All leaderboards by id."""
        boards, following = page(self._store.leaderboards.all(), request.page_size, request.page_token)
        encoded = [
            encode.leaderboard(board, *self._store.leaderboards.cursor(board), self._pending(board)) for board in boards
        ]
        return api.ListLeaderboardsResponse(leaderboards=encoded, next_page_token=following)

    def get_board(self, caller: Caller, request: api.GetLeaderboardRequest) -> api.GetLeaderboardResponse:
        """One page of a leaderboard, best first."""
        start, size = page_start(request.page_token), page_size(request.page_size)
        asked = (request.leaderboard_id, start, size)
        told = self._told.get(asked)
        found = self._store.leaderboards.page(*asked, told.state if told is not None else "")
        if found is None and told is not None:
            if told.board.scope is not Scope.TOURNAMENT or self._pending(told.board) == told.pending:
                return told.answer
            found = self._store.leaderboards.page(*asked)
        if found is None or found.board is None:
            raise _no_board(request.leaderboard_id)
        return self._tell(asked, found)

    def _tell(self, asked: tuple[str, int, int], found: Page) -> api.GetLeaderboardResponse:
        _, start, size = asked
        assert found.board is not None
        board = from_json(Leaderboard, found.board)
        cursor, matches = head_of(board, found.head)
        pending = self._pending(board)
        answer = api.GetLeaderboardResponse(
            leaderboard=encode.leaderboard(board, cursor, matches, pending),
            entries=_entries(board, found, start, size),
            next_page_token=f"p{start + size}" if start + size < found.size else "",
        )
        if len(self._told) >= CACHED_PAGES:
            self._told.clear()
        self._told[asked] = _Told(found.state, board, pending, answer)
        return answer

    def history(self, caller: Caller, request: pb.GetRatingHistoryRequest) -> pb.GetRatingHistoryResponse:
        """A bot's ratings over its career, version by version."""
        board, bot = self._board(request.leaderboard_id), the_bot(self._store, request.bot)
        if request.version > bot.version:
            raise NoSuchThing(f"bot {bot.name!r} has no version {request.version}: its last is {bot.version}")
        versions = [request.version] if request.version else range(1, bot.version + 1)
        standings = self._store.leaderboards.some(board.leaderboard_id, [Player(bot.bot_id, v).key for v in versions])
        if not standings:
            raise _not_rated(bot, board)
        histories = [
            encode.history(
                standing, history_points(self._store.leaderboards.history(board.leaderboard_id, key), standing)
            )
            for key, standing in standings.items()
        ]
        return pb.GetRatingHistoryResponse(bot_id=bot.bot_id, bot_name=bot.name, versions=histories)

    def head_to_head(self, caller: Caller, request: pb.GetHeadToHeadRequest) -> pb.GetHeadToHeadResponse:
        """How every two of some bots did against each other."""
        board = self._board(request.leaderboard_id)
        if len(request.bots) == 1 or len(request.bots) > MATRIX_MAX:
            raise BadRequest(f"bots: name 2 to {MATRIX_MAX}, or none for the best {BEST}; not {len(request.bots)}")
        rows = self._named(board, request.bots) if request.bots else self._best(board)
        keys = [row.standing.player.key for row in rows]
        names = [pair_key(one, other) for place, one in enumerate(keys) for other in keys[place + 1 :]]
        met = self._store.leaderboards.pairs(board.leaderboard_id, names)
        cells = [
            encode.cell(first, second, pair if one < other else _turned(pair))
            for first, one in enumerate(keys)
            for second, other in enumerate(keys)
            if first < second and (pair := met.get(pair_key(one, other))) is not None
        ]
        return pb.GetHeadToHeadResponse(players=map(encode.head_to_head_player, rows), cells=cells)

    def seats(self, caller: Caller, request: pb.GetSeatStatisticsRequest) -> pb.GetSeatStatisticsResponse:
        """What the seats and the first deal are worth."""
        tables = self._store.leaderboards.tables(self._board(request.leaderboard_id).leaderboard_id)
        return pb.GetSeatStatisticsResponse(tables=[encode.table(size, sums) for size, sums in tables.items()])

    def _board(self, leaderboard_id: str) -> Leaderboard:
        board = self._store.leaderboards.get(leaderboard_id)
        if board is None:
            raise _no_board(leaderboard_id)
        return board

    def _pending(self, board: Leaderboard) -> int:
        if board.scope is not Scope.TOURNAMENT:
            return 0
        return self._store.tournaments.progress(board.subject).unsettled

    def _named(self, board: Leaderboard, wanted: Sequence[str]) -> list[Ranked]:
        """Each bot's best version, best first."""
        bots = {bot.bot_id: bot for bot in (the_bot(self._store, name) for name in wanted)}
        if len(bots) < len(wanted):
            raise BadRequest("bots: one is named twice")
        best: list[Standing] = []
        for bot in bots.values():
            keys = [Player(bot.bot_id, version).key for version in range(1, bot.version + 1)]
            standings = self._store.leaderboards.some(board.leaderboard_id, keys).values()
            if not standings:
                raise _not_rated(bot, board)
            best.append(max(standings, key=lambda standing: standing.score))
        return rank(best, {bot_id: bot.name for bot_id, bot in bots.items()})

    def _best(self, board: Leaderboard) -> list[Ranked]:
        found = self._store.leaderboards.page(board.leaderboard_id, 0, BEST)
        assert found is not None  # no digest was named
        return _ranked(found)[0][:BEST]


def _ranked(found: Page) -> tuple[list[Ranked], dict[str, Bot]]:
    """All rows of a page that was read, and their bots by id."""
    standings = [from_json(Standing, raw) for raw in found.rows[1::3] if raw is not None]
    bots = {bot.bot_id: bot for bot in (from_json(Bot, raw) for raw in found.rows[2::3] if raw is not None)}
    return rank(standings, {bot_id: bot.name for bot_id, bot in bots.items()}, found.before), bots


def _entries(board: Leaderboard, found: Page, start: int, size: int) -> list[leaderboard_pb2.LeaderboardEntry]:
    rows, bots = _ranked(found)
    shown = rows[start - found.before :][:size] if rows else []
    return [
        encode.entry(row, bot, _activity(board, row.standing, bot, found.idle))
        for row in shown
        for bot in (bots.get(row.standing.player.bot_id),)
    ]


def _activity(board: Leaderboard, standing: Standing, bot: Bot | None, idle: int) -> Activity:
    if board.scope is Scope.TOURNAMENT or bot is None:
        return Activity.ACTIVE
    if bot.retired:
        return Activity.RETIRED
    if bot.version > standing.player.version:
        return Activity.SUPERSEDED
    return Activity.IDLE if standing.last_entry <= idle else Activity.ACTIVE


def _turned(pair: Pair) -> Pair:
    """The same as the other of the two sees it."""
    return Pair(pair.matches, pair.behind, pair.ahead, pair.sums.negated)


def _no_board(leaderboard_id: str) -> NoSuchThing:
    return NoSuchThing(f"there is no leaderboard {leaderboard_id!r}: `thousand leaderboard list` shows all")


def _not_rated(bot: Bot, board: Leaderboard) -> NoSuchThing:
    return NoSuchThing(f"bot {bot.name!r} has no rated match on leaderboard {board.leaderboard_id!r}")

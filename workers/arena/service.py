"""ArenaService: the one door to the platform. Each call finds out who calls, and hands over to a module by noun."""

# ruff: noqa: N802 - the names are the protocol's

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, suppress
from typing import Any, Final, NoReturn, TypeVar

import grpc
from google.protobuf.message import Message

from thousand.v1 import arena_pb2 as api
from thousand.v1 import comparison_pb2, statistics_pb2, watch_pb2
from thousand.v1.arena_pb2_grpc import ArenaServiceServicer
from workers.arena import encode
from workers.arena.addresses import AddressCalls
from workers.arena.attend import Attendance
from workers.arena.calls import Caller, as_refusal, caller_of
from workers.arena.comparisons import ComparisonCalls
from workers.arena.errors import Refusal, Stopping, trailer
from workers.arena.gate import Gate
from workers.arena.leaderboards import LeaderboardCalls
from workers.arena.people import PeopleCalls
from workers.arena.planning import PlanCalls
from workers.arena.rounds import RoundCalls
from workers.arena.schedules import ScheduleCalls
from workers.arena.tournaments import TournamentCalls
from workers.arena.watching import Feeds
from workers.model import ENDS
from workers.quotas import Quotas
from workers.store import Store

log = logging.getLogger("arena")
WATCH_EVERY: Final = 0.25  # seconds
DETAILS_MAX: Final = 1000  # they may quote the request, and travel as metadata, which gRPC limits
A = TypeVar("A", bound=Message)
R = TypeVar("R", bound=Message)
Context = grpc.aio.ServicerContext[Any, Any]
_BROKEN: Final = "something in the arena broke, and it has been logged: do not retry at once"


class ArenaService(ArenaServiceServicer):
    """See the module and arena.proto. Store calls block, so they run in threads."""

    def __init__(
        self,
        store: Store,
        people: PeopleCalls,
        tournaments: TournamentCalls,
        addresses: AddressCalls,
        leaderboards: LeaderboardCalls,
        schedules: ScheduleCalls,
        plans: PlanCalls,
        rounds: RoundCalls,
        comparisons: ComparisonCalls,
        attendance: Attendance,
        feeds: Feeds,
        quotas: Quotas,
    ) -> None:
        self._store = store
        self._people, self._tournaments = people, tournaments
        self._addresses, self._leaderboards = addresses, leaderboards
        self._feeds = feeds
        self._schedules, self._attendance = schedules, attendance
        self._plans, self._rounds, self._comparisons = plans, rounds, comparisons
        self._stopping = asyncio.Event()
        self._calls, self._watches = Gate("calls", quotas.calls), Gate("watches", quotas.watches)

    def stop(self) -> None:
        """End all watches, and refuse what comes."""
        self._stopping.set()
        self._feeds.stop()

    async def _answer(self, call: Callable[[Caller, R], A], request: R, context: Context) -> A:
        """One call, if the client has not too many open."""
        try:
            with self._calls.passed(context.peer()):
                return await asyncio.to_thread(self._called, call, request, context)
        except Exception as error:
            await self._abort(context, error)

    def _called(self, call: Callable[[Caller, R], A], request: R, context: Context) -> A:
        return call(self._caller(context), request)

    def _caller(self, context: Context) -> Caller:
        if self._stopping.is_set():
            raise Stopping("the arena is stopping: retry in a moment")
        return caller_of(self._store, context.invocation_metadata())

    async def _abort(self, context: Context, error: Exception) -> NoReturn:
        refusal: Refusal | None = as_refusal(error)
        if refusal is None:
            log.error("a call failed", exc_info=error)
            refusal = Refusal(_BROKEN)
        message = str(refusal)[:DETAILS_MAX]
        await context.abort(refusal.status, message, trailer(refusal, message))

    async def ListReferees(self, request: api.ListRefereesRequest, context: Context) -> api.ListRefereesResponse:
        """Anyone, whatever the metadata holds: bots call this with their own token."""
        return await self._answer_anyone(self._addresses.list_referees, request, context)

    async def _answer_anyone(self, call: Callable[[R], A], request: R, context: Context) -> A:
        try:
            with self._calls.passed(context.peer()):
                return await asyncio.to_thread(call, request)
        except Exception as error:
            await self._abort(context, error)

    async def WhoAmI(self, request: api.WhoAmIRequest, context: Context) -> api.WhoAmIResponse:
        """See arena.proto, as for all that follow."""
        return await self._answer(self._people.who_am_i, request, context)

    async def CreateOwner(self, request: api.CreateOwnerRequest, context: Context) -> api.CreateOwnerResponse:
        return await self._answer(self._people.create_owner, request, context)

    async def ListOwners(self, request: api.ListOwnersRequest, context: Context) -> api.ListOwnersResponse:
        return await self._answer(self._people.list_owners, request, context)

    async def RotateOwnerKey(self, request: api.RotateOwnerKeyRequest, context: Context) -> api.RotateOwnerKeyResponse:
        return await self._answer(self._people.rotate_owner_key, request, context)

    async def CreateBot(self, request: api.CreateBotRequest, context: Context) -> api.CreateBotResponse:
        return await self._answer(self._people.create_bot, request, context)

    async def GetBot(self, request: api.GetBotRequest, context: Context) -> api.GetBotResponse:
        return await self._answer(self._people.get_bot, request, context)

    async def ListBots(self, request: api.ListBotsRequest, context: Context) -> api.ListBotsResponse:
        return await self._answer(self._people.list_bots, request, context)

    async def CreateBotVersion(
        self, request: api.CreateBotVersionRequest, context: Context
    ) -> api.CreateBotVersionResponse:
        return await self._answer(self._people.create_version, request, context)

    async def SetBotTags(self, request: api.SetBotTagsRequest, context: Context) -> api.SetBotTagsResponse:
        return await self._answer(self._people.set_tags, request, context)

    async def RetireBot(self, request: api.RetireBotRequest, context: Context) -> api.RetireBotResponse:
        return await self._answer(self._people.retire_bot, request, context)

    async def CreateBotToken(self, request: api.CreateBotTokenRequest, context: Context) -> api.CreateBotTokenResponse:
        return await self._answer(self._people.create_token, request, context)

    async def RotateBotToken(self, request: api.RotateBotTokenRequest, context: Context) -> api.RotateBotTokenResponse:
        answer = await self._answer(self._people.rotate_token, request, context)
        await self._attendance.generations_changed()
        return answer

    async def RevokeBotTokens(
        self, request: api.RevokeBotTokensRequest, context: Context
    ) -> api.RevokeBotTokensResponse:
        answer = await self._answer(self._people.revoke_tokens, request, context)
        await self._attendance.generations_changed()
        return answer

    async def CreateTournament(
        self, request: api.CreateTournamentRequest, context: Context
    ) -> api.CreateTournamentResponse:
        return await self._answer(self._tournaments.create, request, context)

    async def PlanTournament(self, request: api.PlanTournamentRequest, context: Context) -> api.PlanTournamentResponse:
        return await self._answer(self._plans.plan, request, context)

    async def ListRounds(self, request: api.ListRoundsRequest, context: Context) -> api.ListRoundsResponse:
        return await self._answer(self._rounds.list_rounds, request, context)

    async def ListTournamentScores(
        self, request: api.ListTournamentScoresRequest, context: Context
    ) -> api.ListTournamentScoresResponse:
        return await self._answer(self._rounds.list_scores, request, context)

    async def GetTournament(self, request: api.GetTournamentRequest, context: Context) -> api.GetTournamentResponse:
        return await self._answer(self._tournaments.get, request, context)

    async def ListTournaments(
        self, request: api.ListTournamentsRequest, context: Context
    ) -> api.ListTournamentsResponse:
        return await self._answer(self._tournaments.list_all, request, context)

    async def CancelTournament(
        self, request: api.CancelTournamentRequest, context: Context
    ) -> api.CancelTournamentResponse:
        return await self._answer(self._tournaments.cancel, request, context)

    async def WatchTournament(
        self, request: api.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[api.WatchTournamentResponse]:
        """The tournament whenever it has changed, until it has ended."""
        asked = api.GetTournamentRequest(tournament_id=request.tournament_id)
        ended = {encode.STATES[state] for state in ENDS}
        told: bytes | None = None
        try:
            self._let_watch(context)
            while True:
                answer = await asyncio.to_thread(self._called, self._tournaments.get, asked, context)
                news = answer.tournament.SerializeToString(deterministic=True)
                if news != told:
                    told = news
                    yield api.WatchTournamentResponse(tournament=answer.tournament)
                if answer.tournament.state in ended:
                    return
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), WATCH_EVERY)
        except Exception as error:
            await self._abort(context, error)

    async def WatchMatch(
        self, request: watch_pb2.WatchMatchRequest, context: Context
    ) -> AsyncIterator[watch_pb2.WatchMatchResponse]:
        """The match's public events as they happen, until it has ended."""
        try:
            held = self._let_watch(context)
            await asyncio.to_thread(self._caller, context)
            async for answer in self._feeds.follow(held, request.match_id, request.from_event):
                yield answer
        except Exception as error:
            await self._abort(context, error)

    def _let_watch(self, context: Context) -> ExitStack:
        """Room for a watch until its call is over, also if that is cut off while it writes. Raises TooBusy."""
        held, call = ExitStack(), asyncio.current_task()
        assert call is not None
        held.enter_context(self._watches.passed(context.peer()))
        call.add_done_callback(lambda _: held.close())
        return held

    async def CreateSchedule(self, request: api.CreateScheduleRequest, context: Context) -> api.CreateScheduleResponse:
        return await self._answer(self._schedules.create, request, context)

    async def GetSchedule(self, request: api.GetScheduleRequest, context: Context) -> api.GetScheduleResponse:
        return await self._answer(self._schedules.get, request, context)

    async def ListSchedules(self, request: api.ListSchedulesRequest, context: Context) -> api.ListSchedulesResponse:
        return await self._answer(self._schedules.list_all, request, context)

    async def ListScheduleRuns(
        self, request: api.ListScheduleRunsRequest, context: Context
    ) -> api.ListScheduleRunsResponse:
        return await self._answer(self._schedules.list_runs, request, context)

    async def PauseSchedule(self, request: api.PauseScheduleRequest, context: Context) -> api.PauseScheduleResponse:
        return await self._answer(self._schedules.pause, request, context)

    async def DeleteSchedule(self, request: api.DeleteScheduleRequest, context: Context) -> api.DeleteScheduleResponse:
        return await self._answer(self._schedules.delete, request, context)

    async def CreateMatch(self, request: api.CreateMatchRequest, context: Context) -> api.CreateMatchResponse:
        return await self._answer(self._tournaments.create_match, request, context)

    async def GetMatch(self, request: api.GetMatchRequest, context: Context) -> api.GetMatchResponse:
        return await self._answer(self._tournaments.get_match, request, context)

    async def ListMatches(self, request: api.ListMatchesRequest, context: Context) -> api.ListMatchesResponse:
        return await self._answer(self._tournaments.list_matches, request, context)

    async def GetMatchRecord(self, request: api.GetMatchRecordRequest, context: Context) -> api.GetMatchRecordResponse:
        return await self._answer(self._tournaments.get_record, request, context)

    async def CreateComparison(
        self, request: comparison_pb2.CreateComparisonRequest, context: Context
    ) -> comparison_pb2.CreateComparisonResponse:
        return await self._answer(self._comparisons.create, request, context)

    async def GetComparison(
        self, request: comparison_pb2.GetComparisonRequest, context: Context
    ) -> comparison_pb2.GetComparisonResponse:
        return await self._answer(self._comparisons.get, request, context)

    async def CancelComparison(
        self, request: comparison_pb2.CancelComparisonRequest, context: Context
    ) -> comparison_pb2.CancelComparisonResponse:
        return await self._answer(self._comparisons.cancel, request, context)

    async def ListLeaderboards(
        self, request: api.ListLeaderboardsRequest, context: Context
    ) -> api.ListLeaderboardsResponse:
        return await self._answer(self._leaderboards.list_boards, request, context)

    async def GetLeaderboard(self, request: api.GetLeaderboardRequest, context: Context) -> api.GetLeaderboardResponse:
        return await self._answer(self._leaderboards.get_board, request, context)

    async def GetRatingHistory(
        self, request: statistics_pb2.GetRatingHistoryRequest, context: Context
    ) -> statistics_pb2.GetRatingHistoryResponse:
        return await self._answer(self._leaderboards.history, request, context)

    async def GetHeadToHead(
        self, request: statistics_pb2.GetHeadToHeadRequest, context: Context
    ) -> statistics_pb2.GetHeadToHeadResponse:
        return await self._answer(self._leaderboards.head_to_head, request, context)

    async def GetSeatStatistics(
        self, request: statistics_pb2.GetSeatStatisticsRequest, context: Context
    ) -> statistics_pb2.GetSeatStatisticsResponse:
        return await self._answer(self._leaderboards.seats, request, context)

"""The calls about schedules."""

import re
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from thousand.v1 import arena_pb2 as api
from thousand.v1 import schedule_pb2 as pb
from workers.arena import encode
from workers.arena.calls import Caller, idempotency_key, page, stored_page
from workers.arena.entering import entering_later, rule_to, rules_from
from workers.arena.errors import BadRequest, NoSuchThing, TooMuch
from workers.arena.tournaments import TournamentCalls
from workers.create import plan_of
from workers.formats import prepared
from workers.model import Entrant, Player, Progress, TournamentState
from workers.names import InvalidName
from workers.scheduled import Missed, Overlap, ScheduledRun, ScheduledTournament, ScheduleState
from workers.schedules import InvalidSchedule, Schedule, due_times
from workers.store import Store
from workers.timetable import next_due_ms, run_name, time_of, timing_of

SCHEDULES_MAX: Final = 200
NEXT: Final = 5  # due times shown
SAMPLE_RUN: Final = (253_000_000_000_000, 99_999)  # a late due time and a high number: the longest a name may become
MISSED: Final = {
    pb.MISSED_RUNS_UNSPECIFIED: Missed.RUN_ONCE,
    pb.MISSED_RUNS_RUN_ONCE: Missed.RUN_ONCE,
    pb.MISSED_RUNS_SKIP: Missed.SKIP,
}
OVERLAP: Final = {
    pb.OVERLAPPING_RUNS_UNSPECIFIED: Overlap.SKIP,
    pb.OVERLAPPING_RUNS_SKIP: Overlap.SKIP,
    pb.OVERLAPPING_RUNS_QUEUE: Overlap.QUEUE,
    pb.OVERLAPPING_RUNS_OVERLAP: Overlap.OVERLAP,
}
MISSED_TO: Final = {word: number for number, word in MISSED.items() if number}
OVERLAP_TO: Final = {word: number for number, word in OVERLAP.items() if number}


class ScheduleCalls:
    """Schedules. Blocking: called in a thread."""

    def __init__(self, store: Store, tournaments: TournamentCalls) -> None:
        self._store, self._tournaments = store, tournaments

    def create(self, caller: Caller, request: api.CreateScheduleRequest) -> api.CreateScheduleResponse:
        """A tournament that opens when it is due."""
        caller.must_be_organiser()
        key = idempotency_key(request)
        name = f"schedule/{key}" if key else ""
        known = self._store.people.known(caller.id, name)
        if known and self._store.schedules.get(known) is not None:
            return api.CreateScheduleResponse(schedule=self._encoded(known))
        described = self._described(request)
        if len(self._store.schedules.all()) >= SCHEDULES_MAX:
            raise TooMuch(f"there are {SCHEDULES_MAX} schedules: `thousand tournament schedule remove` one first")

        def make(schedule_id: str) -> str:
            now = self._store.now_ms()
            scheduled = replace(described, schedule_id=schedule_id, created_ms=now)
            return self._store.schedules.create(scheduled, next_due_ms(scheduled, now)).schedule_id

        made = self._store.people.once(caller.id, name, make)
        return api.CreateScheduleResponse(schedule=self._encoded(made))

    def get(self, caller: Caller, request: api.GetScheduleRequest) -> api.GetScheduleResponse:
        """One schedule as it stands."""
        return api.GetScheduleResponse(schedule=self._encoded(request.schedule_id))

    def list_all(self, caller: Caller, request: api.ListSchedulesRequest) -> api.ListSchedulesResponse:
        """Oldest first."""
        found, following = page(self._store.schedules.all(), request.page_size, request.page_token)
        shown = [self._encoded(one.schedule_id) for one in found]
        return api.ListSchedulesResponse(schedules=shown, next_page_token=following)

    def list_runs(self, caller: Caller, request: api.ListScheduleRunsRequest) -> api.ListScheduleRunsResponse:
        """Latest first."""
        scheduled = self._schedule(request.schedule_id)
        read = partial(self._store.schedules.runs, scheduled.schedule_id)
        runs, following = stored_page(read, request.page_size, request.page_token)
        return api.ListScheduleRunsResponse(runs=map(_run, runs), next_page_token=following)

    def pause(self, caller: Caller, request: api.PauseScheduleRequest) -> api.PauseScheduleResponse:
        """Open nothing, or go on."""
        caller.must_be_organiser()
        scheduled = self._schedule(request.schedule_id)
        now = self._store.now_ms()
        look = next_due_ms(scheduled, now)
        self._store.schedules.pause(scheduled.schedule_id, request.paused, now, look)
        return api.PauseScheduleResponse(schedule=self._encoded(scheduled.schedule_id))

    def delete(self, caller: Caller, request: api.DeleteScheduleRequest) -> api.DeleteScheduleResponse:
        """Forget it; its tournaments go on."""
        caller.must_be_organiser()
        self._store.schedules.remove(self._schedule(request.schedule_id).schedule_id)
        return api.DeleteScheduleResponse()

    def _described(self, request: api.CreateScheduleRequest) -> ScheduledTournament:
        """What is asked for, checked as far as that can be done before a run is due."""
        if not request.HasField("tournament"):
            raise BadRequest("tournament: say what each run is")
        asked = request.tournament
        if asked.idempotency_key:
            raise BadRequest("tournament.idempotency_key: must be empty, the schedule has one")
        template = replace(self._tournaments.described(asked), name=asked.name)
        rules = entering_later(self._store, asked.bots, rules_from(asked.entrants), template.seats)
        for field, value, known in (("missed", request.missed, MISSED), ("overlap", request.overlap, OVERLAP)):
            if value not in known:
                raise BadRequest(f"{field}: {value} is unknown here")
        tz, missed, overlap = request.tz or "UTC", MISSED[request.missed], OVERLAP[request.overlap]
        scheduled = ScheduledTournament("", request.cron, tz, missed, overlap, template, tuple(rules))
        try:
            timing_of(scheduled, ScheduleState(paused=False, settled_ms=0))
        except InvalidSchedule as error:
            raise BadRequest(str(error)) from None
        _check_name(scheduled)
        sample = [Entrant(Player(f"sample-{number}")) for number in range(template.seats)]
        prepared(template.format, plan_of(template), sample)
        return scheduled

    def _schedule(self, schedule_id: str) -> ScheduledTournament:
        found = self._store.schedules.get(schedule_id)
        if found is None:
            raise NoSuchThing(f"there is no schedule {schedule_id!r}: `thousand tournament schedule list` shows all")
        return found

    def _encoded(self, schedule_id: str) -> pb.Schedule:
        scheduled = self._schedule(schedule_id)
        state = self._store.schedules.state(schedule_id)
        tournament = encode.tournament(scheduled.template, Progress(TournamentState.OPEN), b"", {}, "")
        for field in ("state", "progress", "created_at"):
            tournament.ClearField(field)
        waiting = ScheduledRun(schedule_id, state.waiting_ms, False, "opens when the last run ends", 0)
        return pb.Schedule(
            schedule_id=schedule_id,
            cron=scheduled.cron,
            tz=scheduled.tz,
            missed=MISSED_TO[scheduled.missed],
            overlap=OVERLAP_TO[scheduled.overlap],
            paused=state.paused,
            tournament=tournament,
            entrants=map(rule_to, scheduled.rules),
            created_at=encode.timestamp(scheduled.created_ms),
            next_due=[] if state.paused else self._next_due(scheduled),
            waiting=_run(waiting, pb.RUN_VERDICT_WAITING) if state.waiting_ms else None,
            last_tournament_id=state.last,
        )

    def _next_due(self, scheduled: ScheduledTournament) -> list[Timestamp]:
        now = time_of(self._store.now_ms())
        times = islice(due_times(Schedule(scheduled.cron, scheduled.tz), now), NEXT)
        return [Timestamp(seconds=int(at.timestamp())) for at in times]


def _run(run: ScheduledRun, verdict: "pb.RunVerdict.ValueType | None" = None) -> pb.ScheduleRun:
    settled = pb.RUN_VERDICT_OPENED if run.opened else pb.RUN_VERDICT_DROPPED
    return pb.ScheduleRun(
        due_at=encode.timestamp(run.due_ms),
        verdict=verdict or settled,
        reason=run.reason,
        tournament_id=run.tournament_id,
        decided_at=encode.timestamp(run.decided_ms) if run.decided_ms else None,
    )


def _check_name(scheduled: ScheduledTournament) -> None:
    try:
        name = run_name(scheduled, *SAMPLE_RUN)
    except InvalidName as error:
        raise BadRequest(f"tournament.name: {error}") from None
    if unknown := re.search(r"\{[^{}]*\}", name):
        raise BadRequest(f"tournament.name: {unknown[0]} is unknown: a name may hold {{date}}, {{time}} and {{number}}")

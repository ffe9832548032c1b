"""Opens scheduled tournaments when they are due, and records what became of each due time.

Law: the tick may run in several processes at once, and may die between any two steps: a due time is judged once, and
opens one tournament or none. The tournament's id is a function of schedule and due time.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from workers.create import create_tournament
from workers.entrants import InvalidEntrants, choose, entrants_of
from workers.formats import InvalidFormat, format_of
from workers.model import ENDS, Tournament
from workers.names import InvalidName, clean_name
from workers.scheduled import ScheduledRun, ScheduledTournament, ScheduleState
from workers.schedules import Schedule, Verdict, due_times, judge
from workers.store import Store, StoreError, StoreLost
from workers.store.schedules import run_field

log = logging.getLogger("workers.timetable")
GRACE: Final = timedelta(seconds=60)  # opened later than this, a run counts as missed
LOOK_MS: Final = 500  # how often it is looked whether the run before a queued one has ended
NEVER_MS: Final = 1 << 50  # the rule has no more due times


class Timetable:
    """Holds nothing but what it can read again, and what it has complained of."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._broken: set[str] = set()

    def tick(self, now_ms: int) -> None:
        """Judge what is due, and open what is to open."""
        for schedule_id in self._store.schedules.due(now_ms):
            with self._one(schedule_id):
                self._judge(schedule_id, now_ms)
        for run in self._store.schedules.opening():
            with self._one(run.schedule_id):
                self._open(run, now_ms)

    @contextmanager
    def _one(self, schedule_id: str) -> Iterator[None]:
        """Whatever is wrong with one schedule stops no other; it is said once, and tried again."""
        try:
            yield
        except StoreLost:
            raise
        except Exception:
            if schedule_id not in self._broken:
                log.exception("schedule %s cannot go on", schedule_id)
            self._broken.add(schedule_id)

    def _judge(self, schedule_id: str, now_ms: int) -> None:
        scheduled = self._store.schedules.get(schedule_id)
        if scheduled is None:
            return
        state = self._store.schedules.state(schedule_id)
        now = time_of(now_ms)
        dues = judge(
            timing_of(scheduled, state),
            time_of(state.settled_ms),
            now,
            grace=GRACE,
            running=self._is_running(state),
            waiting=time_of(state.waiting_ms) if state.waiting_ms else None,
        )
        look = next_due_ms(scheduled, now_ms)
        if not dues:
            self._store.schedules.look_again(schedule_id, look)
            return
        dropped = [
            ScheduledRun(schedule_id, ms_of(due.at), False, due.reason, now_ms)
            for due in dues
            if due.verdict is Verdict.DROP
        ]
        last = dues[-1]
        at = ms_of(last.at)
        opening = None
        if last.verdict is Verdict.OPEN:
            opening = ScheduledRun(schedule_id, at, True, last.reason, now_ms, tournament_id(last.at, schedule_id))
            opening = replace(opening, number=state.runs + 1)
        waits = last.verdict is Verdict.WAIT
        settled = (dropped[-1].due_ms if dropped else state.settled_ms) if waits else at
        if waits and not dropped and state.waiting_ms == at:
            self._store.schedules.look_again(schedule_id, now_ms + LOOK_MS)
            return
        self._store.schedules.judge(
            schedule_id,
            state.settled_ms,
            settled,
            now_ms + LOOK_MS if waits else look,
            waiting_ms=at if waits else 0,
            dropped=dropped,
            opening=opening,
        )

    def _is_running(self, state: ScheduleState) -> bool:
        if not state.last:
            return False
        if any(run.tournament_id == state.last for run in self._store.schedules.opening()):
            return True
        found = self._store.tournaments.state(state.last)
        return found is not None and found not in ENDS

    def _open(self, run: ScheduledRun, now_ms: int) -> None:
        """Whoever comes second, or after a crash, ends what the first began."""
        try:
            tournament = self._store.tournaments.get(run.tournament_id) or self._described(run, now_ms)
            create_tournament(self._store, tournament, run=run_field(run))
        except (InvalidFormat, InvalidEntrants, InvalidName) as error:
            if self._store.schedules.close_run(replace(run, opened=False, reason=str(error))):
                log.warning("schedule %s: no run of %s: %s", run.schedule_id, time_of(run.due_ms), error)
            return
        except StoreError as error:
            if error.code != "run_closed":
                raise
            return
        self._store.tournaments.start(run.tournament_id)
        if self._store.schedules.close_run(run):
            log.info("schedule %s opened %s (%s)", run.schedule_id, run.tournament_id, run.reason)

    def _described(self, run: ScheduledRun, now_ms: int) -> Tournament:
        """The tournament of a run, with its entrants of now."""
        scheduled = self._store.schedules.get(run.schedule_id)
        if scheduled is None:
            raise InvalidEntrants("the schedule was removed")
        return replace(
            scheduled.template,
            tournament_id=run.tournament_id,
            name=run_name(scheduled, run.due_ms, run.number),
            entrants=entrants_of(self._store, choose(self._store, scheduled.rules)),
            rules=scheduled.rules if format_of(scheduled.template.format).endless else (),
            created_ms=now_ms,
        )


def timing_of(scheduled: ScheduledTournament, state: ScheduleState) -> Schedule:
    """When it is due, and what then."""
    return Schedule(scheduled.cron, scheduled.tz, scheduled.missed, scheduled.overlap, state.paused)


def next_due_ms(scheduled: ScheduledTournament, now_ms: int) -> int:
    """The next due time."""
    at = next(due_times(Schedule(scheduled.cron, scheduled.tz), time_of(now_ms)), None)
    return NEVER_MS if at is None else ms_of(at)


def run_name(scheduled: ScheduledTournament, due_ms: int, number: int) -> str:
    """The name of a run. Raises InvalidName."""
    local = time_of(due_ms).astimezone(ZoneInfo(scheduled.tz))
    words = {"{date}": f"{local:%Y-%m-%d}", "{time}": f"{local:%H:%M}", "{number}": str(number)}
    name = scheduled.template.name
    for field, word in words.items():
        name = name.replace(field, word)
    return clean_name(name, "name")


def tournament_id(at: datetime, schedule_id: str) -> str:
    """The tournament of this due time."""
    return f"{schedule_id}-{at:%Y%m%dT%H%M}"


def time_of(ms: int) -> datetime:
    """Milliseconds since 1970 as a time in UTC."""
    return datetime.fromtimestamp(ms / 1000, UTC)


def ms_of(at: datetime) -> int:
    """The other way round."""
    return round(at.timestamp() * 1000)

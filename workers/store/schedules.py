"""Schedules: what is to open when, how far each has come, and what became of its due times.

Law: of all who judge a due time, one is heard; a run once decided on has one tournament or none, whoever opens it.
"""

from collections.abc import Sequence
from typing import Final

from workers.codec import from_json, to_json
from workers.scheduled import ScheduledRun, ScheduledTournament, ScheduleState
from workers.store import keys, scripts_schedules
from workers.store.connection import Connection, StoreError, text

RUNS_KEPT: Final = 500


class Schedules:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def create(self, schedule: ScheduledTournament, look_ms: int) -> ScheduledTournament:
        """Store it, to be looked at from `look_ms` on. The same id again is harmless."""
        names = [keys.SCHEDULES, keys.schedule(schedule.schedule_id), keys.SCHEDULES_DUE]
        arguments = (schedule.schedule_id, to_json(schedule), schedule.created_ms, look_ms)
        self._db.run(scripts_schedules.CREATE_SCHEDULE, names, *arguments)
        return self.get(schedule.schedule_id) or schedule

    def get(self, schedule_id: str) -> ScheduledTournament | None:
        """By id."""
        found = self._db.client.hget(keys.SCHEDULES, schedule_id)
        return None if found is None else from_json(ScheduledTournament, found)

    def all(self) -> list[ScheduledTournament]:
        """All of them, oldest first."""
        found = [from_json(ScheduledTournament, raw) for raw in self._db.client.hvals(keys.SCHEDULES)]
        return sorted(found, key=lambda s: (s.created_ms, s.schedule_id))

    def state(self, schedule_id: str) -> ScheduleState:
        """How far it has come. Raises StoreError("no_schedule")."""
        raw = {text(k): text(v) for k, v in self._db.client.hgetall(keys.schedule(schedule_id)).items()}
        if not raw:
            raise StoreError("no_schedule", f"there is no schedule {schedule_id!r}")
        return ScheduleState(
            paused=raw["paused"] == "1",
            settled_ms=int(raw["settled"]),
            waiting_ms=int(raw.get("waiting") or 0),
            last=raw.get("last", ""),
            runs=int(raw.get("runs", 0)),
        )

    def due(self, now_ms: int) -> list[str]:
        """Ids of those to look at now."""
        return [text(i) for i in self._db.client.zrangebyscore(keys.SCHEDULES_DUE, 0, now_ms)]

    def look_again(self, schedule_id: str, look_ms: int) -> None:
        """Nothing is due before `look_ms`."""
        self._db.client.zadd(keys.SCHEDULES_DUE, {schedule_id: look_ms}, xx=True)

    def pause(self, schedule_id: str, paused: bool, now_ms: int, look_ms: int) -> bool:
        """Open nothing, or go on: what came due meanwhile is passed over. False if it was so already."""
        names = [keys.SCHEDULES, keys.schedule(schedule_id), keys.SCHEDULES_DUE]
        return bool(self._db.run(scripts_schedules.PAUSE_SCHEDULE, names, schedule_id, int(paused), now_ms, look_ms))

    def remove(self, schedule_id: str) -> bool:
        """Forget it; its tournaments go on. False if there was none."""
        pipe = self._db.client.pipeline()
        pipe.hdel(keys.SCHEDULES, schedule_id).zrem(keys.SCHEDULES_DUE, schedule_id)
        pipe.delete(keys.schedule(schedule_id), keys.runs(schedule_id))
        return bool(pipe.execute()[0])

    def judge(
        self,
        schedule_id: str,
        expected_ms: int,
        settled_ms: int,
        look_ms: int,
        *,
        waiting_ms: int = 0,
        dropped: Sequence[ScheduledRun] = (),
        opening: ScheduledRun | None = None,
    ) -> bool:
        """Record what becomes of the due times up to `settled_ms`, if nobody did: those after `expected_ms`."""
        s = schedule_id
        names = [keys.schedule(s), keys.SCHEDULES_DUE, keys.runs(s), keys.OPENING]
        to_open = ("", "", "") if opening is None else (run_field(opening), to_json(opening), opening.tournament_id)
        head = (s, expected_ms, settled_ms, look_ms, waiting_ms, *to_open, RUNS_KEPT)
        return bool(self._db.run(scripts_schedules.JUDGE, names, *head, *map(to_json, dropped)))

    def opening(self) -> list[ScheduledRun]:
        """Runs decided on whose tournament may not run yet."""
        return [from_json(ScheduledRun, raw) for raw in self._db.client.hvals(keys.OPENING)]

    def close_run(self, run: ScheduledRun) -> bool:
        """Its tournament runs, or never will: False if that was recorded, or if the tournament to be dropped exists."""
        names = [keys.OPENING, keys.runs(run.schedule_id), keys.SCHEDULES, keys.tournament(run.tournament_id)]
        shown = run if run.opened else _without_tournament(run)
        arguments = (run_field(run), run.schedule_id, to_json(shown), int(run.opened), RUNS_KEPT)
        return bool(self._db.run(scripts_schedules.CLOSE_RUN, names, *arguments))

    def runs(self, schedule_id: str, start: int = 0, stop: int = -1) -> list[ScheduledRun]:
        """What became of its due times, latest first; `stop` inclusive as in Redis."""
        found = self._db.client.lrange(keys.runs(schedule_id), 0, -1)[::-1]
        return [from_json(ScheduledRun, raw) for raw in found[start : None if stop == -1 else stop + 1]]


def run_field(run: ScheduledRun) -> str:
    """Names a run among those that are opening."""
    return f"{run.schedule_id}/{run.due_ms}"


def _without_tournament(run: ScheduledRun) -> ScheduledRun:
    return ScheduledRun(run.schedule_id, run.due_ms, False, run.reason, run.decided_ms)

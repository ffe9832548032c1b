"""When a scheduled tournament is due: pure functions of the schedule and the time, with time zones and clock changes.

A fixed hour that the spring change skips runs at the first moment after the gap; one that the autumn change repeats
runs once. Rules for every hour run whenever the clock on the wall shows their minutes, through both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import takewhile
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from croniter import croniter

from workers.scheduled import Missed, Overlap

LOOK_BACK: Final = timedelta(days=400)  # a stop longer than this counts its missed runs from here
MOST: Final = 100  # missed runs told one by one: a rule for every minute has half a million a year
_DRAWN: Final = re.compile(r"(?<![A-Z])[RH](?![A-Z])", re.IGNORECASE)  # croniter draws these by lot, anew each time
_EVERY_HOUR: Final = ("*", "*/1", "0-23")
_CLOCKS_GO_BACK: Final = timedelta(hours=3)  # more than any change of clocks


class InvalidSchedule(ValueError):
    """A schedule that cannot be kept; the message names the field and what to write."""


class Verdict(StrEnum):
    """What to do with a due time."""

    OPEN = "open"
    WAIT = "wait"  # queued behind the run still going
    DROP = "drop"  # missed or skipped, as the schedule says


@dataclass(frozen=True, slots=True)
class Schedule:
    """A tournament to open again and again. `cron` has five fields; `tz` is an IANA name."""

    cron: str
    tz: str = "UTC"
    missed: Missed = Missed.RUN_ONCE
    overlap: Overlap = Overlap.SKIP
    paused: bool = False

    def __post_init__(self) -> None:
        if len(self.cron.split()) != 5 or _DRAWN.search(self.cron) or not croniter.is_valid(self.cron):
            raise InvalidSchedule(f"cron: {self.cron!r} is no five-field rule: write e.g. '0 20 * * FRI'")
        try:
            ZoneInfo(self.tz)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise InvalidSchedule(f"tz: {self.tz!r} is no IANA time zone: write e.g. Europe/Warsaw") from None
        if next(due_times(self, datetime(2026, 1, 1, tzinfo=UTC)), None) is None:
            raise InvalidSchedule(f"cron: {self.cron!r} never comes due: check its day and month")


@dataclass(frozen=True, slots=True)
class Due:
    """One due time (UTC) and what to do with it."""

    at: datetime
    verdict: Verdict
    reason: str


def due_times(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    """Every due time later than `after`, in UTC, without end (or until the rule has no more, within 50 years)."""
    zone = ZoneInfo(schedule.tz)
    rule = croniter(schedule.cron, after.astimezone(zone))
    every_hour = schedule.cron.split()[1] in _EVERY_HOUR
    while True:
        try:
            local = rule.get_next(datetime)
        except ValueError:  # croniter gives up on e.g. 30 February
            return
        if local.fold and not every_hour:
            continue  # the hour the autumn change repeats: it ran the first time
        yield local.astimezone(UTC)


def judge(
    schedule: Schedule,
    last: datetime,
    now: datetime,
    *,
    grace: timedelta,
    running: bool,
    waiting: datetime | None = None,
) -> list[Due]:
    """What to do at `now` with each due time after `last` (the latest one settled before), at most the latest MOST.

    A time older than `grace` was missed: no arena was there to open it. `running`: the last run is still going.
    `waiting`: the due time that was queued behind it. At most one of the result is not DROP, the latest; a WAIT is to
    be asked again later.
    """
    if schedule.paused:
        return []
    begin = _begin(schedule, max(last, now - LOOK_BACK), now)
    times = list(takewhile(lambda at: at <= now, due_times(schedule, begin)))[-MOST:]
    dues = [Due(at, Verdict.DROP, "a later run is due already") for at in times[:-1]]
    if dues and begin > last:
        dues[0] = replace(dues[0], reason=f"{dues[0].reason}, as for all since {last:%Y-%m-%d %H:%M} UTC")
    return dues + [_verdict(schedule, at, now - at > grace, running, at == waiting) for at in times[-1:]]


def _begin(schedule: Schedule, last: datetime, now: datetime) -> datetime:
    """A time from which on not many more than MOST runs are due until `now`; `last` if there are not that many."""
    rule = croniter(schedule.cron, now.astimezone(ZoneInfo(schedule.tz)))
    for _ in range(MOST):
        try:
            at = rule.get_prev(datetime).astimezone(UTC)
        except ValueError:  # croniter gives up on rules that were never due
            return last
        if at <= last:
            return last
    return max(last, at - _CLOCKS_GO_BACK)


def _verdict(schedule: Schedule, at: datetime, missed: bool, running: bool, waited: bool) -> Due:
    if missed and not waited and schedule.missed is Missed.SKIP:
        return Due(at, Verdict.DROP, "missed while no arena was running")
    if running and schedule.overlap is Overlap.SKIP:
        return Due(at, Verdict.DROP, "the last run is still going")
    if running and schedule.overlap is Overlap.QUEUE:
        return Due(at, Verdict.WAIT, "opens when the last run ends")
    if waited:
        return Due(at, Verdict.OPEN, "the last run has ended")
    return Due(at, Verdict.OPEN, "missed while no arena was running, run once" if missed else "on time")

"""Due times across clock changes, and what becomes of missed and overlapping runs."""

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from workers.model import Missed, Overlap
from workers.schedules import Due, InvalidSchedule, Schedule, Verdict, due_times, judge

GRACE = timedelta(minutes=2)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def first(schedule: Schedule, after: str, count: int) -> list[str]:
    return [at.strftime("%m-%d %H:%M") for at in islice(due_times(schedule, utc(after)), count)]


def test_a_weekly_hour_keeps_its_place_on_the_wall_clock_across_the_autumn_change() -> None:
    friday = Schedule("0 20 * * FRI", "Europe/Warsaw")
    assert first(friday, "2026-10-20 00:00", 3) == ["10-23 18:00", "10-30 19:00", "11-06 19:00"]


def test_an_hour_that_the_spring_change_skips_runs_after_the_gap() -> None:
    nightly = Schedule("30 2 * * *", "Europe/Warsaw")
    assert first(nightly, "2026-03-27 12:00", 3) == ["03-28 01:30", "03-29 01:00", "03-30 00:30"]


def test_an_hour_that_the_autumn_change_repeats_runs_once() -> None:
    nightly = Schedule("30 2 * * *", "Europe/Warsaw")
    assert first(nightly, "2026-10-24 12:00", 2) == ["10-25 00:30", "10-26 01:30"]


def test_every_hour_means_every_hour_through_the_change() -> None:
    hourly = Schedule("0 * * * *", "Europe/Warsaw")
    assert first(hourly, "2026-10-24 23:30", 4) == ["10-25 00:00", "10-25 01:00", "10-25 02:00", "10-25 03:00"]


@pytest.mark.parametrize(
    ("cron", "tz", "words"),
    [
        ("0 20 * *", "UTC", "five-field"),
        ("0 25 * * *", "UTC", "five-field"),
        ("* * * * * *", "UTC", "five-field"),
        ("0 20 * * FRI", "Europe/Warszawa", "IANA"),
        ("0 20 * * FRI", "../etc/passwd", "IANA"),
        ("0 0 30 2 *", "UTC", "never"),
    ],
)
def test_a_schedule_that_cannot_be_kept_is_refused_by_field(cron: str, tz: str, words: str) -> None:
    with pytest.raises(InvalidSchedule, match=words):
        Schedule(cron, tz)


def verdicts(dues: list[Due]) -> list[Verdict]:
    return [due.verdict for due in dues]


def test_on_time_opens_and_nothing_is_due_before() -> None:
    hourly = Schedule("0 * * * *")
    assert judge(hourly, utc("2026-11-30 10:00"), utc("2026-11-30 10:59"), grace=GRACE, running=False) == []
    dues = judge(hourly, utc("2026-11-30 10:00"), utc("2026-11-30 11:00:01"), grace=GRACE, running=False)
    assert dues == [Due(utc("2026-11-30 11:00"), Verdict.OPEN, "on time")]


def test_runs_missed_in_a_stop_are_run_once_or_skipped() -> None:
    last, now = utc("2026-11-30 10:00"), utc("2026-11-30 13:30")
    once = judge(Schedule("0 * * * *"), last, now, grace=GRACE, running=False)
    assert verdicts(once) == [Verdict.DROP, Verdict.DROP, Verdict.OPEN]
    skip = judge(Schedule("0 * * * *", missed=Missed.SKIP), last, now, grace=GRACE, running=False)
    assert verdicts(skip) == [Verdict.DROP] * 3


@pytest.mark.parametrize(
    ("overlap", "verdict"),
    [(Overlap.SKIP, Verdict.DROP), (Overlap.QUEUE, Verdict.WAIT), (Overlap.OVERLAP, Verdict.OPEN)],
)
def test_a_run_due_while_the_last_is_going(overlap: Overlap, verdict: Verdict) -> None:
    schedule = Schedule("0 * * * *", overlap=overlap)
    dues = judge(schedule, utc("2026-11-30 10:00"), utc("2026-11-30 11:00:30"), grace=GRACE, running=True)
    assert verdicts(dues) == [verdict]


def test_a_paused_schedule_is_never_due_and_a_long_stop_ends() -> None:
    minutely = Schedule("* * * * *", paused=True)
    assert judge(minutely, utc("2020-01-01"), utc("2026-11-30"), grace=GRACE, running=False) == []
    daily = Schedule("0 0 * * *")
    assert len(judge(daily, utc("2020-01-01"), utc("2026-11-30"), grace=GRACE, running=False)) <= 400

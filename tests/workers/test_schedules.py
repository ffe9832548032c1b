"""Due times across clock changes, and what becomes of missed and overlapping runs."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import pytest

from workers.scheduled import Missed, Overlap
from workers.schedules import Due, InvalidSchedule, Schedule, Verdict, due_times, judge

GRACE = timedelta(minutes=2)
MINUTE = timedelta(minutes=1)


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


def test_names_of_days_and_months_may_hold_the_letters_of_rules_drawn_by_lot() -> None:
    assert first(Schedule("0 12 * MAR,APR THU,FRI"), "2026-03-01", 2) == ["03-05 12:00", "03-06 12:00"]


def naive(cron: str, tz: str, begin: datetime, end: datetime) -> Iterator[datetime]:
    """The same, minute by minute; for rules of plain numbers and stars, days aside."""
    minutes, hours = (set(range(60)) if f == "*" else {int(n) for n in f.split(",")} for f in cron.split()[:2])
    every_hour = cron.split()[1] == "*"
    before = begin.astimezone(ZoneInfo(tz)).replace(tzinfo=None)
    for number in range(1, int((end - begin) / MINUTE) + 1):
        at = (begin + number * MINUTE).astimezone(ZoneInfo(tz))
        shown = at.replace(tzinfo=None, fold=0)
        skipped = [before + n * MINUTE for n in range(1, max(1, int((shown - before) / MINUTE)))]
        due = shown.minute in minutes and shown.hour in hours and (every_hour or not at.fold)
        late = not every_hour and any(wall.minute in minutes and wall.hour in hours for wall in skipped)
        if due or late:
            yield at.astimezone(UTC)
        before = shown


CHANGES = [
    ("Europe/Warsaw", "2026-03-29 01:00"),
    ("Europe/Warsaw", "2026-10-25 01:00"),
    ("America/Santiago", "2026-09-06 04:00"),  # at midnight
    ("America/Santiago", "2026-04-05 03:00"),
    ("Australia/Lord_Howe", "2026-10-03 15:30"),  # by half an hour
    ("Australia/Lord_Howe", "2026-04-04 15:00"),
    ("America/St_Johns", "2026-03-08 05:30"),
    ("Africa/Casablanca", "2026-02-15 02:00"),  # back for Ramadan
]


@pytest.mark.parametrize("cron", ["0 0 * * *", "30 0 * * *", "30 1 * * *", "15 2 * * *", "0 2,3 * * *", "0,45 * * * *"])
@pytest.mark.parametrize(("tz", "change"), CHANGES)
def test_every_change_of_clocks_is_read_as_the_naive_reading_does(tz: str, change: str, cron: str) -> None:
    begin, end = utc(change) - timedelta(hours=26, minutes=7), utc(change) + timedelta(hours=26)
    found = takewhile(lambda at: at <= end, due_times(Schedule(cron, tz), begin))
    assert list(found) == list(naive(cron, tz, begin, end))


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
        ("R 20 * * FRI", "UTC", "five-field"),  # croniter would draw the minute anew at every look
        ("R(0-9) 20 * * *", "UTC", "five-field"),
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

"""Scheduled tournaments: opened once whoever ticks, missed, overlapping, dropped with the reason; on a real Redis."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.redis_server import RedisServer
from tests.workers import arena
from tests.workers.test_store import at_once
from thousand.rules import preset
from workers.codec import to_json
from workers.create import create_tournament
from workers.model import EntrantRule, Owner, RuleKind, Tournament, TournamentState
from workers.scheduled import Missed, Overlap, ScheduledRun, ScheduledTournament
from workers.scheduler import Scheduler
from workers.store import Store, keys
from workers.timetable import Timetable, next_due_ms

ALL = EntrantRule(RuleKind.ALL)


def ms(text: str) -> int:
    """A time in UTC as milliseconds."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def bots(store: Store, count: int = 3) -> None:
    """b0 …, each of an owner of its own."""
    for number in range(count):
        store.people.create_owner(Owner(f"o{number}", f"owner {number}"))
        store.people.create_bot(f"o{number}", f"b{number}", bot_id=f"b{number}")


def schedule(store: Store, created: str = "2026-11-30 10:30", **changes: Any) -> ScheduledTournament:
    """Hourly, all bots."""
    template = Tournament(
        "", "cup {date} {time} #{number}", "round_robin", 3, "tournament", dict(preset("tournament").to_dict()), (), ""
    )
    values: dict[str, Any] = {
        "schedule_id": "s1", "cron": "0 * * * *", "tz": "Europe/Warsaw", "missed": Missed.RUN_ONCE,
        "overlap": Overlap.SKIP, "template": template, "rules": (ALL,), "created_ms": ms(created),
    }  # fmt: skip
    made = ScheduledTournament(**{**values, **changes})
    return store.schedules.create(made, next_due_ms(made, made.created_ms))


def verdicts(store: Store) -> list[tuple[str, bool, str]]:
    """Every run, oldest first: when it was due in UTC, whether it opened, why."""
    found = store.schedules.runs("s1")[::-1]
    return [(f"{datetime.fromtimestamp(r.due_ms / 1000, UTC):%H:%M}", r.opened, r.reason) for r in found]


def end(store: Store, tournament_id: str) -> None:
    """The tournament is over."""
    assert store.tournaments.cancel(tournament_id)


def test_nothing_opens_before_it_is_due_and_then_one_does_with_its_entrants_frozen(store: Store) -> None:
    bots(store)
    schedule(store)
    table = Timetable(store)
    table.tick(ms("2026-11-30 10:59:59"))
    assert (store.tournaments.ids(), store.schedules.runs("s1")) == ([], [])
    table.tick(ms("2026-11-30 11:00:00"))
    table.tick(ms("2026-11-30 11:00:00"))
    (made,) = store.tournaments.ids()
    tournament = store.tournaments.get(made)
    assert tournament is not None
    assert (made, tournament.name) == ("s1-20261130T1100", "cup 2026-11-30 12:00 #1")  # Warsaw's wall clock
    assert store.tournaments.state(made) is TournamentState.RUNNING
    store.people.add_version("b0")
    assert [e.player.key for e in tournament.entrants] == ["b0.1", "b1.1", "b2.1"]
    assert verdicts(store) == [("11:00", True, "on time")]
    assert store.schedules.opening() == []


def test_two_ticks_at_once_open_one(server: RedisServer, store: Store) -> None:
    bots(store)
    schedule(store, overlap=Overlap.OVERLAP)
    for hour in range(11, 15):
        at = ms(f"2026-11-30 {hour}:00:01")
        at_once(6, lambda now=at: Timetable(Store(server.url)).tick(now))  # type: ignore[misc]
    assert len(store.tournaments.ids()) == 4
    assert verdicts(store) == [(f"{hour}:00", True, "on time") for hour in range(11, 15)]
    assert store.schedules.state("s1").runs == 4


def test_ticks_that_disagree_are_heard_once(server: RedisServer, store: Store) -> None:
    """One still sees the last run going and would skip; the other sees it ended and would open."""
    bots(store)
    schedule(store)
    Timetable(store).tick(ms("2026-11-30 11:00:01"))
    state = store.schedules.state("s1")
    first = ScheduledRun("s1", ms("2026-11-30 12:00"), False, "the last run is still going", 0)
    assert store.schedules.judge("s1", state.settled_ms, first.due_ms, 0, dropped=[first])
    end(store, "s1-20261130T1100")
    opening = ScheduledRun("s1", first.due_ms, True, "on time", 0, "s1-20261130T1200", 2)
    assert not store.schedules.judge("s1", state.settled_ms, first.due_ms, 0, opening=opening)
    Timetable(store).tick(ms("2026-11-30 12:00:02"))
    assert store.tournaments.ids() == ["s1-20261130T1100"]


def test_a_run_dropped_by_one_is_not_opened_by_another_who_saw_more_bots(store: Store) -> None:
    bots(store)
    made = schedule(store)
    run = ScheduledRun("s1", ms("2026-11-30 11:00"), True, "on time", 0, "s1-20261130T1100", 1)
    assert store.schedules.judge("s1", made.created_ms, run.due_ms, 0, opening=run)
    late = Timetable(store)
    dropped = ScheduledRun("s1", run.due_ms, False, "too few", 0, run.tournament_id)
    assert store.schedules.close_run(dropped)
    late._open(run, run.due_ms)
    assert store.tournaments.ids() == []
    assert verdicts(store) == [("11:00", False, "too few")]


def test_a_run_opened_by_one_cannot_be_dropped_by_another(store: Store) -> None:
    bots(store)
    made = schedule(store)
    run = ScheduledRun("s1", ms("2026-11-30 11:00"), True, "on time", 0, "s1-20261130T1100", 1)
    assert store.schedules.judge("s1", made.created_ms, run.due_ms, 0, opening=run)
    create_tournament(store, arena_tournament(store, run.tournament_id), run=f"s1/{run.due_ms}")
    assert not store.schedules.close_run(ScheduledRun("s1", run.due_ms, False, "too few", 0, run.tournament_id))
    store.people.retire("b0")  # now there are too few: what was begun is ended all the same
    Timetable(store).tick(run.due_ms + 1)
    assert store.tournaments.state(run.tournament_id) is TournamentState.RUNNING
    assert verdicts(store) == [("11:00", True, "on time")]


def arena_tournament(store: Store, tournament_id: str) -> Tournament:
    """A round robin of b0, b1, b2."""
    return Tournament(
        tournament_id, "cup", "round_robin", 3, "tournament", dict(preset("tournament").to_dict()),
        arena.entrants(3), "",
    )  # fmt: skip


@pytest.mark.parametrize("step", ["claimed", "made", "started"])
def test_a_tick_that_died_half_way_is_ended_by_the_next(store: Store, step: str) -> None:
    bots(store)
    made = schedule(store)
    run = ScheduledRun("s1", ms("2026-11-30 11:00"), True, "on time", 0, "s1-20261130T1100", 1)
    assert store.schedules.judge("s1", made.created_ms, run.due_ms, 0, opening=run)
    if step != "claimed":
        store.tournaments.create(arena_tournament(store, run.tournament_id), b"s" * 32, f"s1/{run.due_ms}")
    if step == "started":
        store.tournaments.start(run.tournament_id)
    Timetable(store).tick(run.due_ms + 1)
    assert store.tournaments.state(run.tournament_id) is TournamentState.RUNNING
    assert store.leaderboards.get(f"tournament-{run.tournament_id}") is not None
    assert verdicts(store) == [("11:00", True, "on time")]


@pytest.mark.parametrize(
    ("missed", "last"),
    [
        (Missed.RUN_ONCE, (True, "missed while no arena was running, run once")),
        (Missed.SKIP, (False, "missed while no arena was running")),
    ],
)
def test_an_arena_stopped_over_due_times_runs_once_or_skips(
    store: Store, missed: Missed, last: tuple[bool, str]
) -> None:
    bots(store)
    schedule(store, missed=missed)
    Timetable(store).tick(ms("2026-11-30 13:30"))
    early = [(at, False, "a later run is due already") for at in ("11:00", "12:00")]
    assert verdicts(store) == [*early, ("13:00", *last)]
    assert len(store.tournaments.ids()) == int(missed is Missed.RUN_ONCE)
    Timetable(store).tick(ms("2026-11-30 13:59"))
    assert len(verdicts(store)) == 3


def test_a_run_that_is_due_while_the_last_is_going_is_skipped(store: Store) -> None:
    bots(store)
    schedule(store, overlap=Overlap.SKIP)
    for hour in (11, 12):
        Timetable(store).tick(ms(f"2026-11-30 {hour}:00:01"))
    assert verdicts(store)[1] == ("12:00", False, "the last run is still going")
    end(store, "s1-20261130T1100")
    Timetable(store).tick(ms("2026-11-30 13:00:01"))
    assert store.tournaments.ids() == ["s1-20261130T1300", "s1-20261130T1100"]


def test_a_queued_run_opens_when_the_last_one_ends_and_is_not_missed_by_then(store: Store) -> None:
    bots(store)
    schedule(store, overlap=Overlap.QUEUE, missed=Missed.SKIP)
    for hour in (11, 12, 13):
        Timetable(store).tick(ms(f"2026-11-30 {hour}:00:01"))
        Timetable(store).tick(ms(f"2026-11-30 {hour}:20:00"))
    assert store.schedules.state("s1").waiting_ms == ms("2026-11-30 13:00")
    end(store, "s1-20261130T1100")
    Timetable(store).tick(ms("2026-11-30 13:40:00"))
    assert verdicts(store) == [
        ("11:00", True, "on time"),
        ("12:00", False, "a later run is due already"),
        ("13:00", True, "the last run has ended"),
    ]
    assert store.schedules.state("s1").waiting_ms == 0


def test_runs_may_overlap(store: Store) -> None:
    bots(store)
    schedule(store, overlap=Overlap.OVERLAP)
    for hour in (11, 12):
        Timetable(store).tick(ms(f"2026-11-30 {hour}:00:01"))
    assert len(store.tournaments.active()) == 2


def test_too_few_bots_drop_a_run_with_the_reason_and_the_next_goes_on(store: Store) -> None:
    bots(store, 2)
    schedule(store)
    Timetable(store).tick(ms("2026-11-30 11:00:01"))
    assert verdicts(store) == [("11:00", False, "2 entrants cannot fill a table of 3")]
    assert store.schedules.runs("s1")[0].tournament_id == ""
    bots(store, 3)
    Timetable(store).tick(ms("2026-11-30 12:00:01"))
    assert store.tournaments.ids() == ["s1-20261130T1200"]


def test_an_unknown_leaderboard_drops_a_run_with_the_reason(store: Store) -> None:
    bots(store)
    schedule(store, rules=(EntrantRule(RuleKind.TOP, "ruleset-none", 3),))
    Timetable(store).tick(ms("2026-11-30 11:00:01"))
    assert verdicts(store) == [("11:00", False, "there is no leaderboard 'ruleset-none': there are none yet")]


def test_a_paused_schedule_opens_nothing_and_what_came_due_meanwhile_is_passed_over(store: Store) -> None:
    bots(store)
    made = schedule(store)
    assert store.schedules.pause("s1", True, 0, 0)
    assert not store.schedules.pause("s1", True, 0, 0)
    Timetable(store).tick(ms("2026-11-30 13:00:01"))
    now = ms("2026-11-30 13:30")
    assert store.schedules.pause("s1", False, now, next_due_ms(made, now))
    Timetable(store).tick(now)
    assert store.schedules.runs("s1") == []
    Timetable(store).tick(ms("2026-11-30 14:00:01"))
    assert verdicts(store) == [("14:00", True, "on time")]


def test_a_removed_schedule_opens_nothing_even_what_was_decided(store: Store) -> None:
    bots(store)
    made = schedule(store)
    run = ScheduledRun("s1", ms("2026-11-30 11:00"), True, "on time", 0, "s1-20261130T1100", 1)
    assert store.schedules.judge("s1", made.created_ms, run.due_ms, 0, opening=run)
    assert store.schedules.remove("s1")
    assert not store.schedules.remove("s1")
    Timetable(store).tick(ms("2026-11-30 12:00:01"))
    assert (store.tournaments.ids(), store.schedules.opening(), store.schedules.runs("s1")) == ([], [], [])


def test_one_schedule_that_cannot_go_on_stops_no_other(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    bots(store)
    schedule(store, schedule_id="a-broken")
    raw = store.connection.client.hget(keys.SCHEDULES, "a-broken")
    store.connection.client.hset(keys.SCHEDULES, "a-broken", raw.replace(b"0 * * * *", b"nonsense!"))
    schedule(store)
    table = Timetable(store)
    for second in (1, 2):
        table.tick(ms(f"2026-11-30 11:00:0{second}"))
    assert caplog.text.count("a-broken cannot go on") == 1
    assert store.tournaments.ids() == ["s1-20261130T1100"]


def test_a_run_that_cannot_be_opened_stops_nothing_else(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    bots(store)
    schedule(store, schedule_id="a-broken")
    raw = store.connection.client.hget(keys.SCHEDULES, "a-broken")
    at = ms("2026-11-30 11:00:01")
    run = ScheduledRun("a-broken", ms("2026-11-30 11:00"), True, "on time", 0, "a-broken-1", 1)
    assert store.schedules.judge("a-broken", ms("2026-11-30 10:30"), run.due_ms, at, opening=run)
    store.connection.client.hset(keys.SCHEDULES, "a-broken", raw.replace(b'"tz"', b'"unheard_of"'))
    schedule(store)
    table = Timetable(store)
    for _ in range(2):
        table.tick(at)
    assert caplog.text.count("a-broken cannot go on") == 1
    assert store.tournaments.ids() == ["s1-20261130T1100"]


def test_a_rule_for_every_minute_missed_for_a_year_is_settled_quickly_and_told_in_part(store: Store) -> None:
    bots(store)
    schedule(store, "2025-11-30 10:30", cron="* * * * *")
    Timetable(store).tick(ms("2026-11-30 10:30:30"))
    told = verdicts(store)
    assert len(told) == 100
    assert told[0][2] == "a later run is due already, as for all since 2025-11-30 10:30 UTC"
    assert told[-1] == ("10:30", True, "on time")


def test_runs_at_the_change_of_clocks(store: Store) -> None:
    bots(store)
    schedule(store, "2026-10-24 12:00", cron="30 2 * * *", overlap=Overlap.OVERLAP)
    for at in ("10-25 00:30", "10-25 01:30", "10-26 01:30"):
        Timetable(store).tick(ms(f"2026-{at}:01"))
    names = [t.name for i in store.tournaments.ids()[::-1] if (t := store.tournaments.get(i))]
    assert names == ["cup 2026-10-25 02:30 #1", "cup 2026-10-26 02:30 #2"]


def test_the_scheduler_ticks_the_timetable(store: Store) -> None:
    bots(store)
    schedule(store, cron="* * * * *", created_ms=store.now_ms() - 60_000)
    Scheduler(store, arena.ListQueue()).tick()
    (run,) = store.schedules.runs("s1")
    assert store.tournaments.progress(run.tournament_id).matches == 6


def test_only_so_many_runs_are_kept_latest_first(store: Store) -> None:
    client = store.connection.client
    for number in range(600):
        client.rpush(keys.runs("s1"), to_json(ScheduledRun("s1", number, False, "", 0)))
    made = schedule(store)
    dropped = ScheduledRun("s1", 600, False, "", 0)
    assert store.schedules.judge("s1", made.created_ms, 600, 0, dropped=[dropped])
    runs = store.schedules.runs("s1", 0, 9)
    assert [run.due_ms for run in runs] == list(range(600, 590, -1))
    assert len(store.schedules.runs("s1")) == 500

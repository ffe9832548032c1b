"""The tick: what it costs, and what it remembers."""

import pytest

from tests.workers import arena
from workers.scheduler import Scheduler
from workers.store import Store


def commands(store: Store, scheduler: Scheduler) -> int:
    """How many commands Redis gets in one tick."""
    scheduler.tick()  # what is remembered is remembered now
    client = store.connection.client
    before = client.info("stats")["total_commands_processed"]
    scheduler.tick()
    return int(client.info("stats")["total_commands_processed"]) - int(before)


def test_ended_tournaments_cost_a_tick_nothing(store: Store) -> None:
    scheduler = Scheduler(store, arena.ListQueue())
    arena.tournament(store, tournament_id="still-running")
    alone = commands(store, scheduler)
    for number in range(10):
        arena.tournament(store, 5, tournament_id=f"t{number}")
        scheduler.tick()
        assert store.tournaments.cancel(f"t{number}")
    assert commands(store, scheduler) == alone


def test_one_tournament_that_cannot_go_on_stops_no_other(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    scheduler = Scheduler(store, arena.ListQueue())
    arena.tournament(store, tournament_id="a-broken")
    spec = store.connection.client.hget("thousand:tournament:a-broken", "spec")
    store.connection.client.hset("thousand:tournament:a-broken", "spec", spec.replace(b"round_robin", b"unheard_of"))
    arena.tournament(store, tournament_id="b-sound")
    for _ in range(3):
        scheduler.tick()
    assert caplog.text.count("a-broken cannot go on") == 1
    assert store.tournaments.progress("a-broken").matches == 0
    assert store.tournaments.progress("b-sound").matches == 6

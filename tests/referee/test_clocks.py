"""Clocks: what a decision costs, and that the referee's own delays cost nothing."""

from itertools import pairwise

import pytest

from referee.clocks import UNLIMITED, SeatClock
from referee.gameclock import BEAT_MS, SLACK_MS, GameClock
from referee.limits import Bucket
from thousand.bot import Clocks


def think(clock: SeatClock, ms: int) -> int:
    clock.start(1000)
    return clock.stop(1000 + ms, answered=True)


def test_b16_a_bank_is_never_negative() -> None:
    clock = SeatClock(Clocks(decision_ms=0, free_ms=0, bank_ms=1000, increment_ms=200))
    think(clock, 1050)
    assert clock.bank_ms == 200


def test_only_time_beyond_the_free_time_is_charged() -> None:
    clock = SeatClock(Clocks(decision_ms=5000, free_ms=1000, bank_ms=3000))
    assert clock.limit_ms == 4000
    think(clock, 900)
    assert clock.bank_ms == 3000
    think(clock, 3500)
    assert (clock.bank_ms, clock.limit_ms) == (500, 1500)
    think(clock, 1500)
    assert (clock.bank_ms, clock.limit_ms) == (0, 1000)


def test_a_lost_decision_earns_no_increment() -> None:
    clock = SeatClock(Clocks(decision_ms=100, free_ms=100, bank_ms=50, increment_ms=10))
    clock.start(0)
    clock.stop(120, answered=False)
    assert clock.bank_ms == 30


@pytest.mark.parametrize(
    ("clocks", "limit"),
    [
        (UNLIMITED, None),
        (Clocks(decision_ms=700, free_ms=0, bank_ms=0), 700),
        (Clocks(decision_ms=0, free_ms=0, bank_ms=400), 400),
        (Clocks(decision_ms=700, free_ms=100, bank_ms=200), 300),
        (Clocks(decision_ms=250, free_ms=100, bank_ms=200), 250),
    ],
)
def test_b15_each_limit_binds(clocks: Clocks, limit: int | None) -> None:
    assert SeatClock(clocks).limit_ms == limit


def test_sent_again_gives_no_new_time() -> None:
    clock = SeatClock(Clocks(decision_ms=1000, free_ms=0, bank_ms=0))
    clock.start(0)
    clock.start(600)
    assert clock.left(900) == 100
    assert clock.left(5000) == 0


def test_b13_the_clock_stands_still_while_the_referee_does() -> None:
    at = [0]
    clock = GameClock(lambda: at[0] * 1_000_000)
    times = []
    for step in (BEAT_MS, BEAT_MS, 400, BEAT_MS):
        at[0] += step
        times.append(clock.now())
        clock.beat()
    assert times == [BEAT_MS, 2 * BEAT_MS, 3 * BEAT_MS + SLACK_MS, 4 * BEAT_MS + SLACK_MS]
    assert all(b >= a for a, b in pairwise(times))


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(2, 10, 0)
    assert [bucket.take(0) for _ in range(3)] == [True, True, False]
    assert bucket.take(100)
    assert not bucket.take(110)

"""Every way in which one tick can overtake another, be killed, or find the world changed: one tournament or none.

A tick changes the store by scripts only; so it is stopped before each of them in turn, another tick runs whole, and
the first goes on, or does not.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.support.redis_server import RedisServer
from tests.workers.test_timetable import bots, ms, schedule
from workers.model import TournamentState
from workers.store import Store
from workers.timetable import Timetable

AT: Final = ms("2026-11-30 11:00:01")
MOST: Final = 30  # more scripts than a tick runs


class Killed(BaseException):
    """The process is gone."""


def tick_stopped_at(server: RedisServer, number: int, meanwhile: Callable[[], None], *, killed: bool) -> bool:
    """One tick, with `meanwhile` happening before its script `number`; False if it has fewer."""
    mine = Store(server.url)
    run, count = mine.connection.run, 0

    def stopped(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == number:
            meanwhile()
            if killed:
                raise Killed
        return run(*arguments)

    mine.connection.run = stopped  # type: ignore[assignment, method-assign]
    try:
        Timetable(mine).tick(AT)
    except Killed:
        pass
    finally:
        mine.close()
    return count >= number


def retire(store: Store) -> None:
    """Too few from now on."""
    store.people.retire("b0")


def come_back(store: Store) -> None:
    """Enough from now on."""
    store.people.retire("b0", retired=False)


CHANGES: Final[dict[str, Callable[[Store], object]]] = {
    "nothing": lambda store: None,
    "too few": retire,
    "enough": come_back,
    "paused": lambda store: store.schedules.pause("s1", True, AT, 0),
    "removed": lambda store: store.schedules.remove("s1"),
}


@pytest.mark.parametrize("killed", [False, True], ids=["overtaken", "killed"])
@pytest.mark.parametrize("change", CHANGES)
def test_whatever_happens_between_two_steps_there_is_one_tournament_or_none(
    server: RedisServer, store: Store, change: str, killed: bool
) -> None:
    for number in range(1, MOST):
        server.clear()
        bots(store)
        schedule(store)
        if change == "enough":
            retire(store)

        def meanwhile() -> None:
            CHANGES[change](store)
            Timetable(store).tick(AT)

        reached = tick_stopped_at(server, number, meanwhile, killed=killed)
        Timetable(store).tick(AT + 1000)  # what was left is ended
        check(store, removed=change == "removed" and reached)
        if not reached:
            assert number > 2  # it was stopped at every step, and there were some
            return
    raise AssertionError("a tick runs more scripts than were looked at")


def check(store: Store, *, removed: bool) -> None:
    """Nothing is left half-way, and the verdict is what happened."""
    assert store.schedules.opening() == []
    made = store.tournaments.ids()
    assert made in ([], ["s1-20261130T1100"])
    assert all(store.tournaments.state(one) is TournamentState.RUNNING for one in made)
    assert all(store.leaderboards.get(f"tournament-{one}") is not None for one in made)
    runs = store.schedules.runs("s1")
    if removed:
        assert runs == []
        return
    paused = store.schedules.state("s1").paused
    assert len(runs) == 1 or (paused and not runs and not made)
    assert [run.tournament_id for run in runs if run.opened] == made

"""kill -9 of anything in mid-block: the tournament goes on within seconds, and its table is an undisturbed run's."""

import time
from typing import Any

import psutil
import pytest

from tests.e2e.conftest import HOUSE, SEED, Play, eventually
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as pb
from workers.cli.stage import Stage
from workers.model import BlockState
from workers.store import Store

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600), pytest.mark.xdist_group("e2e")]


def running(store: Store) -> list[str]:
    """Blocks that a worker is playing right now."""
    return [b for b in store.blocks.in_flight() if store.blocks.lease(b).state is BlockState.RUNNING]


def horses(stage: Stage) -> list[tuple[int, psutil.Process]]:
    """(place of the worker, its forked job), of those that play."""
    found = []
    for place, child in enumerate(stage.workers):
        found += [(place, horse) for horse in psutil.Process(child.pid).children()]
    return found


def kill_horse(stage: Stage, play: Play) -> None:
    _, horse = eventually("a job runs", lambda: horses(stage))[0]
    horse.kill()


def kill_parent(stage: Stage, play: Play) -> None:
    place, _ = eventually("a job runs", lambda: horses(stage))[0]
    stage.workers.pop(place).kill()
    stage.start_worker("again")


def kill_worker_with_horse(stage: Stage, play: Play) -> None:
    place, horse = eventually("a job runs", lambda: horses(stage))[0]
    horse.suspend()
    stage.workers.pop(place).kill()
    horse.kill()
    stage.start_worker("again")


def kill_referee(stage: Stage, play: Play) -> None:
    stage.referees.pop().kill()
    stage.start_referee()


def kill_arena(stage: Stage, play: Play) -> None:
    stage.arena.kill()
    stage.start_arena()


def kill_redis(stage: Stage, play: Play) -> None:
    stage.redis.kill()
    stage.start_redis()


KILLS = (kill_horse, kill_parent, kill_worker_with_horse, kill_referee, kill_arena, kill_redis)


def finish(stage: Stage, play: Play, undisturbed: dict[str, Any]) -> None:
    """Play on to the end; one result per match, the same table."""
    eventually("the tournament ends", lambda: play.now().state == pb.TOURNAMENT_STATE_FINISHED, 240)
    link = play.link()
    request = api.ListMatchesRequest(tournament_id=play.tournament_id, page_size=500)
    matches = link.call(link.stub.ListMatches, request).matches
    link.close()
    assert len({match.match_id for match in matches}) == len(matches) == 24
    assert {match.state for match in matches} == {pb.MATCH_STATE_FINISHED}
    assert play.leaderboard() == undisturbed["leaderboard"]
    store = Store(stage.redis_url)
    assert store.blocks.conflicts() == []
    store.close()


def test_b22_b51_b53_everything_killed_in_one_tournament(stage: Stage, undisturbed: dict[str, Any]) -> None:
    stage.start_all(HOUSE, workers=4, at_once=1)
    play = Play(stage)
    play.wait_for_bots(HOUSE)
    play.begin(SEED)
    store = Store(stage.redis_url)
    for kill in KILLS:
        assert play.now().state == pb.TOURNAMENT_STATE_RUNNING, f"over before {kill.__name__}"
        eventually("a block is played", lambda: running(store))
        time.sleep(0.3)
        kill(stage, play)
    store.close()
    finish(stage, play, undisturbed)


@pytest.mark.soak
@pytest.mark.parametrize("kill", KILLS)
def test_one_kill_in_mid_block(stage: Stage, undisturbed: dict[str, Any], kill: Any) -> None:
    stage.start_all(HOUSE, workers=2)
    play = Play(stage)
    play.wait_for_bots(HOUSE)
    play.begin(SEED)
    store = Store(stage.redis_url)
    eventually("a block is played", lambda: running(store))
    store.close()
    time.sleep(0.5)
    kill(stage, play)
    finish(stage, play, undisturbed)

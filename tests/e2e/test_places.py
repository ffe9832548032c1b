"""A bot that plays one match at a time, with more workers than it has places: nobody sits at two tables."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import HOUSE, Play, eventually
from thousand.v1 import tournament_pb2 as pb
from workers.cli.stage import Stage

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300), pytest.mark.xdist_group("e2e")]
BUSY = "counter"


def told(folder: Path) -> Iterator[dict[str, object]]:
    """What the referee logged, in order."""
    for line in (folder / "log" / "referee-referee-1.log").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def most_open_at_once(folder: Path, bot: str) -> tuple[int, int, int]:
    """How many matches a bot was in at once at most, how many were open at once at most, and how many it played."""
    bots: dict[object, bool] = {}
    open_now: set[object] = set()
    its_most = most = 0
    for line in told(folder):
        match = line.get("match")
        if line["event"] == "match opened":
            seats = line["bots"]
            assert isinstance(seats, list)
            bots[match] = f"house-{bot}" in seats
            open_now.add(match)
            its_most = max(its_most, sum(bots[one] for one in open_now))
            most = max(most, len(open_now))
        elif line["event"] == "match ended":
            open_now.discard(match)
    return its_most, most, sum(bots.values())


def test_b32_a_bot_of_one_match_is_never_in_two_whatever_the_number_of_workers(stage: Stage) -> None:
    stage.start_redis()
    stage.start_arena()
    stage.start_referee()
    for number in range(8):
        stage.start_worker(f"worker-{number}")
    for name in HOUSE:
        stage.start_house_bot(name, at_once=1 if name == BUSY else 4)
    play = Play(stage)
    play.wait_for_bots(HOUSE)
    play.begin()
    eventually("the tournament ends", lambda: play.now().state == pb.TOURNAMENT_STATE_FINISHED, 200)
    progress = play.now().progress
    assert (progress.matches_finished, progress.matches_no_show, progress.strikes) == (24, 0, 0)
    its_most, most, played = most_open_at_once(stage.folder, BUSY)
    assert (its_most, played) == (1, 18)
    assert most > 1  # the six matches without it went on beside it

"""Whole arenas of real processes, and what tests do to them."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from thousand.cli.link import Link
from thousand.v1 import arena_pb2 as api
from thousand.v1 import tournament_pb2 as pb
from workers.cli.stage import Stage

ROOT = Path(__file__).parents[2]
HOUSE = ["counter", "cautious", "greedy", "random"]
SEED = 7


def eventually(what: str, happens: Callable[[], Any], within: float = 120.0) -> Any:
    """What `happens` returns once it is true; fails naming `what` if it never is."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        found = happens()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {within:.0f} s")


def run_demo(*options: str, data: Path, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """`arena demo` with these options, as a process of its own."""
    command = [sys.executable, "-m", "workers.cli", "demo", "--data", str(data), *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)


def family(process: psutil.Process) -> list[psutil.Process]:
    """All its descendants."""
    return list(process.children(recursive=True))


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `arena demo --json` with one worker says of a whole tournament in which nothing was killed."""
    data = tmp_path_factory.mktemp("undisturbed")
    demo = run_demo("--seed", str(SEED), "--workers", "1", "--json", data=data)
    out, _ = demo.communicate(timeout=240)
    assert demo.returncode == 0, out
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found | {"data": str(data)}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """An empty stage; whatever a test starts on it is stopped."""
    with Stage(tmp_path) as made:
        yield made


class Play:
    """A tournament on a stage."""

    def __init__(self, stage: Stage, tournament_id: str = "") -> None:
        self.stage = stage
        self.tournament_id = tournament_id

    def link(self) -> Link:
        """A connection with the organiser's key of now."""
        return Link(self.stage.address, self.stage.organiser_key)

    def wait_for_bots(self, names: list[str]) -> None:
        """Until they are connected."""
        link = self.link()

        def here() -> set[str]:
            bots = link.call(link.stub.ListBots, api.ListBotsRequest(page_size=500)).bots
            return {bot.name for bot in bots if bot.presence.instances}

        eventually(f"{names} connect", lambda: set(names) <= here())
        link.close()

    def begin(self, seed: int = SEED, bots: list[str] | None = None) -> None:
        """Start it."""
        link = self.link()
        request = api.CreateTournamentRequest(
            name="e2e",
            format=pb.TOURNAMENT_FORMAT_ROUND_ROBIN,
            bots=bots or HOUSE,
            clock_factor=10,
            public_seed=seed,
        )
        self.tournament_id = link.call(link.stub.CreateTournament, request).tournament.tournament_id
        link.close()

    def now(self) -> pb.Tournament:
        """As it stands."""
        link = self.link()
        try:
            request = api.GetTournamentRequest(tournament_id=self.tournament_id)
            return link.call(link.stub.GetTournament, request).tournament
        finally:
            link.close()

    def finished(self) -> int:
        """Matches finished so far."""
        return self.now().progress.matches_finished

    def leaderboard(self) -> list[dict[str, Any]]:
        """As `arena demo --json` prints it."""
        tournament = self.now()
        link = self.link()
        try:
            request = api.GetLeaderboardRequest(leaderboard_id=tournament.leaderboard_id)

            def complete() -> api.GetLeaderboardResponse | None:
                answer = link.call(link.stub.GetLeaderboard, request)
                return answer if answer.leaderboard.matches == tournament.progress.matches_finished else None

            answer = eventually("all matches are rated", complete)
        finally:
            link.close()
        return [
            {
                "rank": entry.rank,
                "bot": entry.bot_name,
                "score": entry.score,
                "mu": entry.mu,
                "sigma": entry.sigma,
                "matches": entry.matches,
            }
            for entry in answer.entries
        ]

"""`thousand tournament`: what its lines say of a tournament."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf.message import Message

from thousand.cli.tournament import _follow, matches_text
from thousand.v1 import arena_pb2 as api
from thousand.v1.tournament_pb2 import TOURNAMENT_STATE_FINISHED, TOURNAMENT_STATE_RUNNING, Tournament
from thousand.v1.tournament_pb2 import TournamentProgress as Progress

ENDED = Progress(matches_planned=24, matches_finished=6, matches_no_show=18)


class Told:
    """A link to an arena that streams these tournaments."""

    stub: Any = type("Stub", (), {"WatchTournament": None})

    def __init__(self, *tournaments: Tournament) -> None:
        self._tournaments = tournaments

    def stream(self, method: object, request: Message) -> Iterator[api.WatchTournamentResponse]:
        """One answer each."""
        for tournament in self._tournaments:
            yield api.WatchTournamentResponse(tournament=tournament)


def test_matches_that_nobody_played_are_named() -> None:
    assert matches_text(Progress(matches_planned=24, matches_finished=6)) == "6/24 matches"
    assert matches_text(ENDED) == "6/24 matches, 18 no-shows"
    cut = Progress(matches_planned=9, matches_finished=6, matches_no_show=1, matches_cancelled=2)
    assert matches_text(cut) == "6/9 matches, 1 no-show, 2 cancelled"


def test_a_tournament_that_ended_with_no_shows_has_no_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    begun = Tournament(state=TOURNAMENT_STATE_RUNNING, progress=Progress(matches_planned=24, matches_waiting=24))
    half = Progress(matches_planned=24, matches_finished=6, matches_no_show=6, matches_waiting=12)
    half_way = Tournament(state=TOURNAMENT_STATE_RUNNING, progress=half)
    ended = Tournament(state=TOURNAMENT_STATE_FINISHED, progress=ENDED)
    link: Any = Told(begun, half_way, ended)
    _follow(link, "t", False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "running  0/24 matches  0 decisions"
    assert lines[1].startswith("running  6/24 matches, 6 no-shows  0 decisions, ")
    assert lines[1].endswith(" s left")
    assert lines[2] == "finished  6/24 matches, 18 no-shows  0 decisions"

"""Two and four players on a whole arena: tournaments by custom rulesets, matches by presets, from the command line."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import HOUSE, Play, eventually
from tests.e2e.test_own_bot import Person
from thousand.record import MatchRecord, replay
from thousand.rules import ruleset_from
from thousand.v1 import arena_pb2 as api
from thousand.wire import record_from
from workers.cli.processes import start
from workers.cli.stage import Stage

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300), pytest.mark.xdist_group("e2e")]
PICKY = """
from thousand import Bot, run
class Picky(Bot):
    presets = ("classic", "classic-4")
    def decide(self, view, actions):
        return actions[0]
run(Picky)
"""


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """An arena with the house bots, and its organiser."""
    folder = tmp_path_factory.mktemp("arena")
    with Stage(folder) as stage:
        stage.start_all(HOUSE, workers=1, at_once=8)
        Play(stage).wait_for_bots(HOUSE)
        yield Person(stage, folder)


def record_of(person: Person, match_id: str) -> MatchRecord:
    """The stored record."""
    link = Play(person.stage).link()
    answer = link.call(link.stub.GetMatchRecord, api.GetMatchRecordRequest(match_id=match_id))
    link.close()
    return record_from(answer.record)


@pytest.mark.parametrize(
    ("base", "blocks", "matches"),
    [("intro-dummy", 6, 12), ("classic-4", 1, 24)],  # both seatings, and all 24
)
def test_a_tournament_of_two_and_of_four_by_a_custom_ruleset(
    person: Person, tmp_path: Path, base: str, blocks: int, matches: int
) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(f'base = "{base}"\nmax_deals = 1\nrevoke = "penalty"\n')
    wanted = ruleset_from(base, {"max_deals": 1, "revoke": "penalty"})
    made = person.thousand("tournament", "create", base, "--bots", ",".join(HOUSE), "--ruleset", str(file))
    assert (made["preset"], made["ruleset"]) == ("", wanted.to_dict())
    tournament_id = made["tournament_id"]

    def finished() -> dict[str, Any] | None:
        shown: dict[str, Any] = person.thousand("tournament", "show", tournament_id)
        return shown if shown["state"] == "finished" else None

    progress = eventually("it finishes", finished, 120)["progress"]
    assert (progress["blocks"], progress["matches_finished"]) == (blocks, matches)
    assert (progress["strikes"], progress["matches_no_show"]) == (0, 0)
    played = person.thousand("match", "list", tournament_id)["matches"]
    seatings = [tuple(seat["bot_name"] for seat in match["seats"]) for match in played]
    assert len(set(seatings)) == matches
    record = record_of(person, played[-1]["match_id"])
    assert record.ruleset == wanted
    assert [seat.bot for seat in record.seats] == [f"house-{name}" for name in seatings[-1]]
    replayed = replay(record).result
    assert replayed is not None
    assert list(replayed.scores) == played[-1]["outcome"]["scores"]


def test_a_match_of_two_and_of_four_by_presets(person: Person) -> None:
    for preset, bots in (("headon", HOUSE[:2]), ("club-4", HOUSE)):
        match = person.thousand("match", "create", "--bots", ",".join(bots), "--preset", preset)
        assert (match["state"], match["preset"], len(match["seats"])) == ("finished", preset, len(bots))
        assert record_of(person, match["match_id"]).preset == preset


def test_a_bot_is_seated_only_where_it_said_it_plays(person: Person, tmp_path: Path) -> None:
    made = person.thousand("bot", "create", "Picky")
    script, file = tmp_path / "picky.py", tmp_path / "rules.toml"
    script.write_text(PICKY)
    file.write_text('base = "classic"\nmax_deals = 2\n')
    command = [sys.executable, str(script), "--server", person.stage.address, "--token", made["token"]]
    bot = start("picky", command, log=tmp_path / "picky.log")
    try:
        eventually("it connects", lambda: person.thousand("bot", "show", made["bot_id"])["presence"], 60)
        bots = ("match", "create", "--bots", "Picky,counter,greedy")
        assert "'Picky' says it does not play browser" in person.thousand(*bots, "--preset", "browser", code=1)
        assert "does not play custom rulesets" in person.thousand(*bots, "--ruleset", str(file), code=1)
        assert "not both" in person.thousand(*bots, "--ruleset", str(file), "--preset", "classic", code=2)
        match = person.thousand(*bots, "--preset", "classic", "--clocks", "10")
        assert match["state"] == "finished"
    finally:
        bot.stop(grace=3.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('base = "browser"\ntwo_player = "dummy"\n', "two_player dummy has no effect with players 3"),
        ('base = "nix"\n', "there is no preset 'nix'"),
        ("base = 7\n", "base must be the name of a preset"),
        ("golden\n", "rules.toml"),
        ("goldn = 'double'\n", "did you mean 'golden'"),
    ],
)
def test_a_ruleset_that_cannot_be_played_is_refused_in_one_line(
    person: Person, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(text)
    told = person.thousand("tournament", "create", "x", "--bots", "counter,greedy", "--ruleset", str(file), code=2)
    assert says in told
    assert len(told.splitlines()) == 1

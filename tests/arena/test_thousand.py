"""The lists of the `thousand` command, from an arena whose pages are short."""

import asyncio
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.arena.conftest import Running
from tests.arena.test_service import HOUSE, cup, owner
from thousand.cli import app, link


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two items a page."""
    monkeypatch.setattr(link, "PAGE", 2)


async def told(arena: Running, *words: str) -> Any:
    """What the command prints as JSON."""
    done = await asyncio.to_thread(CliRunner().invoke, app, [*words, "--server", arena.address, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


async def test_bots_and_owners_are_listed_to_the_last_page(arena: Running) -> None:
    await owner(arena, "ada")
    assert [bot["name"] for bot in (await told(arena, "bot", "list"))["bots"]] == sorted(HOUSE)
    assert [one["name"] for one in (await told(arena, "owner", "list"))["owners"]] == ["ada", "house", "organiser"]


async def test_tournaments_and_their_matches_are_listed_to_the_last_page(arena: Running) -> None:
    made = [await arena.stub.CreateTournament(cup(name=name), metadata=arena.organiser) for name in ("1", "2", "3")]
    ids = {answer.tournament.tournament_id for answer in made}
    assert {one["tournament_id"] for one in (await told(arena, "tournament", "list"))["tournaments"]} == ids
    matches = (await told(arena, "match", "list", made[0].tournament.tournament_id))["matches"]
    assert len({match["match_id"] for match in matches}) == 24
    boards = (await told(arena, "leaderboard", "list"))["leaderboards"]
    assert {board["leaderboard_id"] for board in boards} == {f"tournament-{one}" for one in ids} | {
        "all", "ruleset-tournament"
    }  # fmt: skip


async def test_a_leaderboard_is_shown_whole(arena: Running) -> None:
    made = await arena.stub.CreateTournament(cup(), metadata=arena.organiser)
    shown = await told(arena, "leaderboard", "show", made.tournament.leaderboard_id)
    assert (shown["leaderboard"]["name"], shown["entries"]) == ("cup", [])

"""Owners, bots, versions, tags and tokens: what a key repeats, what a page costs, what comes back after a restart."""

import asyncio
import json
from typing import Any

import pytest
from grpc import StatusCode
from typer.testing import CliRunner

from tests.arena.conftest import Refused, Running
from tests.arena.test_service import HOUSE, owner
from thousand.cli import app
from thousand.v1 import arena_pb2 as api
from workers.arena.app import Settings, prepare
from workers.model import Owner
from workers.store import Store, StoreError, keys

ODD = ["a b", "a/b", "a%2Fb", "<script>", "Ünal", "Прикуп", "👨‍👩‍👧 bot"]


async def told(arena: Running, *words: str, code: int = 0) -> Any:
    """What the command prints with the organiser's key, as JSON if it succeeds."""
    key = arena.organiser[0][1].removeprefix("Bearer ")
    command = [*words, "--server", arena.address, "--key", key, "--json"]
    done = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert done.exit_code == code, done.output
    return json.loads(done.stdout) if code == 0 else done.stderr


async def test_b38_one_key_makes_one_token_and_one_rotation(arena: Running) -> None:
    ada = await owner(arena)
    await arena.stub.CreateBot(api.CreateBotRequest(name="First"), metadata=ada)
    ask = api.CreateBotTokenRequest(bot="First", idempotency_key="k")
    made = await asyncio.gather(*(arena.stub.CreateBotToken(ask, metadata=ada) for _ in range(4)))
    assert len({answer.token.token for answer in made}) == 1
    other = await arena.stub.CreateBotToken(api.CreateBotTokenRequest(bot="First"), metadata=ada)
    assert other.token.token != made[0].token.token
    rotate = api.RotateBotTokenRequest(bot="First", idempotency_key="k")
    rotated = await asyncio.gather(*(arena.stub.RotateBotToken(rotate, metadata=ada) for _ in range(4)))
    assert {answer.token.generation for answer in rotated} == {1}
    assert len({answer.token.token for answer in rotated}) == 1
    again = await arena.stub.RotateBotToken(api.RotateBotTokenRequest(bot="First", idempotency_key="l"), metadata=ada)
    assert again.token.generation == 2


async def test_b38_one_key_makes_one_owner_and_shows_the_api_key_once(arena: Running) -> None:
    ask = api.CreateOwnerRequest(name="ada", idempotency_key="k")
    made = await asyncio.gather(*(arena.stub.CreateOwner(ask, metadata=arena.organiser) for _ in range(4)))
    assert len({answer.owner.owner_id for answer in made}) == 1
    assert sum(bool(answer.api_key) for answer in made) == 1


async def test_tags_are_set_listed_and_taken_away_by_owner_and_organiser_only(arena: Running, refused: Refused) -> None:
    ada, eve = await owner(arena), await owner(arena, "eve")
    await arena.stub.CreateBot(api.CreateBotRequest(name="mine"), metadata=ada)
    ask = api.SetBotTagsRequest(bot="mine", tags=["friday", "strong", "friday"])
    with refused(StatusCode.PERMISSION_DENIED):
        await arena.stub.SetBotTags(ask, metadata=eve)
    assert list((await arena.stub.SetBotTags(ask, metadata=ada)).bot.tags) == ["friday", "strong"]
    listed = await arena.stub.ListBots(api.ListBotsRequest(tag="strong"))
    assert [bot.name for bot in listed.bots] == ["mine"]
    assert not (await arena.stub.ListBots(api.ListBotsRequest(tag="strong", owner_id="house"))).bots
    none = api.SetBotTagsRequest(bot="mine")
    assert not (await arena.stub.SetBotTags(none, metadata=arena.organiser)).bot.tags


@pytest.mark.parametrize("tags", [["Friday"], ["a b"], [""], ["-x"], ["x" * 31], ["é"], [f"t{n}" for n in range(21)]])
async def test_a_tag_that_is_none_is_refused(arena: Running, refused: Refused, tags: list[str]) -> None:
    with refused(StatusCode.INVALID_ARGUMENT) as said:
        await arena.stub.SetBotTags(api.SetBotTagsRequest(bot="counter", tags=tags), metadata=arena.organiser)
    assert (said.value.details() or "").startswith("tags: ")


async def test_a_page_of_bots_costs_the_same_however_many_there_are(arena: Running) -> None:
    client = arena.store.connection.client

    async def read() -> int:
        before = client.info("stats")["total_net_output_bytes"]
        answer = await arena.stub.ListBots(api.ListBotsRequest(page_size=2))
        assert [bot.name for bot in answer.bots] == ["cautious", "counter"]
        return int(client.info("stats")["total_net_output_bytes"]) - int(before)

    few = await read()
    for number in range(300):
        arena.store.people.create_bot("organiser", f"x{number}")
    assert await read() < few + 20_000  # ticks read a little meanwhile; three hundred bots are 60,000


async def test_the_bots_of_an_unknown_owner_are_not_just_none(arena: Running, refused: Refused) -> None:
    with refused(StatusCode.NOT_FOUND) as said:
        await arena.stub.ListBots(api.ListBotsRequest(owner_id="nobody"))
    assert "thousand owner list" in (said.value.details() or "")


async def test_the_house_says_when_it_was_made_and_a_restart_changes_nothing(arena: Running, tmp_path: Any) -> None:
    bot = (await arena.stub.GetBot(api.GetBotRequest(bot="counter"))).bot
    assert bot.created_at.ToDatetime().year > 2000
    prepare(Settings(tmp_path, ""), arena.store)
    assert (await arena.stub.GetBot(api.GetBotRequest(bot="counter"))).bot == bot


def test_bots_are_listed_by_name_a_page_at_a_time_and_by_owner(store: Store) -> None:
    people = store.people
    people.create_owner(Owner("o1", "one"))
    people.create_owner(Owner("o2", "Two"))
    for number, name in enumerate(["b", "A", "c", "Ä", "ж"]):
        people.create_bot(f"o{number % 2 + 1}", name)
    assert [bot.name for bot in people.bots()] == sorted(["b", "A", "c", "Ä", "ж"], key=str.casefold)
    assert [bot.name for bot in people.bots("", 1, 2)] == ["b", "c"]
    assert [bot.name for bot in people.bots("o2")] == ["A", "Ä"]
    assert [one.name for one in people.owners()] == ["one", "Two"]
    assert people.bots("nobody") == []


def test_a_store_from_before_the_orders_by_name_gets_them_at_the_start(store: Store, tmp_path: Any) -> None:
    prepare(Settings(tmp_path, ""), store)
    store.people.create_bot("organiser", "mine")
    client = store.connection.client
    client.delete(keys.BOT_ORDER, keys.OWNER_ORDER, keys.bots_of("house"), keys.bots_of("organiser"))
    prepare(Settings(tmp_path, ""), store)
    assert [bot.name for bot in store.people.bots()] == sorted([*HOUSE, "mine"])
    assert store.people.bot_count("organiser") == 1
    assert len(store.people.owners()) == 2


def test_an_owner_has_at_most_so_many_bots(store: Store) -> None:
    store.people.create_bot("o1", "one", bot_id="b1", most=1)
    with pytest.raises(StoreError) as refusal:
        store.people.create_bot("o1", "two", most=1)
    assert refusal.value.code == "quota"
    assert store.people.find_bot("two") is None
    assert store.people.create_bot("o1", "one", bot_id="b1", most=1).bot_id == "b1"


async def test_b67_b69_odd_names_pass_through_every_command_by_name_and_by_id(arena: Running) -> None:
    for name in ODD:
        made = (await told(arena, "bot", "create", name, "--note", f"of {name}"))["bot"]
        assert made["name"] == name
        for word in (name, made["bot_id"]):
            assert (await told(arena, "bot", "show", word))["bot_id"] == made["bot_id"]
        assert (await told(arena, "bot", "tag", name, "odd"))["tags"] == ["odd"]
        assert (await told(arena, "bot", "retire", name))["retired"]
        assert not (await told(arena, "bot", "retire", name, "--back"))["retired"]
        assert (await told(arena, "bot", "version", name))["version"] == 2
        assert (await told(arena, "bot", "token", name, "--rotate"))["generation"] == 1
        assert (await told(arena, "bot", "revoke", name))["lowest_generation"] == 2
    listed = (await told(arena, "bot", "list", "--tag", "odd"))["bots"]
    assert sorted(bot["name"] for bot in listed) == sorted(ODD)
    cup = await told(arena, "tournament", "create", "Кубок <1> / 2", "--bots", "a b,a/b,a%2Fb", "--same-owner")
    assert [entrant["bot_name"] for entrant in cup["entrants"]] == ["a b", "a/b", "a%2Fb"]
    owners = [await told(arena, "owner", "create", name) for name in ("Ада Л.", "<b>")]
    assert [made["owner"]["name"] for made in owners] == ["Ада Л.", "<b>"]


@pytest.mark.parametrize("name", ["", "x" * 300, "right\u200fto left", "counter ", "СOUNTER", "\udcff"])
async def test_b67_a_bad_name_is_one_clear_line(arena: Running, name: str) -> None:
    key = arena.organiser[0][1].removeprefix("Bearer ")
    command = ["bot", "create", name, "--server", arena.address, "--key", key]
    done = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert (done.exit_code in (1, 2), done.stdout) == (True, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("thousand: ")


async def test_a_key_repeated_with_another_request_gives_the_first_answer_and_changes_nothing(arena: Running) -> None:
    ada = await owner(arena)
    first = await arena.stub.CreateBot(api.CreateBotRequest(name="First", idempotency_key="k"), metadata=ada)
    version = api.CreateBotVersionRequest(bot="First", note="two", idempotency_key="k")
    second = await arena.stub.CreateBotVersion(version, metadata=ada)
    await arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="First", note="three"), metadata=ada)
    again = await arena.stub.CreateBot(api.CreateBotRequest(name="Other", idempotency_key="k"), metadata=ada)
    assert (again.bot.bot_id, again.bot.name, again.token.version) == (first.bot.bot_id, "First", 1)
    assert [made.note for made in again.bot.versions] == ["", "two", "three"]
    repeated = await arena.stub.CreateBotVersion(version, metadata=ada)
    assert (repeated.token.version, len(repeated.bot.versions)) == (second.token.version, 3) == (2, 3)
    assert arena.store.people.find_bot("Other") is None


async def test_a_repeated_version_at_the_limit_of_a_bot_answers_the_same(
    arena: Running, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.arena.people.VERSIONS_PER_BOT", 2)
    ask = api.CreateBotVersionRequest(bot="counter", idempotency_key="k")
    for _ in range(2):
        assert (await arena.stub.CreateBotVersion(ask, metadata=arena.organiser)).token.version == 2
    with refused(StatusCode.RESOURCE_EXHAUSTED):
        await arena.stub.CreateBotVersion(api.CreateBotVersionRequest(bot="counter"), metadata=arena.organiser)

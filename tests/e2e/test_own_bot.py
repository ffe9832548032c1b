"""A person's own bot on a whole arena, from the command line: a Node bot plays a match, and is refused once revoked."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from tests.e2e.conftest import ROOT, Play, eventually
from thousand.record import from_dict, replay
from thousand.v1 import arena_pb2 as api
from thousand.v1 import match_pb2
from thousand.v1.match_pb2_grpc import MatchServiceStub
from workers.cli.stage import Stage
from workers.store import Store

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300), pytest.mark.xdist_group("e2e")]
NODE = ROOT / "sdk" / "node"


class Person:
    """Somebody at a terminal."""

    def __init__(self, stage: Stage, folder: Path) -> None:
        self.stage, self.folder = stage, folder
        self.env = {**os.environ, "THOUSAND_SERVER": stage.address, "THOUSAND_KEY": stage.organiser_key}

    def thousand(self, *words: str, code: int = 0) -> Any:
        """What `thousand … --json` says; its error text if it is to fail with `code`."""
        command = [str(Path(sys.executable).with_name("thousand")), *words, "--json"]
        done = subprocess.run(command, check=False, env=self.env, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stderr
        return done.stderr if code else json.loads(done.stdout.splitlines()[-1])

    def prints(self, *words: str) -> str:
        """What `thousand …` prints for people."""
        command = [str(Path(sys.executable).with_name("thousand")), *words]
        return subprocess.run(command, check=True, env=self.env, capture_output=True, text=True, timeout=120).stdout

    def node_bot(self, token: str) -> "subprocess.Popen[bytes]":
        """The example bot of sdk/node."""
        env = {**self.env, "THOUSAND_TOKEN": token}
        with (self.folder / "node.log").open("wb") as log:
            return subprocess.Popen(["node", "bot.mjs"], cwd=NODE, env=env, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """An arena with three house bots, and somebody who wants to join."""
    folder = tmp_path_factory.mktemp("arena")
    with Stage(folder) as stage:
        stage.start_redis()
        stage.start_arena()
        stage.start_referee()
        stage.start_worker("worker-1")
        here = ["counter", "greedy", "cautious"]
        for name in here:
            stage.start_house_bot(name)
        Play(stage).wait_for_bots(here)
        yield Person(stage, folder)


@pytest.mark.skipif(
    shutil.which("node") is None or not (NODE / "node_modules").exists(), reason="needs node, and `npm ci` in sdk/node"
)
def test_a_node_bot_plays_a_match_and_is_refused_once_revoked(person: Person) -> None:
    made = person.thousand("bot", "create", "Mine, ünïque")
    bot = person.node_bot(made["token"])
    try:
        eventually("it connects", lambda: person.thousand("bot", "show", made["bot_id"])["presence"], 60)
        match = person.thousand("match", "create", "--bots", f"{made['bot_id']},counter,greedy", "--clocks", "10")
        assert (match["state"], match["rated"]) == ("finished", False)
        assert match["seats"][0]["bot_name"] == "Mine, ünïque"
        assert min(match["outcome"]["ranking"]) == 1
        assert not any(seat["strikes"] or seat["forfeited"] for seat in match["outcome"]["conduct"])
        shown = person.thousand("match", "show", match["match_id"])
        assert shown == match
        _replays(person, match)
        person.thousand("bot", "revoke", made["bot_id"])
        eventually("its stream ends", lambda: bot.poll() is not None, 15)
    finally:
        bot.kill()
        bot.wait()
    assert not person.thousand("bot", "show", made["bot_id"])["presence"]
    again = person.node_bot(made["token"])
    assert again.wait(30) != 0
    assert "UNAUTHENTICATED" in (person.folder / "node.log").read_text().upper()


def _replays(person: Person, match: dict[str, Any]) -> None:
    """The stored record reaches the reported scores by the rules alone."""
    from thousand.wire import record_from

    link = Play(person.stage).link()
    answer = link.call(link.stub.GetMatchRecord, api.GetMatchRecordRequest(match_id=match["match_id"]))
    link.close()
    replayed = replay(record_from(answer.record))
    assert replayed.result is not None
    assert list(replayed.result.scores) == match["outcome"]["scores"]
    assert from_dict(person.thousand("match", "record", match["match_id"])) == record_from(answer.record)


def test_a_match_of_the_arena_is_replayed_by_its_id_and_from_its_record(person: Person, tmp_path: Path) -> None:
    bots = "counter,greedy,cautious"
    match = person.thousand("match", "create", "--bots", bots, "--seed", "5")["match_id"]
    picture = person.prints("replay", match)
    for word in ("Deal 1", "greedy holds", "Score sheet", "Result after"):
        assert word in picture
    text, data = tmp_path / "match.txt", tmp_path / "match.json"
    text.write_text(person.prints("match", "record", match))
    data.write_text(json.dumps(person.thousand("match", "record", match)))
    by_id = picture.replace("counter", "house-counter").replace("greedy", "house-greedy")
    assert person.prints("replay", str(text)) == person.prints("replay", str(data))
    assert person.prints("replay", str(text)).split() == by_id.replace("cautious", "house-cautious").split()
    assert person.thousand("replay", match) == json.loads(data.read_text())
    assert "Deal 1\n" not in person.prints("replay", match, "--deal", "2")
    assert "there is no deal 9999" in person.thousand("replay", match, "--deal", "9999", code=2)
    assert "there is no match" in person.thousand("replay", "nothing-of-that-name", code=1)


def test_a_bots_token_on_the_match_service_is_refused(person: Person) -> None:
    made = person.thousand("bot", "create", "Sneaky")
    store = Store(person.stage.redis_url)
    address = store.presence.referees()[0].service
    store.close()
    metadata = (("authorization", f"Bearer {made['token']}"),)
    with grpc.insecure_channel(address) as channel:
        stub = MatchServiceStub(channel)
        for call in (
            lambda: list(stub.HostMatch(match_pb2.HostMatchRequest(match_id="m" * 16), metadata=metadata, timeout=10)),
            lambda: list(stub.Attend(iter([match_pb2.AttendRequest()]), metadata=metadata, timeout=10)),
        ):
            with pytest.raises(grpc.RpcError) as refused:
                call()
            assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED


def test_b69_the_command_line_takes_any_name(person: Person) -> None:
    for name in ("a b", "a/b", "<script> Ü"):
        person.thousand("bot", "create", name)
        assert person.thousand("bot", "show", name)["name"] == name


def test_errors_are_one_line_that_says_what_to_do(person: Person) -> None:
    assert "bot list" in person.thousand("bot", "show", "nobody", code=1)
    assert "not connected" in person.thousand("match", "create", "--bots", "random,counter,greedy", code=1)
    person.env["THOUSAND_SERVER"], server = "127.0.0.1:1", person.env["THOUSAND_SERVER"]
    assert "no arena answers" in person.thousand("leaderboard", "list", code=3)
    person.env["THOUSAND_SERVER"] = server

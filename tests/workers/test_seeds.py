"""Commit and reveal: what proto/README tells a stranger to compute is what was played."""

import hashlib
import hmac
import json

import pytest

from tests.support.redis_server import RedisServer
from tests.workers import arena
from thousand.v1 import record_pb2
from workers import jobs, seeds
from workers.model import Entrant, Player
from workers.scheduler import Scheduler
from workers.store import Store


def stranger_seed(secret: bytes, block: int, place: int, entrants: list[str]) -> bytes:
    """A match's seed as proto/README says."""
    mixed = hashlib.sha256(json.dumps([[one, ""] for one in entrants], separators=(",", ":")).encode()).digest()
    return hmac.new(secret, f"match/{block}/{place}".encode() + b"\0" + mixed, hashlib.sha256).digest()


def test_a_stranger_can_check_every_match(server: RedisServer, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(jobs.REDIS_URL, server.url)
    with arena.serving(arena.DiceReferee()) as address:
        arena.present(store, 4, service=address)
        made = arena.tournament(store, 4)
        assert store.tournaments.revealed("t1") is None
        arena.play_out(store, Scheduler(store, queue := arena.ListQueue()), queue)
    secret = store.tournaments.revealed("t1")
    assert secret is not None
    assert hashlib.sha256(secret).hexdigest() == made.commitment
    found: list[tuple[str, str]] = []
    for match_id in store.tournaments.match_ids("t1"):
        block_id = store.blocks.block_of(match_id)
        place = sum(earlier == block_id for earlier, _ in found)
        found.append((block_id, match_id))
        seed = stranger_seed(secret, int(block_id.rpartition("_")[2]), place, ["b0.1", "b1.1", "b2.1", "b3.1"])
        raw = store.blocks.record(match_id)
        assert raw is not None
        assert record_pb2.MatchRecord.FromString(raw).seed == seed
    assert len(found) == 24


def test_no_two_matches_share_cards_and_entrants_and_nonces_count() -> None:
    plain, noted = ([Entrant(Player("a"), nonce=n), Entrant(Player("b"))] for n in ("", "x"))
    mixed = {seeds.entrants_hash(plain), seeds.entrants_hash(noted), seeds.entrants_hash(plain[::-1])}
    assert len(mixed) == 3
    made = {seeds.match_seed(b"s" * 32, block, place, one) for block in range(9) for place in range(6) for one in mixed}
    assert len(made) == 9 * 6 * 3
    assert seeds.match_seed(b"t" * 32, 0, 0, min(mixed)) not in made


def test_secrets_are_fresh_unless_a_public_seed_names_them() -> None:
    assert seeds.new_secret() != seeds.new_secret()
    assert seeds.public_secret(7) == seeds.public_secret(7) != seeds.public_secret(8)


def test_a_match_id_tells_nothing_of_its_place() -> None:
    ids = [seeds.match_id(b"s" * 32, "t1", block, place) for block in range(9) for place in range(6)]
    assert len(set(ids)) == len(ids)
    assert {len(one) for one in ids} == {22}
    assert seeds.match_id(b"s" * 32, "t2", 0, 0) not in ids

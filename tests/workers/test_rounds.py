"""Rounds through the real scheduler: to their end, with bots that never come, over restarts, and of ladders."""

import hashlib
import time
from typing import Any

import grpc
import pytest

from tests.workers import arena
from thousand.v1.record_pb2 import MatchRecord
from workers import seeds
from workers.create import plan_of
from workers.ending import finish
from workers.formats import outlook
from workers.model import (
    Bot,
    EntrantRule,
    Instance,
    MatchEnd,
    Owner,
    Player,
    Referee,
    RefereePresence,
    RuleKind,
    Tournament,
    TournamentState,
)
from workers.scheduler import Scheduler
from workers.store import Store

FORMATS = [("swiss", {"rounds": 3}, 7), ("knockout", {}, 7), ("ladder", {"rounds": 3}, 7), ("balanced", {}, 7)]


def bots(store: Store, count: int, name: str = "b") -> list[Bot]:
    """b0 … of an owner each."""
    made = []
    for i in range(count):
        store.people.create_owner(Owner(f"owner-{name}{i}", f"owner {name}{i}"))
        made.append(store.people.create_bot(f"owner-{name}{i}", f"{name}{i}", bot_id=f"{name}{i}"))
    return made


def here(store: Store, *players: Player) -> None:
    """These and no others are connected."""
    store.presence.register_referee(Referee("r1", "127.0.0.1:1", "127.0.0.1:2"))
    store.presence.present(RefereePresence("r1", tuple(Instance(p, f"i-{p.key}") for p in players)), arena.LIFE_MS)


def commit_queued(store: Store, queue: arena.ListQueue, tournament: Tournament) -> None:
    """What workers would do, without a referee."""
    while queue.jobs:
        block_id, fence = queue.jobs.pop(0)
        block = store.blocks.get(block_id)
        assert block is not None
        assert store.blocks.claim(block_id, fence, "test")
        for number in range(len(block.matches)):
            store.blocks.commit(block_id, fence, arena.result(block, number), b"")
        finish(store, tournament, block, fence)


def ledger(store: Store) -> list[tuple[int, int, list[tuple[str, ...]]]]:
    """Round, block, and who sat where with which places."""
    entries = store.ledger.read(0, 1000)
    return [(e.round, e.index, [(*(p.key for p in m.seats), str(m.ranking)) for m in e.matches]) for e in entries]


@pytest.mark.parametrize(("name", "options", "count"), FORMATS)
def test_a_format_plays_to_its_end(
    store: Store, referee: arena.DiceReferee, name: str, options: dict[str, object], count: int
) -> None:
    bots(store, count)
    made = arena.tournament(store, count, format=name, options=options)
    queue = arena.ListQueue()
    arena.play_out(store, Scheduler(store, queue), queue)
    progress = store.tournaments.progress("t1")
    said = outlook(name, plan_of(made), made.entrants)
    assert progress.state is TournamentState.FINISHED
    assert (progress.blocks, progress.matches) == (said.blocks, said.matches)
    assert progress.finished == progress.matches
    assert {e.round for e in store.ledger.read(0, 1000)} == set(range(1, said.rounds + 1))


@pytest.mark.parametrize(("name", "options", "count"), FORMATS)
def test_b35_a_bot_that_never_comes_stops_no_format(
    store: Store, referee: arena.DiceReferee, name: str, options: dict[str, object], count: int
) -> None:
    bots(store, count)
    arena.present(store, count - 1, service=store.presence.referee("r1").service)  # type: ignore[union-attr]
    arena.tournament(store, count, format=name, options=options, postponements=1, postpone_ms=0)
    queue = arena.ListQueue()
    arena.play_out(store, Scheduler(store, queue), queue)
    progress = store.tournaments.progress("t1")
    assert progress.state is TournamentState.FINISHED
    assert progress.finished + progress.no_show == progress.matches
    for match in (m for e in store.ledger.read(0, 1000) for m in e.matches):
        absent = Player(f"b{count - 1}") in match.seats
        assert match.end is (MatchEnd.NO_SHOW if absent else MatchEnd.PLAYED)
    if name == "ladder":
        assert progress.no_show == 0  # only those who are there are seated


@pytest.mark.parametrize(("name", "options", "count"), FORMATS)
def test_b04_failing_referees_and_restarts_leave_no_trace(
    store: Store, referee: arena.DiceReferee, name: str, options: dict[str, object], count: int
) -> None:
    bots(store, count)
    told = []
    for disturbed in (False, True):
        tournament_id = f"t-{disturbed}"
        arena.tournament(store, count, tournament_id=tournament_id, format=name, options=options, public_seed=3)
        queue = arena.ListQueue()
        scheduler, failures = Scheduler(store, queue), 0
        for _ in range(200):
            if disturbed:
                scheduler = Scheduler(store, queue)
            scheduler.tick(store.now_ms() + 20_000 * disturbed)
            if disturbed and failures < 6:
                referee.fail = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED][: 1 + failures % 2]
                failures += len(referee.fail)
            arena.play_queued(queue)
            if store.tournaments.state(tournament_id) is TournamentState.FINISHED:
                break
        assert store.tournaments.state(tournament_id) is TournamentState.FINISHED
        told.append(ledger(store))
    alone = told[0]
    assert told[1][len(alone) :] == alone


def test_a_hundred_thousand_blocks_fill_no_store_and_slow_no_tick(store: Store) -> None:
    begun = time.monotonic()
    made = arena.tournament(store, 86)
    queue = arena.ListQueue()
    scheduler = Scheduler(store, queue, in_flight=64)
    arena.present(store, 86)
    scheduler.tick()
    assert time.monotonic() - begun < 20
    assert store.tournaments.progress("t1").blocks == 102_340
    for _ in range(4):
        begun = time.monotonic()
        scheduler.tick()
        assert time.monotonic() - begun < 2
        assert len(queue.jobs) > 10  # blocks next to each other share few bots, so that many can be played at once
        commit_queued(store, queue, made)
        assert store.tournaments.opened("t1") <= 128
    assert store.connection.client.dbsize() < 3_000


# ladders


def test_a_ladder_commits_and_reveals_round_by_round(store: Store, referee: arena.DiceReferee) -> None:
    bots(store, 7)
    arena.tournament(store, 7, format="ladder")
    queue = arena.ListQueue()
    scheduler = Scheduler(store, queue)
    for number in (1, 2):
        scheduler.tick()
        if number == 2:
            scheduler.tick()
        (latest,) = store.rounds.latest("t1", 0, 0)
        assert latest.number == number
        assert store.rounds.revealed("t1", latest) == b""
        assert latest.commitment == hashlib.sha256(store.rounds.secret("t1", number)).hexdigest()
        arena.play_queued(queue)
        store.tournaments.settle("t1")
        secret = store.rounds.revealed("t1", latest)
        assert hashlib.sha256(secret).hexdigest() == latest.commitment
        for entry in store.ledger.read(latest.begin, latest.blocks):
            for at, match in enumerate(entry.matches):
                record = MatchRecord.FromString(store.blocks.record(match.match_id) or b"")
                mixed = seeds.entrants_hash(latest.entrants)
                assert record.seed == seeds.match_seed(secret, entry.index, at, mixed)
    assert store.rounds.secret("t1", 1) != store.rounds.secret("t1", 2)
    assert [r.number for r in store.rounds.latest("t1")] == [2, 1]
    scheduler.tick()
    assert store.tournaments.cancel("t1")
    assert all(store.rounds.revealed("t1", opened) for opened in store.rounds.latest("t1"))


def test_a_ladder_takes_who_is_there_with_the_version_of_the_day(store: Store) -> None:
    made_bots = bots(store, 4)
    made = arena.tournament(store, 4, format="ladder", entrants=arena.entrants(4))
    queue = arena.ListQueue()
    here(store, *(Player(b.bot_id) for b in made_bots[:2]))
    scheduler = Scheduler(store, queue)
    scheduler.tick()
    assert store.rounds.latest("t1") == []  # two are no table of three
    here(store, *(Player(b.bot_id) for b in made_bots[:3]))
    play_round(store, scheduler, queue, made)
    store.people.add_version("b0", "better")
    here(store, Player("b0", 2), *(Player(b.bot_id) for b in made_bots[1:]))
    play_round(store, scheduler, queue, made)
    second = store.rounds.get("t1", 2)
    assert second is not None
    assert {e.player.key for e in second.entrants} == {"b0.2", "b1.1", "b2.1", "b3.1"}
    assert {p.key for p in store.ledger.read(1, 1)[0].matches[0].seats} >= {"b0.2", "b3.1"}  # those who played least
    store.people.retire("b1")
    play_round(store, scheduler, queue, made)
    assert {e.player.bot_id for e in store.rounds.latest("t1", 0, 0)[0].entrants} == {"b0", "b2", "b3"}
    assert store.tournaments.state("t1") is TournamentState.RUNNING


def test_a_ladder_of_all_lets_newcomers_join(store: Store) -> None:
    bots(store, 3)
    rules = (EntrantRule(RuleKind.ALL),)
    made = arena.tournament(store, 3, format="ladder", rules=rules, options={"rounds": 2})
    queue = arena.ListQueue()
    scheduler = Scheduler(store, queue)
    here(store, *(Player(f"b{i}") for i in range(3)))
    play_round(store, scheduler, queue, made)
    (newcomer,) = bots(store, 1, "new")
    here(store, *(Player(f"b{i}") for i in range(3)), Player(newcomer.bot_id))
    play_round(store, scheduler, queue, made)
    assert Player("new0") in store.ledger.read(1, 1)[0].matches[0].seats
    scheduler.tick()
    assert store.tournaments.state("t1") is TournamentState.FINISHED  # it had the two rounds it was given


def play_round(store: Store, scheduler: Scheduler, queue: arena.ListQueue, made: Any) -> None:
    number = store.tournaments.place("t1").number
    scheduler.tick()
    assert store.tournaments.place("t1").number == number + 1
    commit_queued(store, queue, made)
    store.tournaments.settle("t1")

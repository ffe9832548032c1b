"""Several referees: who is registered, where blocks are seated, and that nobody plays more at once than declared."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support.redis_server import RedisServer
from tests.workers import arena
from workers import jobs
from workers.arena.encode import presence_by_bot
from workers.model import (
    BlockState,
    Instance,
    Lease,
    MatchEnd,
    NoShow,
    Player,
    Referee,
    RefereePresence,
    TournamentState,
)
from workers.scheduler import SETTLED_MS, Scheduler, find_seats
from workers.store import Store

ONE = Referee("r1", "127.0.0.1:1", "127.0.0.1:2")
OTHER = Referee("r1", "127.0.0.1:3", "127.0.0.1:4")


def test_a_registration_that_is_not_renewed_ends(store: Store) -> None:
    store.presence.register_referee(ONE, life_ms=800)
    assert store.presence.referees() == [ONE]
    time.sleep(0.45)
    assert store.presence.renew_referee(ONE, life_ms=800)
    time.sleep(0.45)
    assert store.presence.referees() == [ONE]
    time.sleep(0.45)
    assert store.presence.referees() == []
    assert store.presence.referee("r1") is None
    assert store.presence.renew_referee(ONE)  # it was only late, or the store forgot it
    assert store.presence.referees() == [ONE]


def test_who_takes_a_referees_place_keeps_it(store: Store) -> None:
    store.presence.register_referee(ONE)
    store.presence.register_referee(OTHER)
    store.presence.present(RefereePresence("r1"))
    assert not store.presence.renew_referee(ONE)
    assert not store.presence.forget_referee(ONE)
    assert store.presence.referees() == [OTHER]
    assert store.presence.everywhere() == [RefereePresence("r1")]
    assert store.presence.forget_referee(OTHER)
    assert (store.presence.referees(), store.presence.everywhere()) == ([], [])


def test_an_instance_at_two_referees_is_one(store: Store) -> None:
    bot = Instance(Player("b0"), "i0", max_matches=3, open_matches=1)
    found = presence_by_bot([RefereePresence("r1", (bot,)), RefereePresence("r2", (bot,))])["b0"]
    assert (found.instances, found.max_matches, found.open_matches) == (1, 3, 2)


def test_a_block_goes_where_least_is_played_and_back_where_it_was(store: Store) -> None:
    tournament = arena.tournament(store)
    Scheduler(store, arena.ListQueue()).advance(tournament.tournament_id)
    block = store.blocks.get(store.blocks.due(0)[0])
    assert block is not None
    here = tuple(Instance(player, "i", 9) for player in block.players)
    present = [RefereePresence(name, here) for name in ("r1", "r2", "r3")]

    def seated(load: dict[str, int], before: str = "") -> str:
        lease = Lease(BlockState.PLANNED, referee_id=before)
        return find_seats(block, "tournament", present, {}, lease, load).referee_id

    assert seated({"r1": 6, "r2": 3, "r3": 9}) == "r2"
    assert seated({"r1": 6, "r2": 3, "r3": 9}, before="r3") == "r3"
    assert seated({}) == "r1"


def test_nobody_is_missed_at_a_referee_that_has_just_come(store: Store) -> None:
    arena.tournament(store, postponements=0)
    scheduler = Scheduler(store, arena.ListQueue())
    store.presence.register_referee(ONE)
    store.presence.present(RefereePresence("r1", (), since_ms=store.now_ms()), 60_000)
    scheduler.tick()
    scheduler.tick()
    assert store.tournaments.state("t1") is TournamentState.RUNNING
    scheduler.tick(store.now_ms() + SETTLED_MS)
    scheduler.tick()
    assert store.tournaments.progress("t1").no_show == 6


@pytest.mark.parametrize("policy", list(NoShow))
def test_b35_an_absent_bots_blocks_end_as_the_tournament_says(store: Store, policy: NoShow) -> None:
    arena.present(store, 2)  # b2 never comes
    arena.tournament(store, no_show=policy, postponements=3, postpone_ms=5_000)
    scheduler = Scheduler(store, arena.ListQueue())
    scheduler.advance("t1")
    now = store.now_ms()
    (block_id,) = store.blocks.due(now)
    for tried in range(3):
        scheduler.tick(now + tried * 5_000)
        scheduler.tick(now + tried * 5_000 + 4_000)  # not yet
        assert store.blocks.lease(block_id).postponements == tried + 1
    scheduler.tick(now + 15_000)
    scheduler.tick(now + 15_000)
    assert store.tournaments.state("t1") is TournamentState.FINISHED
    (entry,) = store.ledger.read(0)
    assert {match.end for match in entry.matches} == {MatchEnd.NO_SHOW}
    assert all([match.seats[i].bot_id for i in match.faulty] == ["b2"] for match in entry.matches)
    standings = store.leaderboards.standings("tournament-t1")
    if policy is NoShow.UNRATED:
        assert standings == {}
    else:
        places = {standing.player.bot_id: standing.places for standing in standings.values()}
        assert places == {"b0": (6, 0, 0), "b1": (6, 0, 0), "b2": (0, 0, 6)}
        assert standings["b2.1"].mu < 25 < standings["b0.1"].mu


# nobody plays more at once than declared, and nothing deadlocks

PLACES = (1, 2, 1, 3, 1, 2)


class Bench(arena.ListQueue):
    """A queue that loses jobs, and gives some out twice."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._draw = random.Random(seed)
        self._lock = threading.Lock()

    def enqueue(self, block_id: str, fence: int) -> str:
        with self._lock:
            luck = self._draw.random()
            for _ in range(0 if luck < 0.03 else 2 if luck < 0.15 else 1):
                super().enqueue(block_id, fence)
        return f"{block_id}_f{fence}"

    def waiting(self) -> set[str]:
        with self._lock:
            return super().waiting()

    def take(self) -> tuple[str, int] | None:
        with self._lock:
            return self.jobs.pop(0) if self.jobs else None


@pytest.fixture
def referees(
    monkeypatch: pytest.MonkeyPatch, server: RedisServer, store: Store
) -> Iterator[tuple[list[str], dict[str, int]]]:
    """Addresses of two referees, and in how many matches each bot was at once at most, at both together."""
    monkeypatch.setenv(jobs.REDIS_URL, server.url)
    first, second = arena.DiceReferee(delay=0.01), arena.DiceReferee(delay=0.01)
    second.open, second.most_open = first.open, first.most_open
    with ExitStack() as stack:
        addresses = [stack.enter_context(arena.serving(dice)) for dice in (first, second)]
        yield addresses, first.most_open


def everybody(store: Store, addresses: list[str], draw: random.Random, there: float) -> None:
    """Each bot is at each referee with this chance, the same instance at both."""
    for number, address in enumerate(addresses):
        store.presence.register_referee(Referee(f"r{number}", address, ""), 600_000)
        instances = tuple(
            Instance(Player(f"b{i}"), f"i{i}", places) for i, places in enumerate(PLACES) if draw.random() < there
        )
        store.presence.present(RefereePresence(f"r{number}", instances), 600_000)


def in_threads(stop: threading.Event, steps: list[Callable[[], None]]) -> list[BaseException]:
    """Each step over and over in a thread of its own until `stop`; what went wrong."""
    wrong: list[BaseException] = []

    def over_and_over(step: Callable[[], None]) -> None:
        try:
            while not stop.is_set():
                step()
        except BaseException as error:
            wrong.append(error)
            stop.set()

    threads = [threading.Thread(target=over_and_over, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def overbooked(store: Store) -> list[str]:
    """Whose reserved places are more than declared."""
    return [f"{name}: {n}" for name, n in store.blocks.reserved().items() if n > PLACES[int(name.partition("/i")[2])]]


@pytest.mark.parametrize(
    ("seed", "tournaments", "bots"), [(1, 3, 4), *(pytest.param(n, 3, 6, marks=pytest.mark.soak) for n in range(2, 6))]
)
def test_b32_b39_nobody_plays_more_at_once_than_declared_and_all_ends(
    store: Store, referees: tuple[list[str], dict[str, int]], seed: int, tournaments: int, bots: int
) -> None:
    """Two referees, three schedulers, six workers, lost and doubled jobs, bots that come and go."""
    draw, queue, stop = random.Random(seed), Bench(seed), threading.Event()
    addresses, most_open = referees
    everybody(store, addresses, draw, 1.0)
    names = [f"t{number}" for number in range(tournaments)]
    for name in names:
        arena.tournament(store, bots, tournament_id=name, postponements=100_000, postpone_ms=20)
    schedulers = [Scheduler(store, queue, in_flight=8) for _ in range(3)]
    end = time.monotonic() + 40

    def tick(scheduler: Scheduler) -> None:
        scheduler.tick(store.now_ms() + 6_000)  # what is queued and lost counts as lost at once
        time.sleep(0.01)

    def work() -> None:
        job = queue.take()
        jobs.play_block(*job) if job else time.sleep(0.005)

    def watch() -> None:
        assert overbooked(store) == []
        assert time.monotonic() < end, [store.tournaments.progress(name) for name in names]
        if all(store.tournaments.state(name) is TournamentState.FINISHED for name in names):
            everybody(store, addresses, draw, 1.0)
            stop.set()
        everybody(store, addresses, draw, 0.9)
        time.sleep(0.05)

    ticks = [lambda s=scheduler: tick(s) for scheduler in schedulers]
    assert in_threads(stop, [*ticks, *[work] * 6, watch]) == []
    assert all(most_open[f"b{i}"] <= PLACES[i] for i in range(bots)), most_open
    assert most_open["b3"] > 1  # it had the choice
    blocks = bots * (bots - 1) * (bots - 2) // 6
    assert {store.tournaments.progress(name).finished for name in names} == {6 * blocks}
    assert (store.blocks.reserved(), store.blocks.conflicts()) == ({}, [])
    for name in names:
        standings = store.leaderboards.standings(f"tournament-{name}")
        assert {s.matches for s in standings.values()} == {18 * blocks // bots}

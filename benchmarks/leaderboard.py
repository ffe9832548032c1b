"""The best 50 of 10,000, through ArenaService, against the same read by a bare redis-py pipeline.

The peer reads what the page holds: the order, the standings, the bots' names, and the head; it decodes nothing.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import redis

from benchmarks.measure import figure, interleaved, report
from benchmarks.referee import Part
from thousand.v1 import arena_pb2 as api
from thousand.v1.arena_pb2_grpc import ArenaServiceStub
from workers.cli.embedded import DataDir, start_redis
from workers.codec import to_json
from workers.model import Bot, Leaderboard, Player, Scope, VersionNote
from workers.standings import Projection, Standing
from workers.store import Store, keys
from workers.sums import Sums

PLAYERS = 10_000
TOP = 50
SECONDS = 0.3
ROUNDS = 15  # short ones: neighbours on the machine change by the second
UNIT = "reads/s of the best 50"


def fill(store: Store) -> None:
    """A leaderboard of PLAYERS bots."""
    players = [Player(f"bot{number:05}") for number in range(PLAYERS)]
    sums = Sums(30, 5400, 4800, 1_100_000, 880_000, 780_000)
    rows = {
        p.key: Standing(p, 25 + at / 997, 0.9, 180, (60, 60, 60), sums, (60, 60, 60), {"timeout": 2}, 0, at)
        for at, p in enumerate(players)
    }
    board = store.leaderboards.create(Leaderboard("all", "over all", Scope.ALL))
    store.leaderboards.project(board, 0, 0, Projection(60 * PLAYERS, rows))
    bots = {p.bot_id: to_json(Bot(p.bot_id, "ann", f"bot {p.bot_id}", (VersionNote(1),))) for p in players}
    store.connection.client.hset(keys.BOTS, mapping=bots)


def rate_of(read: Callable[[], object]) -> float:
    """Reads a second, one after the other."""
    read()
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        read()
        done += 1
    return done / spent


def bare(client: Any) -> object:
    """The same read by hand."""
    best = [key.decode() for key in client.zrevrange(keys.order("all"), 0, TOP - 1)]
    pipe = client.pipeline(transaction=False)
    pipe.hget(keys.LEADERBOARDS, "all").hget(keys.standings("all"), "#").zcard(keys.order("all"))
    pipe.hmget(keys.standings("all"), best)
    pipe.hmget(keys.BOTS, [key.rpartition(".")[0] for key in best])
    return pipe.execute()


def main() -> None:
    """Print the figure."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server, url = start_redis(DataDir(folder))
        stack.callback(server.stop)
        store = Store(url)
        stack.callback(store.close)
        fill(store)
        arena = Part(stack, "benchmarks.parts.arena", url)
        channel = stack.enter_context(grpc.insecure_channel(arena.first.strip()))
        stub = ArenaServiceStub(channel)
        request = api.GetLeaderboardRequest(leaderboard_id="all", page_size=TOP)
        assert len(stub.GetLeaderboard(request).entries) == TOP
        client = redis.Redis.from_url(url)
        stack.callback(client.close)
        ours, peer = interleaved(
            lambda: rate_of(lambda: stub.GetLeaderboard(request)), lambda: rate_of(lambda: bare(client)), rounds=ROUNDS
        )
        report(figure("leaderboard", ours, peer, UNIT))


if __name__ == "__main__":
    main()

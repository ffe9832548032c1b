"""Ledger updates rated per second, from Redis into a leaderboard and back, against bare `trueskill.rate`."""

import random
import tempfile
import time
import warnings
from pathlib import Path

from benchmarks.measure import figure, interleaved, report
from workers.cli.embedded import DataDir, start_redis
from workers.codec import to_json
from workers.model import Leaderboard, LedgerEntry, MatchEnd, MatchReport, Player, RatingParameters, Scope
from workers.projection import project
from workers.store import Store, keys

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import trueskill

BOTS = 30
BLOCKS = 250
MATCHES = 6
UNIT = "updates/s"


def entries(count: int = BLOCKS, bots: int = BOTS, seed: int = 1) -> list[LedgerEntry]:
    """Blocks of six matches among random triples, places by luck and a strength that grows with the number."""
    draw = random.Random(seed)
    made = []
    for index in range(count):
        three = draw.sample(range(bots), 3)
        matches = []
        for number in range(MATCHES):
            scores = [int(bot * 10 + draw.gauss(0, 150)) for bot in three]
            ranking = tuple(1 + sum(o > s for o in scores) for s in scores)
            seats = tuple(Player(f"b{bot}") for bot in three)
            name = f"m{index}-{number}"
            matches.append(
                MatchReport(name, seats, MatchEnd.PLAYED, ranking, tuple(scores), 12, 400, ({}, {"timeout": 1}, {}))
            )
        made.append(LedgerEntry("t", index, 1, f"t_{index}", "tournament", True, tuple(matches)))
    return made


def ours(store: Store, board: Leaderboard) -> float:
    """One whole projection."""
    store.leaderboards.clear(board.leaderboard_id)
    start = time.perf_counter()
    project(store, board)
    return BLOCKS * MATCHES / (time.perf_counter() - start)


def bare(made: list[LedgerEntry]) -> float:
    """The same matches through the library alone."""
    p = RatingParameters()
    env = trueskill.TrueSkill(p.mu, p.sigma, p.beta, p.tau, p.draw_probability)
    ratings = {f"b{i}.1": env.create_rating() for i in range(BOTS)}
    matches = [([s.key for s in m.seats], m.ranking) for entry in made for m in entry.matches]
    start = time.perf_counter()
    for names, ranking in matches:
        new = env.rate([(ratings[name],) for name in names], ranks=ranking)
        for name, (rating,) in zip(names, new, strict=True):
            ratings[name] = rating
    return len(matches) / (time.perf_counter() - start)


def main() -> None:
    """Print the figure."""
    made = entries()
    with tempfile.TemporaryDirectory() as folder:
        data = DataDir(Path(folder))
        server, url = start_redis(data)
        store = Store(url)
        try:
            store.connection.client.rpush(keys.LEDGER, *map(to_json, made))
            board = store.leaderboards.create(Leaderboard("bench", "bench", Scope.ALL))
            mine, peer = interleaved(lambda: ours(store, board), lambda: bare(made))
            report(figure("projection", mine, peer, UNIT))
        finally:
            store.close()
            server.stop()
            data.release()


if __name__ == "__main__":
    main()

"""Ledger entries for tests: blocks of six matches by dice."""

import random
from collections.abc import Sequence
from itertools import permutations

from workers.model import LedgerEntry, MatchEnd, MatchReport, Player

CAUSES = ("timeout", "illegal", "disconnected")


def block(index: int, players: Sequence[Player], draw: random.Random, *, tournament: str = "t1") -> LedgerEntry:
    """All seat orders of these players, places by dice, ties and strikes among them."""
    matches = []
    for number, seats in enumerate(permutations(players)):
        scores = tuple(draw.randrange(-4, 12) * 100 for _ in seats)
        strikes = tuple({draw.choice(CAUSES): draw.randrange(1, 4)} if draw.random() < 0.1 else {} for _ in seats)
        matches.append(
            MatchReport(
                f"{tournament}-{index}-{number}",
                seats,
                MatchEnd.PLAYED,
                tuple(1 + sum(other > mine for other in scores) for mine in scores),
                scores,
                draw.randrange(3, 30),
                100,
                strikes,
                (draw.randrange(len(seats)),) if draw.random() < 0.05 else (),
                first_dealer=draw.randrange(-1, len(seats)),
            )
        )
    return LedgerEntry(tournament, index, 1, f"{tournament}_{index}", "tournament", True, tuple(matches))


def blocks(count: int, bots: int, seed: int = 1, versions: int = 1) -> list[LedgerEntry]:
    """Blocks among random triples; versions rise as the ledger grows."""
    draw = random.Random(seed)
    return [
        block(i, [Player(f"b{b}", 1 + i * versions // count) for b in draw.sample(range(bots), 3)], draw)
        for i in range(count)
    ]

"""Time and memory of planning 10,000 entrants `balanced`: all tables ready to be read, and their counts known.

Each round in a fresh process, so that nothing is remembered. The peer walks once over all 49,995,000 pairs and does
nothing with them: the least that a plan must do that looks at each meeting. Its memory is that of the process before.
"""

import json
import resource
import subprocess
import sys
import time
from itertools import combinations
from statistics import median

from benchmarks.measure import HERE, Figure, report
from workers.formats import Plan, next_round, outlook
from workers.model import Entrant, Player

ENTRANTS = 10_000
ROUNDS = 3
CASES = {"plan": (3, 0), "plan/owners": (3, 2_000), "plan/four": (4, 0)}  # seats, owners (0: each its own)


def peak() -> float:
    """MiB that this process has had resident at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(seats: int, owners: int) -> tuple[float, float, float, float]:
    """Seconds and peak MiB of a plan, and the same of the peer. Run once in a process."""
    entrants = [Entrant(Player(f"b{i}"), f"o{i % owners}" if owners else "") for i in range(ENTRANTS)]
    before = peak()
    start = time.perf_counter()
    tables = next_round("balanced", Plan(seats), entrants)
    counts = outlook("balanced", Plan(seats), entrants)
    assert tables is not None
    assert len(tables[:128]) == 128
    assert len(tables) == counts.blocks
    ours, after = time.perf_counter() - start, peak()
    start = time.perf_counter()
    assert sum(1 for _ in combinations(range(ENTRANTS), 2)) == ENTRANTS * (ENTRANTS - 1) // 2
    return ours, after, time.perf_counter() - start, before


def main() -> None:
    """Print the figures."""
    for name, (seats, owners) in CASES.items():
        script = f"import json; from benchmarks.plan import measured; print(json.dumps(measured({seats}, {owners})))"
        command = [sys.executable, "-c", script]
        rounds = [
            json.loads(subprocess.run(command, cwd=HERE.parent, check=True, capture_output=True, text=True).stdout)
            for _ in range(ROUNDS)
        ]
        ours, after, peer, before = (median(values) for values in zip(*rounds, strict=True))
        report(Figure(f"{name}/seconds", round(ours, 2), round(peer, 2), round(peer / ours, 3), "s"))
        report(Figure(f"{name}/memory", round(after, 1), round(before, 1), round(before / after, 3), "MiB resident"))


if __name__ == "__main__":
    main()

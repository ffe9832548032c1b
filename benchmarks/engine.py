"""Decisions per second of random play of whole deals through the engine, against OpenSpiel's Skat from Python."""

import random
import time
from collections.abc import Callable

from benchmarks.measure import figure, interleaved, peer_rate, report
from thousand.rules import PRESETS, Ruleset, apply, decision, new_match, seed_from_int

SECONDS = 1.0
UNIT = "decisions/s"


def random_play(ruleset: Ruleset, seconds: float = SECONDS) -> float:
    """Decisions per second: matches by seed, every action drawn evenly from the legal ones."""
    choice = random.Random(1).choice
    decisions = seed = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        seed += 1
        match = new_match(ruleset, seed_from_int(seed))
        while (asked := decision(match)) is not None:
            apply(match, choice(asked.actions))
            decisions += 1
    return decisions / (time.perf_counter() - start)


def measure_of(ruleset: Ruleset) -> Callable[[], float]:
    """The measurement of one ruleset."""
    return lambda: random_play(ruleset)


def skat() -> float:
    """The peer's rate."""
    return peer_rate("skat.py", [str(SECONDS)])


def main() -> None:
    """The figure that counts, then one for every preset with fewer rounds."""
    ours, peer = interleaved(measure_of(PRESETS["tournament"]), skat)
    report(figure("engine", ours, peer, UNIT))
    names = sorted(PRESETS)
    *rates, peer = interleaved(*(measure_of(PRESETS[name]) for name in names), skat, rounds=1)
    for name, rate in zip(names, rates, strict=True):
        report(figure(f"engine/{name}", rate, peer, UNIT))

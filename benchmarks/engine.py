"""Decisions per second of random play of whole deals through the engine, against OpenSpiel's Skat from Python.

A deal given up is no whole deal: `engine` and `engine/pure` play `tournament` without giving up, every `engine/PRESET`
draws that like any other action. `engine` is the engine as installed, compiled or not, `engine/pure` its sources.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks.measure import figure, interleaved, peer_rate, report
from thousand import compiled
from thousand.rules import PRESETS, Ruleset, apply, legal_actions, new_match, ruleset_from, seed_from_int

SECONDS = 1.0
UNIT = "decisions/s"
WHOLE_DEALS = ruleset_from("tournament", {"write_off": "off"})


def random_play(ruleset: Ruleset, seconds: float = SECONDS) -> float:
    """Decisions per second: matches by seed, every action drawn evenly from the legal ones."""
    choice = random.Random(1).choice
    decisions = seed = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        seed += 1
        match = new_match(ruleset, seed_from_int(seed))
        while actions := legal_actions(match):
            apply(match, choice(actions))
            decisions += 1
    return decisions / (time.perf_counter() - start)


def measure_of(ruleset: Ruleset) -> Callable[[], float]:
    """The measurement of one ruleset."""
    return lambda: random_play(ruleset)


def skat() -> float:
    """The peer's rate."""
    return peer_rate("skat.py", [str(SECONDS)])


def pure() -> float:
    """The rate of the sources, in a process that leaves a build aside."""
    command = [sys.executable, "-c", "from benchmarks import engine; print(engine.random_play(engine.WHOLE_DEALS))"]
    environment = os.environ | {compiled.PURE: "1"}
    return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """The figure that counts and that of the sources, then one for every preset with fewer rounds."""
    ours, plain, peer = interleaved(measure_of(WHOLE_DEALS), pure, skat)
    report(figure("engine", ours, peer, UNIT))
    report(figure("engine/pure", plain, peer, UNIT))
    names = sorted(PRESETS)
    *rates, peer = interleaved(*(measure_of(PRESETS[name]) for name in names), skat, rounds=1)
    for name, rate in zip(names, rates, strict=True):
        report(figure(f"engine/{name}", rate, peer, UNIT))

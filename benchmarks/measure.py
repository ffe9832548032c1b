"""What all benchmarks share: interleaved medians, and one JSON line per figure."""

import json
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
PEER_PYTHON = HERE / ".venv-peers" / "bin" / "python"
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of output: two rates in the same unit, and ours divided by the peer's."""

    name: str
    ours: float
    peer: float
    ratio: float
    unit: str


def figure(name: str, ours: float, peer: float, unit: str) -> Figure:
    """A figure with readable digits."""
    return Figure(name, round(ours, 1), round(peer, 1), round(ours / peer, 3), unit)


def report(line: Figure) -> None:
    """Print the figure as one JSON line."""
    print(json.dumps(asdict(line)), flush=True)


def interleaved(*measures: Callable[[], float], rounds: int = ROUNDS) -> tuple[float, ...]:
    """The median of each measure; they take turns, so that a busy machine slows all of them alike."""
    taken: list[list[float]] = [[] for _ in measures]
    for _ in range(rounds):
        for values, measure in zip(taken, measures, strict=True):
            values.append(measure())
    return tuple(median(values) for values in taken)


def peer_rate(script: str, arguments: Sequence[str] = ()) -> float:
    """The rate that `benchmarks/peers/SCRIPT` prints, run in the peers' venv. Raises RuntimeError without it."""
    if not PEER_PYTHON.exists():
        raise RuntimeError("the peers are not installed: run make setup-bench")
    command = [str(PEER_PYTHON), str(HERE / "peers" / script), *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

"""The benchmarks' helper; the measurements themselves are `make bench`."""

import json

import pytest

from benchmarks.__main__ import NAMES, main
from benchmarks.measure import HERE, figure, interleaved, report


def test_measures_take_turns_and_medians_are_returned() -> None:
    calls: list[str] = []

    def ours() -> float:
        calls.append("ours")
        return float(len(calls))

    def peer() -> float:
        calls.append("peer")
        return 2.0

    assert interleaved(ours, peer, rounds=3) == (3.0, 2.0)
    assert calls == ["ours", "peer"] * 3


def test_a_figure_is_one_json_line(capsys: pytest.CaptureFixture[str]) -> None:
    report(figure("engine", 300.04, 100.0, "decisions/s"))
    out = capsys.readouterr().out
    assert json.loads(out) == {"name": "engine", "ours": 300.0, "peer": 100.0, "ratio": 3.0, "unit": "decisions/s"}
    assert out.count("\n") == 1


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "engine" in capsys.readouterr().err


def test_every_benchmark_is_in_the_readme() -> None:
    text = (HERE / "README.md").read_text(encoding="utf-8")
    assert [name for name in NAMES if f"`{name}`" not in text] == []

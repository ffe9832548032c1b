"""Control variates: no bias under any preset, honest corrections, and what they explain."""

import random
from statistics import fmean, pvariance

import pytest

from thousand.luck import Adjustment, controls, solved
from thousand.rules import PRESETS, one_deal, seed_from_int


@pytest.mark.parametrize("preset", ["tournament", "classic-2", "intro-dummy", "headon", "intro-2x4", "classic-4"])
def test_their_mean_is_zero(preset: str) -> None:
    rules = one_deal(PRESETS[preset])
    seen = [controls(rules, seed_from_int(seed), seed % rules.players) for seed in range(1500)]
    for column, widest in zip(zip(*seen, strict=True), (3.5, 0.1, 0.05), strict=True):
        assert abs(fmean(column)) < widest
    known = PRESETS[preset].cut_ritual.value == "off"
    assert any(pvariance(column) > 0 for column in list(zip(*seen, strict=True))[:2]) == known


def test_a_decks_own_result_never_decides_its_correction() -> None:
    luck = Adjustment(3)
    assert luck.adjusted([100.0, -20.0], [(5.0, 1.0, 0.0), (0.0, -1.0, 1.0)]) == [100.0, -20.0]  # nothing known before
    one, other = Adjustment(3), Adjustment(3)
    for adjustment in (one, other):
        adjustment.adjusted([100.0, -20.0, 3.0], [(5.0, 1.0, 0.0), (0.0, -1.0, 1.0), (1.0, 0.0, 0.0)])
    seen = [(7.0, 2.0, -1.0)]
    assert one.adjusted([50.0], seen)[0] - 50.0 == pytest.approx(other.adjusted([-900.0], seen)[0] + 900.0)


def test_what_controls_explain_is_taken_out() -> None:
    draw = random.Random(1)
    luck = Adjustment(3)
    raw: list[float] = []
    left: list[float] = []
    for _ in range(30):
        seen = [(draw.gauss(0, 1), draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(40)]
        values = [7 + 3 * a - 2 * b + draw.gauss(0, 2) for a, b, _ in seen]
        raw += values
        left += luck.adjusted(values, seen)
    assert fmean(left) == pytest.approx(7, abs=0.3)
    assert pvariance(left[200:]) < 0.35 * pvariance(raw)


def test_the_equations_are_solved() -> None:
    assert solved([[4.0, 1.0], [1.0, 3.0]], [9.0, 5.0]) == pytest.approx([2.0, 1.0])

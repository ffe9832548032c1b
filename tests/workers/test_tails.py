"""TrueSkill's corrections against the library's with sixty digits, from the middle to a hundred thousand sigmas out."""

import random
import warnings
from collections.abc import Callable
from math import isfinite

import mpmath
import pytest

from workers import tails

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import trueskill


def cases(count: int = 400) -> list[tuple[float, float]]:
    """Differences of all sizes, and margins that a tie can have."""
    draw = random.Random(1)
    return [(draw.choice([-1, 1]) * 10 ** draw.uniform(-4, 5), 10 ** draw.uniform(-4, 1)) for _ in range(count)]


@pytest.mark.parametrize("mine", [tails.v_win, tails.w_win, tails.v_draw, tails.w_draw])
def test_they_are_the_library_s_with_more_digits(mine: Callable[[float, float], float]) -> None:
    compared = 0
    with mpmath.workdps(60):
        exact = trueskill.TrueSkill(backend="mpmath")
        for difference, margin in cases():
            try:
                wanted = getattr(exact, mine.__name__)(mpmath.mpf(difference), mpmath.mpf(margin))
            except FloatingPointError:  # sixty digits do not suffice there
                continue
            assert mine(difference, margin) == pytest.approx(float(wanted), rel=1e-6, abs=1e-6), (difference, margin)
            compared += 1
    assert compared > 300


def test_nothing_is_ever_certain_nor_beyond_numbers() -> None:
    for difference, margin in [*cases(), (1e200, 1.0), (-1e200, 1e-300), (0.0, 1e-300), (0.0, 30.0)]:
        assert isfinite(tails.v_win(difference, margin))
        assert isfinite(tails.v_draw(difference, margin))
        assert 0 <= tails.w_win(difference, margin) < 1
        assert 0 <= tails.w_draw(difference, margin) < 1

"""Block-clustered sums: the same interval as the simulator's from the whole list, in any order, to the last bit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand.simulator import ratio
from workers.sums import NONE, Sums, share_interval

BLOCKS = st.lists(st.tuples(st.integers(-5000, 5000), st.integers(1, 400)), min_size=2, max_size=40)


def summed(blocks: list[tuple[int, int]]) -> Sums:
    """One after the other."""
    sums = NONE
    for points, deals in blocks:
        sums = sums.plus(points, deals)
    return sums


@given(BLOCKS)
def test_mean_and_interval_are_the_simulator_s(blocks: list[tuple[int, int]]) -> None:
    mean, half = ratio(blocks)
    sums = summed(blocks)
    assert sums.mean == pytest.approx(mean)
    assert sums.half == pytest.approx(half, abs=1e-6)


@given(BLOCKS, st.randoms())
def test_order_changes_no_bit(blocks: list[tuple[int, int]], draw: object) -> None:
    mixed = list(blocks)
    draw.shuffle(mixed)  # type: ignore[attr-defined]  # hypothesis' Random
    assert (summed(mixed).half, summed(mixed).mean) == (summed(blocks).half, summed(blocks).mean)


def test_matches_of_one_block_are_one_witness() -> None:
    """A program that takes them for six independent ones tells an interval that is too narrow."""
    one, six = summed([(600, 60), (0, 60)]), summed([(100, 10)] * 6 + [(0, 10)] * 6)
    assert one.mean == six.mean == 5.0
    assert (one.half or 0) > 5 * (six.half or 0)


def test_one_block_has_no_interval() -> None:
    assert NONE.mean == 0.0
    assert NONE.half is None
    assert NONE.plus(10, 5).half is None
    assert NONE.plus(0, 0).plus(0, 0).half is None


def test_a_block_without_a_deal_is_no_witness() -> None:
    """A program that counts a no-show tells of one played block that its mean is sure to ± 0."""
    assert NONE.plus(0, 0).plus(216, 36).plus(0, 0).half is None
    assert summed([(600, 60), (0, 0), (0, 60)]) == summed([(600, 60), (0, 60)])


def test_turned_sums_are_those_of_turned_points() -> None:
    blocks = [(5, 3), (-7, 4), (100, 9)]
    assert summed(blocks).negated == summed([(-points, deals) for points, deals in blocks])


def test_a_share_s_interval_holds_it_and_stays_inside_0_and_1() -> None:
    assert share_interval(50, 150) == pytest.approx((0.263, 0.412), abs=1e-3)
    assert share_interval(0, 20) == pytest.approx((0.0, 0.161), abs=1e-3)
    assert share_interval(20, 20) == pytest.approx((0.839, 1.0), abs=1e-3)

"""Whole deals: the engine and the naive reference ask the same questions and write the same score sheets."""

import random

import pytest

from tests.reference.compare import DealComparison, Summary


def compare(deals: int, start: int) -> Summary:
    summary = Summary()
    for number in range(start, start + deals):
        DealComparison(random.Random(number), summary).run()
    print(summary)
    return summary


def test_2000_random_deals() -> None:
    summary = compare(2_000, 0)
    assert summary.deals == 2_000
    assert len(summary.by_preset) == 26


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_100000_random_deals(part: int) -> None:
    assert compare(10_000, 1_000_000 + 10_000 * part).deals == 10_000

"""The end of a deal: the engine and the naive reference agree on drawn outcomes."""

import random

import pytest

from tests.reference.compare_scoring import compare_outcome


def compare(outcomes: int, start: int) -> None:
    for number in range(start, start + outcomes):
        compare_outcome(random.Random(number))
    print(f"reference: {outcomes} random outcomes of deals: 0 differences")


def test_2000_random_outcomes() -> None:
    compare(2_000, 0)


@pytest.mark.soak
def test_100000_random_outcomes() -> None:
    compare(100_000, 1_000_000)

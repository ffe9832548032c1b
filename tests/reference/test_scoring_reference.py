"""The end of a deal: the engine and the naive reference agree on drawn outcomes."""

import random
from collections.abc import Callable

import pytest

from tests.reference.compare_scoring import compare_outcome

Tell = Callable[[str, object], None]  # pytest's record_property: conftest prints what is named `summary`


def compare(outcomes: int, start: int, record_property: Tell) -> None:
    for number in range(start, start + outcomes):
        compare_outcome(random.Random(number))
    record_property("summary", f"reference: {outcomes} random outcomes of deals: 0 differences")


def test_2000_random_outcomes(record_property: Tell) -> None:
    compare(2_000, 0, record_property)


@pytest.mark.soak
def test_100000_random_outcomes(record_property: Tell) -> None:
    compare(100_000, 1_000_000, record_property)

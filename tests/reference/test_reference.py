"""Whole deals: the engine and the naive reference ask the same questions and write the same score sheets."""

import random
from collections.abc import Callable

import pytest

from tests.reference.compare import DealComparison, Summary

Tell = Callable[[str, object], None]  # pytest's record_property: conftest prints what is named `summary`


def compare(deals: int, start: int, record_property: Tell) -> Summary:
    summary = Summary()
    for number in range(start, start + deals):
        DealComparison(random.Random(number), summary).run()
    record_property("summary", str(summary))
    return summary


@pytest.mark.timeout(300)  # ten seconds of work, a minute where cores are shared
def test_2000_random_deals(record_property: Tell) -> None:
    summary = compare(2_000, 0, record_property)
    assert summary.deals == 2_000
    assert len(summary.by_preset) == 26


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_100000_random_deals(part: int, record_property: Tell) -> None:
    assert compare(10_000, 1_000_000 + 10_000 * part, record_property).deals == 10_000

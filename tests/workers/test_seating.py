"""Filling a round: against all rounds there are, and in size."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from workers.formats.seating import fill


def rounds(left: Sequence[int], seats: int) -> Iterator[list[tuple[int, ...]]]:
    """Every way to fill tables with all of these."""
    if not left:
        yield []
        return
    for others in combinations(left[1:], seats - 1):
        rest = [who for who in left[1:] if who not in others]
        for more in rounds(rest, seats):
            yield [(left[0], *others), *more]


def again(tables: Sequence[tuple[int, ...]], met: Sequence[Counter[int]]) -> int:
    return sum(met[a][b] for table in tables for a, b in combinations(table, 2))


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_nobody_meets_again_more_often_than_necessary(data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from([2, 3, 4]))
    count = seats * data.draw(st.integers(1, 8 // seats + (seats == 3)))
    met: list[Counter[int]] = [Counter() for _ in range(count)]
    for a, b in data.draw(st.lists(st.sampled_from(list(combinations(range(count), 2))), max_size=20)):
        met[a][b] += 1
        met[b][a] += 1
    groups = [0, 0 if count > seats else 1, *range(2, count)]  # the first two are one owner's, if that leaves a way
    ways = (r for r in rounds(range(count), seats) if groups[1] or not any({0, 1} <= set(t) for t in r))
    least = min(again(way, met) for way in ways)
    found = fill(range(count), seats, groups, met, data.draw(st.binary(max_size=2)))
    assert sorted(who for table in found for who in table) == list(range(count))
    assert all(len({groups[who] for who in table}) == seats for table in found)
    assert again(found, met) == least


def test_neighbours_stay_together_where_nothing_speaks_against_it() -> None:
    nobody: list[Counter[int]] = [Counter() for _ in range(12)]
    assert fill(range(12), 3, range(12), nobody, b"") == ((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11))
    nobody[0][1] = nobody[1][0] = 1
    moved = fill(range(12), 3, range(12), nobody, b"")
    assert {frozenset(t) for t in moved} & {frozenset({6, 7, 8}), frozenset({9, 10, 11})}


def test_thousands_are_seated_in_seconds() -> None:
    met = [Counter({who ^ 1: 1}) for who in range(3000)]  # every first pair of a table has met
    begun = time.monotonic()
    tables = fill(range(3000), 3, [who // 3 for who in range(3000)], met, b"")
    assert time.monotonic() - begun < 20
    assert again(tables, met) == 0
    assert all(len({who // 3 for who in table}) == 3 for table in tables)

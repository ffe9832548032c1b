"""Covers of all pairs by tables of four: the shortest that a few recipes give, large ones by formula.

Recipes: known systems where every pair meets once, with up to two points left out; transversal designs over covers of
their groups; one point more; for the smallest a search.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from workers.formats.base import Table
from workers.formats.designs import Design, Listed, Transversal

_SEARCHED: Final = 12  # up to so many points a search is as good as anything
_LISTED: Final = 64
_TRIES: Final = 20
# Blocks of differences: moved through all points they hold each pair once. 25 is modulo (5, 5), written 5 a + b.
_FAMILIES: Final = {
    13: ((0, 1, 3, 9),),
    25: ((0, 1, 5, 12), (0, 2, 10, 24)),
    37: ((0, 1, 3, 24), (0, 4, 26, 32), (0, 10, 18, 30)),
}


@lru_cache(maxsize=64)
def fours(points: int) -> Design:
    """A cover of that many points, from 4."""
    if points <= _LISTED:
        return Listed(points, _listed(points))
    return _transversal(*min(_shapes(points), key=lambda shape: (_length(*shape), shape)))


def _transversal(size: int, last: int, shared: bool) -> Transversal:
    return Transversal(size, last, shared, [fours(n + shared) for n in (size, size, size, last)])


def _shapes(points: int) -> Iterator[tuple[int, int, bool]]:
    """Group size, size of the last group, whether a point is shared."""
    for size in range(points // 4, points // 4 + 4):
        for shared in (False, True):
            last = points - shared - 3 * size
            if size % 4 != 2 and size >= 3 and 0 < last <= size and min(last + shared, size + shared) >= 4:
                yield size, last, shared


@lru_cache(maxsize=1024)
def _length(size: int, last: int, shared: bool) -> int:
    return size * size + sum(_least(n + shared) for n in (size, size, size, last))


def _least(points: int) -> int:
    if points <= _LISTED:
        return len(_listed(points))
    return min(_length(*shape) for shape in _shapes(points))


@lru_cache(maxsize=_LISTED)
def _listed(points: int) -> tuple[Table, ...]:
    """The shortest, also of those made by leaving out points of a larger system."""
    made = [_made(points)]
    made += [_without(larger, points) for larger in (points + 1, points + 2) if larger in (13, 16, 25, 37, 40)]
    return min(made, key=len)


@lru_cache(maxsize=_LISTED)
def _made(points: int) -> tuple[Table, ...]:
    if points in _FAMILIES:
        return tuple(_family(points))
    if points <= _SEARCHED:
        return _search(points)
    ways = [_one_more(points)]
    ways += [tuple(_transversal_list(*shape)) for shape in _shapes_of_lists(points)]
    return min((_pruned(points, way) for way in ways), key=len)


def _family(points: int) -> Iterator[Table]:
    for block in _FAMILIES[points]:
        for by in range(points):
            yield tuple(sorted(_moved(point, by, points) for point in block))


def _moved(point: int, by: int, points: int) -> int:
    if points == 25:
        return (point // 5 + by // 5) % 5 * 5 + (point + by) % 5
    return (point + by) % points


def _shapes_of_lists(points: int) -> Iterator[tuple[int, int, int]]:
    """Group size, size of the last group, how many points all groups share."""
    for size in range(3, points // 3):
        for shared in range(5):
            last = points - shared - 3 * size
            if size % 4 != 2 and 0 <= last <= size:
                yield size, last, shared


def _transversal_list(size: int, last: int, shared: int) -> Iterator[Table]:
    points = 3 * size + last + shared
    if last:
        design = Transversal(size, last, False, [Listed(0, ())] * 4)
        yield from (design.at(place) for place in range(size * size))
    for group, held in enumerate((size, size, size, last)):
        inner = [*range(group * size, group * size + held), *range(points - shared, points)]
        yield from (tuple(inner[p] for p in block) for block in (_made(len(inner)) if len(inner) >= 4 else ()))


def _one_more(points: int) -> tuple[Table, ...]:
    more = points - 1
    others = [[*range(i, min(i + 3, more)), 0, 1, 2] for i in range(0, more, 3)]
    return (*_made(points - 1), *(tuple(sorted({*list(dict.fromkeys(o))[:3], more})) for o in others))


def _without(larger: int, points: int) -> tuple[Table, ...]:
    """The last points left out, and their places filled with whoever has met least."""
    met: Counter[int] = Counter()
    found = []
    for block in _made(larger):
        kept = [p for p in block if p < points]
        rest = sorted((p for p in range(points) if p not in kept), key=lambda p: (met[p], p))
        kept += rest[: 4 - len(kept)]
        met.update(kept)
        found.append(tuple(sorted(kept)))
    return _pruned(points, found)


def _search(points: int) -> tuple[Table, ...]:
    draw = random.Random(points)
    return min((_pruned(points, _greedy(points, draw)) for _ in range(_TRIES)), key=len)


def _greedy(points: int, draw: random.Random) -> list[Table]:
    """The block with most pairs that have not met, one after the other."""
    sets = list(combinations(range(points), 4))
    left = set(combinations(range(points), 2))
    found: list[Table] = []
    while left:
        draw.shuffle(sets)
        best = max(sets, key=lambda block: sum(pair in left for pair in combinations(block, 2)))
        left.difference_update(combinations(best, 2))
        found.append(best)
    return found


def _pruned(points: int, blocks: Sequence[Table]) -> tuple[Table, ...]:
    """With blocks filled where pairs are missing, and without those whose pairs all meet elsewhere."""
    made = [*blocks]
    met = Counter(pair for block in made for pair in combinations(block, 2))
    for a, b in combinations(range(points), 2):
        if not met[a, b]:
            rest = sorted(
                (p for p in range(points) if p not in (a, b)),
                key=lambda p: (met[min(a, p), max(a, p)] + met[min(b, p), max(b, p)], p),
            )
            made.append(tuple(sorted((a, b, *rest[:2]))))
            met.update(combinations(made[-1], 2))
    for block in list(made):
        if all(met[pair] > 1 for pair in combinations(block, 2)):
            made.remove(block)
            met.subtract(combinations(block, 2))
    return tuple(made)

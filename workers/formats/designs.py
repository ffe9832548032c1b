"""Steiner triple systems, and near-optimal covers of all pairs by triples: formulas, no search.

Law: `triple_cover(n)` holds every pair of 0 … n-1 in at least one triple; for n of 1 or 3 modulo 6 in exactly one.
"""

from collections.abc import Callable, Iterator

Triple = tuple[int, int, int]


def triple_cover(n: int) -> Iterator[Triple]:
    """Triples covering all pairs; n from 3. 100 points need 1,667 of them, which is the lower bound."""
    rest = {0: 3, 1: 0, 2: 1, 3: 0, 4: 1, 5: 2}[n % 6]
    core = n - rest
    if core < 3:  # n = 4, 5, 6 have a core of 3; nothing smaller is asked
        raise ValueError(f"{n} points make no triple")
    yield from steiner_triples(core)
    extra = range(core, n)
    if rest == 1:
        yield from _with_pairs(core, extra[0], list(range(core)))
    elif rest == 2:
        yield (0, *extra)
        for shift, point in enumerate(extra):
            yield from _with_pairs(core, point, _turned(list(range(1, core)), shift))
    elif rest == 3:
        yield (extra[0], extra[1], extra[2])
        for shift, point in enumerate(extra):
            yield from _with_pairs(core, point, _turned(list(range(core)), shift))


def _turned(points: list[int], shift: int) -> list[int]:
    """Other pairs of neighbours for another shift, so that no pair meets much more often than others."""
    return points[shift:] + points[:shift]


def _with_pairs(core: int, point: int, points: list[int]) -> Iterator[Triple]:
    """The new point with each of these, two at a time; an odd one out goes with the first."""
    for i in range(0, len(points), 2):
        other = points[i + 1] if i + 1 < len(points) else points[0]
        a, b = sorted((points[i], other))
        yield (a, b, point)


def steiner_triples(n: int) -> Iterator[Triple]:
    """Every pair in exactly one triple, for n of 1 or 3 modulo 6 (Bose's and Skolem's constructions)."""
    if n % 6 == 3:
        yield from _bose(n // 3)
    elif n % 6 == 1 and n >= 7:
        yield from _skolem((n - 1) // 6)
    else:
        raise ValueError(f"no Steiner triple system has {n} points")


def _bose(order: int) -> Iterator[Triple]:
    """order odd: an idempotent commutative quasigroup i∘j = (i+j)/2 modulo order."""
    half = (order + 1) // 2
    for i in range(order):
        yield (i, order + i, 2 * order + i)
    for i in range(order):
        for j in range(i + 1, order):
            middle = (i + j) * half % order
            for level in range(3):
                yield _triple(level * order + i, level * order + j, (level + 1) % 3 * order + middle)


def _skolem(t: int) -> Iterator[Triple]:
    """order 2t: a half-idempotent commutative quasigroup, and one point beside the three levels."""
    order, infinity = 2 * t, 6 * t
    product = _half_idempotent(order)
    for i in range(t):
        yield (i, order + i, 2 * order + i)
        for level in range(3):
            yield _triple(infinity, level * order + t + i, (level + 1) % 3 * order + i)
    for i in range(order):
        for j in range(i + 1, order):
            for level in range(3):
                yield _triple(level * order + i, level * order + j, (level + 1) % 3 * order + product(i, j))


def _half_idempotent(order: int) -> Callable[[int, int], int]:
    half = order // 2

    def product(i: int, j: int) -> int:
        total = (i + j) % order
        return total // 2 if total % 2 == 0 else (total - 1) // 2 + half

    return product


def _triple(a: int, b: int, c: int) -> Triple:
    x, y, z = sorted((a, b, c))
    return (x, y, z)

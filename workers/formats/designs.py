"""Covers of all pairs by tables of three or four: formulas for large ones, so that no list of them is needed.

Law: every pair of the points 0 … n-1 is in exactly one regular block (and may be in irregular ones besides), or in
irregular blocks only; those are few, of the order of n, and can be listed.
"""

import random
from collections.abc import Iterator, Sequence

from workers.formats.base import Table
from workers.formats.lazy import Tables


class Design(Tables):
    """Blocks by place; `points` of them are covered."""

    points: int

    def block_of(self, a: int, b: int) -> int | None:
        """The place of the regular block that holds both; None if only irregular ones do."""
        raise NotImplementedError

    def irregular(self) -> Iterator[int]:
        """The places of the irregular blocks."""
        raise NotImplementedError


class Listed(Design):
    """A cover as a list; all blocks count as irregular."""

    def __init__(self, points: int, blocks: Sequence[Table]) -> None:
        self.points, self._blocks = points, blocks

    def __len__(self) -> int:
        return len(self._blocks)

    def at(self, place: int) -> Table:
        return self._blocks[place]

    def block_of(self, a: int, b: int) -> int | None:
        return None

    def irregular(self) -> Iterator[int]:
        return iter(range(len(self._blocks)))


class Shuffled(Design):
    """The same with its points in another order, always the same one: for what is regular in the order of the bots."""

    def __init__(self, design: Design) -> None:
        self.points, self._design = design.points, design
        self._outer = list(range(design.points))
        random.Random(design.points).shuffle(self._outer)
        self._inner = _inverse(self._outer)

    def __len__(self) -> int:
        return len(self._design)

    def at(self, place: int) -> Table:
        return _ascending(*(self._outer[point] for point in self._design.at(place)))

    def block_of(self, a: int, b: int) -> int | None:
        return self._design.block_of(self._inner[a], self._inner[b])

    def irregular(self) -> Iterator[int]:
        return self._design.irregular()


class Steiner(Design):
    """Every pair in exactly one triple, for n of 1 or 3 modulo 6 (Bose's and Skolem's constructions).

    Three levels of `order` points each, and for Skolem's one point more. Two points i, j of a level go with the point
    i∘j of the next; what is left over are `base` triples. Unordered pairs are numbered by their difference d and the
    end x from which the other is d further, modulo the order.
    """

    def __init__(self, points: int) -> None:
        if points % 6 not in (1, 3) or points < 3:
            raise ValueError(f"no Steiner triple system has {points} points")
        self.points = points
        self._odd = points % 6 == 3
        self._order = points // 3
        self._base = self._order if self._odd else 2 * self._order

    def __len__(self) -> int:
        return self.points * (self.points - 1) // 6

    def at(self, place: int) -> Table:
        order = self._order
        if place >= self._base:
            pair, level = divmod(place - self._base, 3)
            d, x = divmod(pair, order)
            i, j = x, (x + d + 1) % order
            return _ascending(level * order + i, level * order + j, (level + 1) % 3 * order + self._product(i, j))
        if self._odd:
            return (place, order + place, 2 * order + place)
        i, kind = divmod(place, 4)
        if kind == 0:
            return (i, order + i, 2 * order + i)
        level, half = kind - 1, order // 2
        return _ascending(3 * order, level * order + half + i, (level + 1) % 3 * order + i)

    def block_of(self, a: int, b: int) -> int:
        order = self._order
        if max(a, b) == 3 * order:
            level, i = divmod(min(a, b), order)
            return 4 * i + 1 + (level - 1) % 3 if i < order // 2 else 4 * (i - order // 2) + 1 + level
        (level, i), (other, m) = divmod(a, order), divmod(b, order)
        if level == other:
            return self._base + 3 * self._pair(i, m) + level
        if (level + 1) % 3 != other:
            level, i, m = other, m, i
        j = (self._square(m) - i) % order
        if i != j:
            return self._base + 3 * self._pair(i, j) + level
        if self._odd:
            return m
        return 4 * m if i == m else 4 * m + 1 + level

    def irregular(self) -> Iterator[int]:
        return iter(())

    def _product(self, i: int, j: int) -> int:
        total, half = (i + j) % self._order, self._order // 2
        if self._odd:
            return total * (half + 1) % self._order
        return total // 2 if total % 2 == 0 else (total - 1) // 2 + half

    def _square(self, m: int) -> int:
        """i + j for all i, j with i∘j = m."""
        half = self._order // 2
        return 2 * m if self._odd or m < half else 2 * (m - half) + 1

    def _pair(self, i: int, j: int) -> int:
        d = (j - i) % self._order
        x = i
        if 2 * d > self._order or (2 * d == self._order and j < i):
            d, x = self._order - d, j
        return (d - 1) * self._order + x


class Triples(Design):
    """A cover of any number of points by triples: a Steiner system, and irregular blocks for up to three points more.

    100 points need 1,667 blocks, which is the lower bound.
    """

    def __init__(self, points: int) -> None:
        self.points = points
        more = {0: 3, 1: 0, 2: 1, 3: 0, 4: 1, 5: 2}[points % 6]
        self._core = Steiner(points - more)
        self._rest = list(_with_more(points - more, range(points - more, points)))

    def __len__(self) -> int:
        return len(self._core) + len(self._rest)

    def at(self, place: int) -> Table:
        return self._core.at(place) if place < len(self._core) else self._rest[place - len(self._core)]

    def block_of(self, a: int, b: int) -> int | None:
        return self._core.block_of(a, b) if max(a, b) < self._core.points else None

    def irregular(self) -> Iterator[int]:
        return iter(range(len(self._core), len(self)))


def _with_more(core: int, more: range) -> Iterator[Table]:
    """Blocks for points beyond the core."""
    if len(more) == 2:
        yield (0, *more)
    elif len(more) == 3:
        yield tuple(more)
    first = 1 if len(more) == 2 else 0
    for shift, point in enumerate(more):
        points = list(range(first, core))
        turned = points[shift:] + points[:shift]  # other neighbours for another point: no pair meets much more often
        for i in range(0, len(turned), 2):
            other = turned[i + 1] if i + 1 < len(turned) else turned[0]
            yield _ascending(turned[i], other, point)


class Transversal(Design):
    """A cover by fours: four groups of q points, every two of different groups in one of q² blocks, and a cover of each
    group. The last group may be shorter (its missing points are filled up with others: irregular blocks); one point
    more may belong to all groups.

    Block (i, j) holds i, j, i + j and i + u j, in a ring where u and u - 1 have inverses: see `_Ring`.
    """

    def __init__(self, size: int, last: int, shared: bool, parts: Sequence[Design]) -> None:
        """`last`: the size of the last group. `parts`: a cover of each group, the shared point being its last one."""
        self.points = 3 * size + last + shared
        self._size, self._last, self._shared, self._parts = size, last, shared, parts
        self._ring = _Ring(size)
        self._starts = [size * size]
        for part in parts:
            self._starts.append(self._starts[-1] + len(part))

    def __len__(self) -> int:
        return self._starts[-1]

    def at(self, place: int) -> Table:
        q = self._size
        if place < self._starts[0]:
            i, j = divmod(place, q)
            fourth = self._ring.sum(i, self._ring.times[j])
            if fourth >= self._last:
                fourth = (i + 2 * j) % self._last  # somebody, as evenly as it comes
            return (i, q + j, 2 * q + self._ring.sum(i, j), 3 * q + fourth)
        number = next(n for n in (3, 2, 1, 0) if place >= self._starts[n])
        block = self._parts[number].at(place - self._starts[number])
        return tuple(self._outer(number, point) for point in block)

    def block_of(self, a: int, b: int) -> int | None:
        a, b = min(a, b), max(a, b)
        q = self._size
        last = self.points - 1
        group, other = a // q, min(b // q, 3)
        if self._shared and b == last:
            return self._within(group, a - group * q, self._parts[group].points - 1)
        if group == other:
            return self._within(group, a - group * q, b - group * q)
        i, j = self._ring.solve(group, a - group * q, other, b - other * q)
        if self._ring.sum(i, self._ring.times[j]) >= self._last:
            return None
        return i * q + j

    def irregular(self) -> Iterator[int]:
        q, ring = self._size, self._ring
        for missing in range(self._last, q):
            for j in range(q):
                yield ring.less(missing, ring.times[j]) * q + j
        for start, part in zip(self._starts, self._parts, strict=False):
            for place in part.irregular():
                yield start + place

    def _within(self, group: int, a: int, b: int) -> int | None:
        found = self._parts[group].block_of(a, b)
        return None if found is None else self._starts[group] + found

    def _outer(self, group: int, point: int) -> int:
        if self._shared and point == self._parts[group].points - 1:
            return self.points - 1
        return group * self._size + point


class _Ring:
    """q elements, q odd or a multiple of four: numbers modulo the odd part, and the field of the power of two beside
    them. `times[j]` is u j, with u = 2 in the one and x in the other, so that u and u - 1 both have inverses."""

    def __init__(self, size: int) -> None:
        power = size & -size
        if power == 2:
            raise ValueError(f"no such ring has {size} elements")
        self._odd, self._power = size // power, power
        self.times = [self._twice(j) for j in range(size)]
        self._over = _inverse(self.times)
        self._over_less = _inverse([self.less(u, j) for j, u in enumerate(self.times)])

    def sum(self, a: int, b: int) -> int:
        """a + b."""
        p = self._power
        return (a // p + b // p) % self._odd * p + ((a % p) ^ (b % p))

    def less(self, a: int, b: int) -> int:
        """a - b."""
        p = self._power
        return (a // p - b // p) % self._odd * p + ((a % p) ^ (b % p))

    def solve(self, group: int, a: int, other: int, b: int) -> tuple[int, int]:
        """(i, j) of the block with element a in a group and b in a later one."""
        match group, other:
            case 0, 1:
                return a, b
            case 0, 2:
                return a, self.less(b, a)
            case 0, _:
                return a, self._over[self.less(b, a)]
            case 1, 2:
                return self.less(b, a), a
            case 1, _:
                return self.less(b, self.times[a]), a
            case _:
                j = self._over_less[self.less(b, a)]
                return self.less(a, j), j

    def _twice(self, j: int) -> int:
        p = self._power
        high, low = divmod(j, p)
        low <<= 1
        if low >= p > 1:
            low ^= p | _TAILS[p.bit_length() - 1]
        return 2 * high % self._odd * p + low


_TAILS = {1: 1, 2: 3, 3: 3, 4: 3, 5: 5, 6: 3, 7: 3, 8: 27, 9: 3, 10: 9, 11: 5, 12: 83}  # of irreducible polynomials


def _inverse(values: Sequence[int]) -> list[int]:
    found = [-1] * len(values)
    for place, value in enumerate(values):
        found[value] = place
    return found


def _ascending(*points: int) -> Table:
    return tuple(sorted(points))

"""Designs: every formula against a count of its blocks, and the places of pairs against a search for them."""

from collections import Counter
from itertools import combinations

import pytest

from workers.formats.designs import Design, Shuffled, Steiner, Triples
from workers.formats.fours import fours

FOURS = [*range(4, 30), 37, 40, 52, 61, 64, 65, 68, 70, 85, 100, 102, 160]


def schonheim(points: int, size: int) -> int:
    """No cover of all pairs has fewer blocks."""
    return -(-points * -(-(points - 1) // (size - 1)) // size)


def obeys_the_law(design: Design, size: int) -> None:
    """The law of `workers.formats.designs`, pair by pair."""
    blocks, irregular = list(design), set(design.irregular())
    regular = Counter(p for at, b in enumerate(blocks) if at not in irregular for p in combinations(b, 2))
    others = Counter(p for at in irregular for p in combinations(blocks[at], 2))
    assert all(list(b) == sorted(set(b)) and len(b) == size and b[0] >= 0 and b[-1] < design.points for b in blocks)
    for pair in combinations(range(design.points), 2):
        place = design.block_of(*pair)
        assert design.block_of(*pair[::-1]) == place
        if place is None:
            assert regular[pair] == 0 < others[pair]
        else:
            assert regular[pair] == 1
            assert place not in irregular
            assert set(pair) <= set(blocks[place])


@pytest.mark.parametrize("points", range(3, 62))
def test_triples_cover_every_pair(points: int) -> None:
    design = Triples(points)
    obeys_the_law(design, 3)
    assert len(design) <= schonheim(points, 3) + points // 2
    assert bool(list(design.irregular())) == (points % 6 not in (1, 3))


@pytest.mark.parametrize("points", FOURS)
def test_fours_cover_every_pair_in_few_blocks(points: int) -> None:
    design = fours(points)
    obeys_the_law(design, 4)
    assert len(design) <= 1.25 * schonheim(points, 4)
    if points in (13, 16, 25, 37, 40, 52, 61, 64, 100):
        assert len(design) <= points * (points - 1) / 12 * 1.03  # nearly every pair once


@pytest.mark.parametrize("design", [Shuffled(Triples(20)), Shuffled(Steiner(13)), Shuffled(fours(70))])
def test_shuffled_points_are_covered_as_well(design: Design) -> None:
    obeys_the_law(design, 3 if design.points < 70 else 4)


@pytest.mark.parametrize("points", [1, 2, 5, 8, 12])
def test_no_steiner_system_is_made_where_there_is_none(points: int) -> None:
    with pytest.raises(ValueError, match="no Steiner"):
        Steiner(points)


def test_large_designs_are_read_anywhere_at_once() -> None:
    for design in (Triples(10_000), fours(10_000)):
        step = len(design) // 500
        for place in range(0, len(design), step):
            block = design[place]
            assert len(set(block)) == len(block)
            places = {design.block_of(*pair) for pair in combinations(block, 2)}
            assert places <= {place, None} or place in set(design.irregular())

"""The rating experiment: its fast arithmetic, its model of strength, and (soak) what it says of the defaults."""

import random
from dataclasses import replace

import pytest

from benchmarks import rating
from benchmarks.parts import quick
from benchmarks.parts.strength import beside, drawn_block, fit, house_blocks
from workers.model import INITIAL_SIGMA, RatingParameters, Unit
from workers.ratings import rate


def test_the_fast_arithmetic_is_the_arena_s() -> None:
    draw = random.Random(1)
    for _ in range(200):
        p = RatingParameters(beta=draw.uniform(2, 16), draw_probability=draw.choice([0.002, 0.1]))
        before = [(draw.gauss(25, 12), draw.uniform(0.3, 9)) for _ in range(3)]
        expected = rate(p, [(str(i), it, i + 1) for i, it in enumerate(before)])
        found = quick.rate(p, quick.draw_margin(p), before[0], before[1], before[2])
        assert [x for pair in found for x in pair] == pytest.approx([x for i in "012" for x in expected[i]], abs=1e-4)


def test_strengths_are_found_again_from_what_they_drew() -> None:
    draw = random.Random(2)
    true = {"a": 0.9, "b": 0.2, "c": -0.1, "d": -1.0}
    matches = [m for _ in range(700) for m in drawn_block(true, draw.sample(sorted(true), 3), draw)]
    assert fit(matches) == pytest.approx(true, abs=0.12)
    shares = beside(matches, "b", "c")  # in the model, who else sits there changes nothing
    assert sorted(shares) == ["a", "d"]
    assert shares["a"] == pytest.approx(shares["d"], abs=0.06)
    assert beside(matches, "c", "b")["a"] == pytest.approx(1 - shares["a"])


def test_a_trial_is_the_same_again_and_tells_good_parameters_from_bad() -> None:
    ours = rating.trial("test", rating.OURS, rating.ladder, runs=2)
    assert ours == rating.trial("test", rating.OURS, rating.ladder, runs=2)
    overconfident = replace(rating.OURS, beta=INITIAL_SIGMA / 20)
    assert rating.trial("test", overconfident, rating.ladder, runs=2).loss[2] > 3 * ours.loss[2]


@pytest.mark.soak
def test_the_defaults_are_what_the_experiment_says() -> None:
    """If this fails after a change of the house bots or the rules: see benchmarks/README.md, rating."""
    runs = 150
    ours = rating.trial("ladder", rating.OURS, rating.ladder, runs)
    stock = rating.trial("ladder", rating.STOCK, rating.ladder, runs)
    block = rating.trial("ladder", rating.grid()[-2], rating.ladder, runs)
    assert ours.needed is not None and ours.needed <= 360 and stock.needed is None  # noqa: PT018
    assert rating.grid()[-2].unit is Unit.BLOCK and sum(block.loss) > 1.3 * sum(ours.loss)  # noqa: PT018
    assert min(ours.covered) > 0.9
    mixed = [rating.trial("mixed", p, rating.mixed, runs) for p in (rating.OURS, rating.STOCK)]
    assert sum(mixed[0].loss) < sum(mixed[1].loss)


@pytest.mark.soak
def test_real_matches_say_what_the_readme_says_of_them() -> None:
    """They need no model, and they show where it is wrong."""
    blocks = [block for several in house_blocks(30, seed=2).values() for block in several]
    strengths = fit([places for block in blocks for places in block])
    assert max(strengths, key=lambda bot: strengths[bot]) == "counter"
    assert min(strengths, key=lambda bot: strengths[bot]) == "random"
    third = beside([places for block in blocks for places in block], "counter", "greedy")
    assert third["cautious"] - third["random"] > 0.05
    ours, block_unit = (rating.foresight(p, blocks) for p in (rating.OURS, rating.grid()[-2]))
    assert ours < block_unit - 0.01
    assert ours < rating.foresight(replace(rating.OURS, tau=INITIAL_SIGMA / 30), blocks)

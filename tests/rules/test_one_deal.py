"""A match of one deal, as boards and comparisons play it: from level scores, whatever the preset says of openings."""

import random

import pytest

from thousand.rules import PRESETS, Ruleset, apply, decision, new_match, one_deal, seed_from_int
from thousand.rules.events import DealScored
from thousand.rules.options import Golden
from thousand.rules.seeds import first_dealer


def played(ruleset: Ruleset, seed: int, luck: int) -> tuple[list[DealScored], tuple[int, ...], int, bool]:
    """A random match: what was scored, the final scores, deals, whether the limit ended it."""
    match = new_match(ruleset, seed_from_int(seed))
    draw = random.Random(luck)
    scored: list[DealScored] = []
    while (asked := decision(match)) is not None:
        events = apply(match, draw.choice(asked.actions))
        scored += [event for event in events if isinstance(event, DealScored)]
    assert match.result is not None
    return scored, match.result.scores, match.result.deals, match.result.by_limit


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_ends_after_one_deal_scored_from_level(preset: str) -> None:
    ruleset = one_deal(PRESETS[preset])
    for seed in range(12):
        scored, scores, deals, by_limit = played(ruleset, seed, seed)
        assert (len(scored), deals, by_limit) == (1, 1, True)
        for seat, score in enumerate(scores):
            assert score == sum(row.change for row in scored[0].rows if row.seat == seat)


@pytest.mark.parametrize("preset", [name for name, found in PRESETS.items() if found.golden is not Golden.OFF])
def test_no_golden_deal_doubles_or_forces_it(preset: str) -> None:
    match = new_match(one_deal(PRESETS[preset]), seed_from_int(1))
    assert not match.deal.golden
    assert one_deal(PRESETS[preset]).max_deals == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_every_table_has_the_same_first_dealer_and_cards(preset: str) -> None:
    """Whoever plays: dealer and hands follow from the seed alone."""
    ruleset = one_deal(PRESETS[preset])
    one, other = (new_match(ruleset, seed_from_int(5)) for _ in range(2))
    assert one.deal.dealer == other.deal.dealer == first_dealer(seed_from_int(5), ruleset.players)
    assert one.deal.deck == other.deal.deck

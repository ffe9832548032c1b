"""Short matches played by house bots, for tests that need a record."""

from thousand.bots import HOUSE_BOTS
from thousand.record import MatchRecord
from thousand.rules import PRESETS, ruleset_from, seed_from_int
from thousand.simulator import play_match

LINEUP = ("counter", "cautious", "greedy", "random")


def short_record(preset: str, *, seed: int = 1, deals: int = 4, bots: tuple[str, ...] = LINEUP) -> MatchRecord:
    """A match of a few deals under this preset."""
    ruleset = ruleset_from(PRESETS[preset], {"max_deals": deals})
    names = bots[: ruleset.players]
    seated = [HOUSE_BOTS[name]() for name in names]
    return play_match(seated, ruleset, seed_from_int(seed), names=names, preset=preset)

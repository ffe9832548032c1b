"""Random walks through whole matches under presets and drawn rulesets, the raw material of the property tests."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.reference.compare_scoring import random_ruleset
from thousand.rules import (
    PRESETS,
    Action,
    ActionKind,
    Decision,
    Event,
    Match,
    Ruleset,
    apply,
    cards_of,
    decision,
    new_match,
    preset,
)
from thousand.rules.actions import (
    ACCEPT,
    ANNOUNCES,
    BIDS,
    BLINDS,
    CHOICES,
    CONTRACTS,
    CUTS,
    LOOK,
    PASS,
    PLAYS,
    RECUT,
    REDEAL,
    TUCK,
    WRITE_OFF,
)
from thousand.rules.auction import may_pass_early
from thousand.rules.phases import Phase
from thousand.rules.seeds import seed_from_int

ALL_PRESETS = sorted(PRESETS)
DRAWN = 40  # random valid combinations of options for `make test`

KNOWN: tuple[Action, ...] = (
    *(PASS, LOOK, REDEAL, ACCEPT, WRITE_OFF, RECUT, TUCK, *PLAYS, *ANNOUNCES, *CUTS, *CHOICES),
    *(*BIDS.values(), *BLINDS.values(), *CONTRACTS.values()),
)


def likely(chance: random.Random, asked: Decision) -> Action:
    """A legal action; mostly one that leads on to a deal that is played."""
    often = [a for a in asked.actions if a.kind not in (ActionKind.REDEAL, ActionKind.WRITE_OFF)]
    if PASS in asked.actions and chance.random() < 0.5:
        return PASS
    if often and asked.actions[-1] not in often and chance.random() < 0.8:
        return chance.choice(often)
    if asked.actions[0].kind is ActionKind.CONTRACT and chance.random() < 0.7:
        return asked.actions[0]
    return chance.choice(asked.actions)


class Step(NamedTuple):
    """One action of a walk: the match after it, what was asked, who did what, what happened."""

    match: Match
    asked: Decision
    seat: int
    action: Action
    events: tuple[Event, ...]


def unlisted(chance: random.Random, match: Match, asked: Decision) -> tuple[int, Action] | None:
    """Now and then what is accepted without being listed: a pass out of turn, a revoke under penalty."""
    if asked.phase is Phase.AUCTION and match.ruleset.early_pass and chance.random() < 0.2:
        early = [seat for seat in range(match.ruleset.players) if may_pass_early(match, seat)]
        return (chance.choice(early), PASS) if early else None
    if asked.phase is Phase.PLAY and match.ruleset.revoke == "penalty" and chance.random() < 0.1:
        return asked.seat, PLAYS[chance.choice(cards_of(match.deal.hands[asked.seat]))]
    return None


def walk(ruleset: Ruleset, seed: int, decisions: int) -> Iterator[Step]:
    """A random match, step by step."""
    chance = random.Random(seed)
    match = new_match(ruleset, seed_from_int(seed))
    for _ in range(decisions):
        asked = decision(match)
        if asked is None:
            return
        seat, action = unlisted(chance, match, asked) or (asked.seat, likely(chance, asked))
        yield Step(match, asked, seat, action, apply(match, action, seat))


def ruleset_named(name: str) -> Ruleset:
    """A preset, or `drawn-N`: the Nth random valid combination of options."""
    kind, _, number = name.rpartition("-")
    return random_ruleset(random.Random(int(number)))[2] if kind == "drawn" else preset(name)


every_ruleset = pytest.mark.parametrize("name", [*ALL_PRESETS, *(f"drawn-{number}" for number in range(DRAWN))])


def soak_under(number: int) -> Iterator[str]:
    """The names of a hundred drawn rulesets, the `number`th of ten hundreds; `make test` has other ones."""
    yield from (f"drawn-{1000 + 100 * number + n}" for n in range(100))

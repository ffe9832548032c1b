"""Random walks through whole matches, the raw material of the property tests."""

import random
from collections.abc import Iterator

from thousand.rules import PRESETS, Action, ActionKind, Decision, Event, Match, Ruleset, apply, decision, new_match
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
from thousand.rules.seeds import seed_from_int

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


def walk(ruleset: Ruleset, seed: int, decisions: int) -> Iterator[tuple[Match, Decision, Action, tuple[Event, ...]]]:
    """Each step of a random match: the match after it, what was asked, what was done, what happened."""
    chance = random.Random(seed)
    match = new_match(ruleset, seed_from_int(seed))
    for _ in range(decisions):
        asked = decision(match)
        if asked is None:
            return
        action = likely(chance, asked)
        yield match, asked, action, apply(match, action)


ALL_PRESETS = sorted(PRESETS)

"""Golden playthroughs: under every preset two deals told event by event with every seat's view at each step.

A view is shown by what has changed in it since the step before; `name[3:]` is what a list has from its third item on.
A fingerprint of many more deals with all views follows. Whatever changes what happens, what is told of it or what a
seat may see shows here; look, then run with --update.
"""

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import Golden
from thousand.rules import PRESETS, Action, Match, Ruleset, apply, decision, opened, ruleset_from, seed_from_int, view
from thousand.rules.actions import PASS, PLAYS, ActionKind
from thousand.rules.auction import may_pass_early
from thousand.rules.cards import cards_of
from thousand.rules.events import Event
from thousand.rules.phases import Phase
from thousand.rules.view import TrickView

HERE: Final = Path(__file__).parent / "playthroughs"
TOLD, DEALS = 2, 12
# What no preset plays, so that every branch is told somewhere.
OTHERS: Final[dict[str, dict[str, object]]] = {
    "browser-open": {"pass_shown": "on", "cut_ritual": "must", "redeal_dealer": "next", "max_deals": 30},
    "browser-tight": {"contract_raise": "off", "raise_step": "exact", "blind": "progressive", "bid_cap": "none"},
    "classic-golden": {"golden": "double", "golden_doubles": "all", "write_off": "half", "cut_ritual": "must"},
    "club-reject": {"revoke": "reject", "ace_marriage": "first_ace", "marriage_announce": "automatic"},
    "bank-must": {"redeal_talon_mode": "must", "write_off_barrel": "forbidden_if_anyone", "marriage_card": "queen"},
    "sailors-floor": {"bid_floor": 200, "first_lead": "forehand", "blind_outbid": "needs_marriage"},
    "headon-nobody": {"leftover_talon": "nobody", "blind": "opening", "marriage_first_lead": "on"},
    "intro-dummy-revoke": {"revoke": "penalty", "trump_lead": "announcer", "cut_ritual": "off"},
}
RULESETS: Final[dict[str, Ruleset]] = {
    **PRESETS,
    **{name: ruleset_from(name.rpartition("-")[0], options) for name, options in OTHERS.items()},
}


def answer(match: Match, chance: random.Random) -> tuple[int, Action]:
    """Any legal action, passes and declined redeals rarer; now and then a pass out of turn or a revoke."""
    asked = decision(match)
    assert asked is not None
    if asked.phase is Phase.AUCTION:
        early = [s for s in range(match.ruleset.players) if may_pass_early(match, s)]
        if early and chance.random() < 0.1:
            return early[0], PASS
    if asked.phase is Phase.PLAY and match.ruleset.revoke == "penalty" and chance.random() < 0.05:
        cards = cards_of(match.deal.hands[asked.seat])
        return asked.seat, PLAYS[cards[int(chance.random() * len(cards))]]
    actions = asked.actions
    if actions[0].kind is ActionKind.PASS and len(actions) > 1 and chance.random() < 0.5:
        actions = actions[1:3]
    if actions[-1].kind is ActionKind.WRITE_OFF and chance.random() < 0.8:
        actions = actions[:-1]
    if asked.phase is Phase.CONTRACT and chance.random() < 0.8:
        actions = actions[:1]
    return asked.seat, actions[int(chance.random() * len(actions))]


def told(event: Event) -> str:
    """One event on one line."""
    return f"  {type(event).__name__} " + " ".join(_text(value) for value in event)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + " ".join(_text(item) for item in value) + ")"
    return str(value)


def played(ruleset: Ruleset, seed: int, deals: int) -> Iterator[tuple[Match, str]]:
    """The lines of some deals; a match that ends is followed by another."""
    chance = random.Random(seed)
    match, events = opened(ruleset, seed_from_int(seed))
    yield from ((match, told(event)) for event in events)
    done = 0
    while done < deals:
        seat, action = answer(match, chance)
        yield match, f"{seat} {action}"
        events = apply(match, action, seat)
        yield from ((match, told(event)) for event in events)
        done += any(type(event).__name__ == "DealScored" for event in events)
        if match.result is not None:
            seed += 1000
            match, events = opened(ruleset, seed_from_int(seed))
            yield from ((match, told(event)) for event in events)


Shown = dict[str, object]  # a view's fields by name


class Views:
    """What each seat sees, by what has changed since it was asked for last."""

    def __init__(self, seats: int) -> None:
        self.before: list[Shown] = [{} for _ in range(seats)]

    def lines(self, match: Match) -> Iterator[str]:
        """A line for each seat whose view has changed."""
        for seat, before in enumerate(self.before):
            seen = view(match, seat)
            now: Shown = {name: getattr(seen, name) for name in seen.__slots__ if name not in ("ruleset", "seat")}
            changes = [_change(name, before.get(name), value) for name, value in now.items()]
            changes = [change for change in changes if change]
            self.before[seat] = now
            if changes:
                yield f"    seat {seat} sees {' '.join(changes)}"


def _seen(value: object) -> str:
    if isinstance(value, Action):
        return str(value)
    if isinstance(value, TrickView):
        won = "" if value.winner is None else f">{value.winner}"
        return f"{value.leader}:{_seen(value.cards)}{won}{'' if value.marriage is None else f'!{value.marriage}'}"
    if isinstance(value, tuple):
        return "(" + " ".join(map(_seen, value)) + ")"
    return "?" if value is None else str(value)


def _change(name: str, before: object, now: object) -> str:
    if before == now:
        return ""
    if not isinstance(now, tuple) or not isinstance(before, tuple) or name == "hand" or len(now) < len(before):
        return f"{name}={_seen(now)}"
    same = next((i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(before))
    return f"{name}[{same}:]={_seen(now[same:])}" if same else f"{name}={_seen(now)}"


def told_with_views(ruleset: Ruleset, seed: int, deals: int) -> Iterator[str]:
    """The lines of some deals; before each action, and at the end, what has changed for each seat."""
    views, last = Views(ruleset.players), None
    for match, line in played(ruleset, seed, deals):
        if line[0] != " ":
            yield from views.lines(match)
        yield line
        last = match
    assert last is not None
    yield from views.lines(last)


def fingerprint(ruleset: Ruleset, seed: int, deals: int) -> str:
    """A digest of all lines and, before each action, of all views."""
    digest = hashlib.sha256()
    for match, line in played(ruleset, seed, deals):
        digest.update(line.encode())
        if line[0] != " " and match.deal_number % 3 == 0:
            for seat in range(ruleset.players):
                seen = view(match, seat)
                digest.update(
                    " ".join(_text(getattr(seen, name)) for name in seen.__slots__ if name != "ruleset").encode()
                )
    return digest.hexdigest()


@pytest.mark.parametrize("name", RULESETS)
def test_playthrough(name: str, golden: Golden) -> None:
    lines = list(told_with_views(RULESETS[name], 1, TOLD))
    lines.append(f"{DEALS} deals more, with all views: {fingerprint(RULESETS[name], 2, DEALS)}")
    golden.check(HERE / f"{name}.txt", "\n".join(lines) + "\n")

"""Compares the end of a deal: the engine's `score_deal` with the reference's steps, on drawn outcomes."""

import random
from collections.abc import Callable
from typing import Any

from tests.reference import draw
from tests.reference.pack import Rules
from tests.reference.scoring import EndOfDeal, Outcome, Sheet
from thousand.rules.errors import InvalidRuleset
from thousand.rules.presets import PRESETS, ruleset_from
from thousand.rules.ruleset import Ruleset
from thousand.rules.scoring import score_deal
from thousand.rules.standings import DealOutcome, Standings


class Differs(AssertionError):
    """The engine and the reference do not agree."""


def random_ruleset(chance: random.Random) -> tuple[str, dict[str, Any], Ruleset]:
    """A preset with up to a dozen options changed, drawn again until it is valid."""
    while True:
        name = chance.choice(sorted(PRESETS))
        changed = draw.overrides(chance)
        try:
            return name, changed, ruleset_from(name, changed)
        except InvalidRuleset:
            continue


def standings_of(sheet: Sheet) -> Standings:
    """The engine's score sheet."""
    return Standings(
        sheet.scores[:],
        sheet.bolts[:],
        sheet.bolt_runs[:],
        sheet.tries[:],
        sheet.falls[:],
        sheet.write_offs[:],
        sheet.golden_made[:],
    )


def same(what: str, engine: object, reference: object, told: Callable[[], str]) -> None:
    """Raise Differs, with how we came there, unless both are equal."""
    if engine != reference:
        raise Differs(f"{what}\n  engine    {engine}\n  reference {reference}\n{told()}")


def compare_sheets(engine: Standings, reference: Sheet, told: Callable[[], str]) -> None:
    """Every column of the score sheet."""
    same("scores", list(engine.scores), reference.scores, told)
    same("bolts", list(engine.bolts), reference.bolts, told)
    same("bolt runs", list(engine.bolt_runs), reference.bolt_runs, told)
    same("barrel tries left", list(engine.barrel_tries_left), reference.tries, told)
    same("falls", list(engine.falls), reference.falls, told)
    same("write-offs", list(engine.write_offs), reference.write_offs, told)


def compare_outcome(chance: random.Random) -> None:
    """The end of one drawn deal, without playing it."""
    name, changed, ruleset = random_ruleset(chance)
    rules: Rules = ruleset.to_dict()
    before = draw.sheet(chance, rules)
    outcome = draw.outcome(chance, rules, before)
    ours = EndOfDeal(rules, before, outcome)

    def told() -> str:
        return f"  preset {name} {changed}\n  before {before}\n  outcome {outcome}"

    theirs = score_deal(ruleset, standings_of(before), engine_outcome(before, outcome))
    same("made", theirs.made, ours.made, told)
    same("match begun anew", theirs.restart, ours.restarted, told)
    compare_sheets(theirs.standings, ours.sheet, told)
    rows = [sum(row.change for row in theirs.rows if row.seat == seat) for seat in range(ruleset.players)]
    change = [after - was for after, was in zip(ours.sheet.scores, before.scores, strict=True)]
    same("sum of rows", rows, change, told)
    same("match over", theirs.result is not None, ours.result is not None, told)
    if theirs.result is not None and ours.result is not None:
        same("winners", sorted(theirs.result.winners), ours.result.winners, told)
        same("ranking", list(theirs.result.ranking), ours.result.ranking, told)
        same("settlement", list(theirs.result.settlement), ours.result.settlement, told)


def engine_outcome(before: Sheet, outcome: Outcome) -> DealOutcome:
    """The same outcome in the engine's words."""
    cards = "SCDH"
    talon = sum(1 << (cards.index(card[0]) * 6 + "9JQKTA".index(card[1])) for card in outcome.talon)
    return DealOutcome(
        deal_number=before.deal_number,
        dealer=before.dealer,
        active=tuple(outcome.active),
        forced_bidder=before.hundred,
        declarer=outcome.declarer,
        contract=outcome.contract,
        points=tuple(0 if seat in outcome.revoked else points for seat, points in enumerate(outcome.points)),
        tricks=tuple(0 if seat in outcome.revoked else tricks for seat, tricks in enumerate(outcome.tricks)),
        blind=outcome.blind,
        written_off=outcome.written_off,
        talon=talon,
        revokes=tuple(sorted(outcome.revoked)),
        overbid=outcome.overbid,
    )

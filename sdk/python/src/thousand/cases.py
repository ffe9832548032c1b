"""Worked cases of the rules, one JSON object a line: read, played through the engine, compared with what they expect.

Three kinds: a deal (no `kind`), `scoring` (RULES 5 alone), `series` (dealer and hundred of the next match).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thousand.casetable import CaseTable
from thousand.rules.cards import hand_of, parse_cards
from thousand.rules.errors import RulesError
from thousand.rules.presets import ruleset_from
from thousand.rules.ruleset import Ruleset
from thousand.rules.scoring import score_deal
from thousand.rules.series import first_hundred, next_match
from thousand.rules.standings import DealOutcome, ScoredDeal, Standings

REQUIRED = ("id", "preset", "expect")
EXPECTED = frozenset(
    {
        "bolt_runs",
        "bolts",
        "barrel_tries_left",
        "contract",
        "deal_number",
        "dealer",
        "declarer",
        "falls",
        "hands",
        "hidden",
        "hundred",
        "illegal",
        "legal",
        "next_dealer",
        "phase",
        "points",
        "ranking",
        "scores",
        "settlement",
        "talon",
        "to_act",
        "trump",
        "visible",
        "winner",
        "write_offs",
    }
)


class CaseError(RulesError):
    """A file or line that is no case; the message names the line."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case as written, and where."""

    place: str  # FILE:LINE
    id: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One expectation that did not hold."""

    what: str
    expected: object
    actual: object

    def __str__(self) -> str:
        return f"{self.what}: expected {_json(self.expected)}, actual {_json(self.actual)}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case played: passed without mismatches; `skipped` says why it was not played (the case's own `skip`)."""

    case: Case
    mismatches: tuple[Mismatch, ...] = ()
    skipped: str = ""


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, blank lines left out. Raises CaseError naming the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CaseError(f"{path}: this is no text in UTF-8: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield _read(f"{path}:{number}", line)


def _read(place: str, line: str) -> Case:
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise CaseError(f"{place}: this is no JSON: {error.msg} at column {error.colno}") from error
    if not isinstance(data, dict):
        raise CaseError(f"{place}: a case is one JSON object, this is a {type(data).__name__}")
    missing = [name for name in REQUIRED if name not in data]
    if missing:
        raise CaseError(f"{place}: a case needs {', '.join(REQUIRED)}; missing: {', '.join(missing)}")
    if data.get("kind") not in (None, *RUNNERS):
        raise CaseError(f"{place}: kind is {' or '.join(RUNNERS)}, or left out for a deal; this is {data['kind']!r}")
    if not isinstance(data["expect"], dict):
        raise CaseError(f"{place}: expect is an object")
    unknown = sorted(set(data["expect"]) - EXPECTED)
    if unknown:
        raise CaseError(f"{place}: nothing is known of the expectation {', '.join(unknown)}")
    return Case(place, str(data["id"]), data)


def run_case(case: Case) -> Verdict:
    """Play a case and compare. Raises CaseError if it cannot be played as it is written."""
    if "skip" in case.data:
        return Verdict(case, skipped=str(case.data["skip"]))
    try:
        ruleset = ruleset_from(case.data["preset"], case.data.get("options", {}))
        return Verdict(case, tuple(RUNNERS.get(case.data.get("kind", ""), _run_deal)(ruleset, case.data)))
    except RulesError as error:
        raise CaseError(f"{case.place}: {case.id}: {error}") from error
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise CaseError(
            f"{case.place}: {case.id}: a field is missing or odd: {type(error).__name__} {error}"
        ) from error


def compare(expected: Mapping[str, object], actual: Mapping[str, object]) -> Iterator[Mismatch]:
    """What differs; an expectation of which nothing is known here differs too."""
    for what, value in expected.items():
        if what not in actual or actual[what] != value:
            yield Mismatch(what, value, actual.get(what, "nothing known"))


def standings_before(before: Mapping[str, Any]) -> Standings:
    """The score sheet a case begins with."""
    players = len(before["scores"])
    return Standings(
        list(before["scores"]),
        list(before["bolts"]),
        list(before.get("bolt_runs", [0] * players)),
        list(before["barrel_tries_left"]),
        list(before["falls"]),
        list(before["write_offs"]),
        list(before.get("golden_made", ())),
    )


def outcome_of(ruleset: Ruleset, before: Mapping[str, Any], deal: Mapping[str, Any]) -> DealOutcome:
    """The end of a deal as a scoring case writes it."""
    players, dealer = ruleset.players, before["dealer"]
    seats = [(dealer + 1 + i) % players for i in range(players)]
    return DealOutcome(
        deal_number=before["deal_number"],
        dealer=dealer,
        active=tuple(seat for seat in seats if deal["points"][seat] is not None),
        forced_bidder=deal.get("forced_bidder", first_hundred(ruleset, dealer)),
        declarer=deal["declarer"],
        contract=deal["contract"],
        points=tuple(points or 0 for points in deal["points"]),
        tricks=tuple(tricks or 0 for tricks in deal["tricks"]),
        blind=deal.get("blind", False),
        written_off=deal.get("written_off", False),
        talon=hand_of(parse_cards(deal.get("talon", ""))),
        revokes=tuple(deal.get("revokes", ())),
        overbid=deal["declarer"] in deal.get("overbid", ()),
    )


def _run_scoring(ruleset: Ruleset, data: Mapping[str, Any]) -> Iterator[Mismatch]:
    scored = score_deal(ruleset, standings_before(data["before"]), outcome_of(ruleset, data["before"], data["deal"]))
    yield from compare(data["expect"], _scored_facts(ruleset, data["before"], scored))


def _scored_facts(ruleset: Ruleset, before: Mapping[str, Any], scored: ScoredDeal) -> dict[str, object]:
    after, result = scored.standings, scored.result
    facts: dict[str, object] = {
        "points": list(scored.points),
        "scores": after.scores,
        "bolts": after.bolts,
        "bolt_runs": after.bolt_runs,
        "barrel_tries_left": after.barrel_tries_left,
        "falls": after.falls,
        "write_offs": after.write_offs,
        "deal_number": 1 if scored.restart else before["deal_number"] + 1,
        "next_dealer": (before["dealer"] + 1) % ruleset.players,
        "phase": "scored" if result is None else "over",
    }
    if result is not None:
        facts["winner"] = list(result.winners)
        facts["ranking"] = list(result.ranking)
        facts["settlement"] = None if ruleset.settlement is None else list(result.settlement)
    return facts


def _run_series(ruleset: Ruleset, data: Mapping[str, Any]) -> Iterator[Mismatch]:
    previous = data["previous"]
    dealer, hundred = next_match(ruleset, previous["last_dealer"], [previous["winner"]])
    yield from compare(data["expect"], {"dealer": dealer, "hundred": hundred})


def _run_deal(ruleset: Ruleset, data: Mapping[str, Any]) -> Iterator[Mismatch]:
    before = data["before"]
    table = CaseTable.set_up(
        ruleset, standings_before(before), before["deal_number"], before["dealer"],
        hands=data.get("hands"), talon=data.get("talon"), deck=data.get("deck"),
    )  # fmt: skip
    for seat, text in data.get("actions", ()):
        refusal = table.act(seat, text)
        if refusal:
            yield Mismatch(f"seat {seat} {text}", "accepted", refusal)
            return
    for what, value in data["expect"].items():
        if what == "illegal":
            yield from _illegal(table, [value] if isinstance(value, str) else value, data["expect"].get("to_act"))
        elif what == "to_act" and "illegal" in data["expect"]:
            continue  # who tries what is illegal, in turn or not
        elif what in ("hidden", "visible"):
            yield from _seen(table, what, value)
        elif what == "legal":
            yield from compare({what: sorted(value)}, {what: sorted(table.legal())})
        else:
            wanted = table.written(value) if what in ("hands", "talon") else value
            yield from compare({what: wanted}, {what: table.fact(what)})


def _illegal(table: CaseTable, actions: Sequence[str], seat: int | None) -> Iterator[Mismatch]:
    for text in actions:
        if not table.refuses(text, seat):
            yield Mismatch(f"illegal {text}", "refused", "accepted")


def _seen(table: CaseTable, what: str, seats: Mapping[str, str]) -> Iterator[Mismatch]:
    for seat, text in seats.items():
        wanted, seen = set(parse_cards(text)), table.seen_by(int(seat))
        wrong = wanted & seen if what == "hidden" else wanted - seen
        if wrong:
            shown = " ".join(str(card) for card in sorted(wrong))
            yield Mismatch(f"{what} of seat {seat}", text, f"{shown} {'seen' if what == 'hidden' else 'not seen'}")


RUNNERS: dict[str, Callable[[Ruleset, Mapping[str, Any]], Iterator[Mismatch]]] = {
    "scoring": _run_scoring,
    "series": _run_series,
}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)

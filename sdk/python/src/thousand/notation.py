"""A whole match as text: headers, then deal by deal hands, auction, tricks and score sheet; diffable, like PGN.

Law: `parse(write(record)) == record`, and what a reader could derive (hands, trick winners, scores) is written for
people and checked when read, never trusted.

    [Thousand 1]                          [Option golden "double"]   (what differs from the base)
    [Seat 0 "counter" 2]                  [Strike 1 34 illegal "play SA"]
    deal 1 dealer 2 hundred 0
      hand 0   SA ST …
      auction  0 bid 105 · 1 pass · 2 pass @12 ?timeout      (@ milliseconds, ? whose doing)
      trick 1  0 HK! · 1 H9 · 2 HT = 2 +17
      score    100 0 20
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from thousand.record import FORMAT, Cause, Entry, MatchRecord, RecordError, Seat, Strike
from thousand.rules import PRESETS, Match, MatchResult, Phase, Ruleset, apply, opened, ruleset_from
from thousand.rules.actions import Action, ActionKind
from thousand.rules.cards import cards_of
from thousand.rules.errors import NotationError, RulesError
from thousand.rules.events import DealScored, DealStarted, Event, TrickWon

SEPARATOR: Final = " · "
BASE: Final = "tournament"  # what a custom ruleset is told as a change of
_DERIVED: Final = frozenset({"deal", "hand", "dummy", "talon", "score"})
_LABELS: Final = {
    Phase.CUT: "cut",
    Phase.REDEAL: "redeal",
    Phase.AUCTION: "auction",
    Phase.TALON: "choose",
    Phase.PASS_CARDS: "pass",
    Phase.CONTRACT: "contract",
    Phase.PLAY: "trick",
}
_JOURNAL: Final = frozenset(_LABELS.values())
_ENTRY: Final = re.compile(r"(?P<seat>\d) (?P<action>[^@?]+?)(?: @(?P<ms>\d+))?(?: \?(?P<cause>\w+))?")
_HEADER: Final = re.compile(r"\[(?P<name>[A-Z][A-Za-z]*) ?(?P<value>.*)\]")


def write(record: MatchRecord) -> str:
    """The match as text. Raises RecordError if its journal is not legal."""
    return "\n".join([*_headers(record), *_Writer(record).lines()]) + "\n"


def parse(text: str) -> MatchRecord:
    """The match written so. Raises NotationError naming the line, so where a derived line is not what the cards say."""
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith(";")
    ]
    record = _read(lines)
    try:
        expected = [line for line in write(record).splitlines() if line.strip()]
    except RecordError as error:
        raise NotationError(f"this match cannot be played: {error}") from error
    for (number, line), right in zip(lines, expected, strict=False):
        if line.split() != right.split():
            raise NotationError(f"line {number} says {line.strip()!r}, the match has {right.strip()!r}")
    if len(lines) != len(expected):
        raise NotationError(f"the match has {len(expected)} lines, the text {len(lines)}")
    return record


def _headers(record: MatchRecord) -> Iterator[str]:
    yield f"[Thousand {record.format}]"
    if record.match_id:
        yield f"[Match {_quoted(record.match_id)}]"
    if record.preset:
        yield f"[Preset {_quoted(record.preset)}]"
    base = PRESETS[record.preset if record.preset in PRESETS else BASE].to_dict()
    for name, value in record.ruleset.to_dict().items():
        if value != base[name]:
            yield f"[Option {name} {json.dumps(value)}]"
    yield f"[Seed {record.seed.hex()}]"
    if record.first_dealer is not None:
        yield f"[FirstDealer {record.first_dealer}]"
    if record.first_hundred is not None:
        yield f"[FirstHundred {record.first_hundred}]"
    if record.table:
        yield f"[Table {record.table}]"
    for number, seat in enumerate(record.seats):
        yield f"[Seat {number} {_quoted(seat.bot)} {seat.version}]"
    for strike in record.strikes:
        yield f"[Strike {strike.seat} {strike.before} {strike.cause.value} {_quoted(strike.message)}]"
    if record.forfeits:
        yield f"[Forfeits {_spaced(record.forfeits)}]"
    if record.result is not None:
        yield from _result_headers(record.result)


def _result_headers(result: MatchResult) -> Iterator[str]:
    yield f"[Scores {_spaced(result.scores)}]"
    yield f"[Ranking {_spaced(result.ranking)}]"
    yield f"[Winners {_spaced(result.winners)}]"
    yield f"[Settlement {_spaced(result.settlement)}]"
    yield f"[Deals {result.deals}{' limit' if result.by_limit else ''}]"


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class _Writer:
    """Plays the journal and writes down what it sees; one line per phase, one per trick."""

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        self.out: list[str] = []
        self.label = ""
        self.items: list[str] = []
        self.tricks = 0
        self.hands_shown = False

    def lines(self) -> list[str]:
        """Everything after the headers."""
        record = self.record
        match, events = opened(
            record.ruleset, record.seed, first_dealer=record.first_dealer, first_hundred=record.first_hundred
        )
        self._tell(match, events)
        for number, entry in enumerate(record.journal):
            label = _LABELS.get(match.phase, "trick")
            if label != self.label:
                self._end_line()
                self.label = label
            self.items.append(_entry_text(entry))
            try:
                events = apply(match, entry.action, entry.seat)
            except RulesError as error:
                raise RecordError(f"entry {number}, seat {entry.seat} {str(entry.action)!r}: {error}") from error
            self._tell(match, events)
        self._end_line()
        if match.result != record.result:
            raise RecordError(f"replay ends with {match.result}, the record says {record.result}")
        return self.out

    def _end_line(self, note: str = "") -> None:
        if self.items:
            label = f"trick {self.tricks + 1}" if self.label == "trick" else self.label
            self.out.append(f"  {label:<8} {SEPARATOR.join(self.items)}{note}")
            self.items = []

    def _tell(self, match: Match, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, TrickWon):
                self._end_line(f" = {event.seat} +{event.points}")
                self.tricks += 1
            elif isinstance(event, DealScored):
                self._end_line()
                self.out.append(f"  {'score':<8} {_spaced(event.scores)}")
            elif isinstance(event, DealStarted):
                self._end_line()
                golden = " golden" if event.golden else ""
                self.out.append("")
                self.out.append(f"deal {event.deal_number} dealer {event.dealer} hundred {event.hundred}{golden}")
                self.label, self.tricks, self.hands_shown = "", 0, False
        if not self.hands_shown and match.deal.dealt and match.phase is not Phase.OVER:
            self._end_line()
            self._hands(match)
            self.label, self.hands_shown = "", True

    def _hands(self, match: Match) -> None:
        for seat, cards in enumerate(match.deal.dealt):
            if cards:
                name = f"hand {seat}" if seat < match.ruleset.players else "dummy"
                self.out.append(f"  {name:<8} {' '.join(map(str, cards_of(cards)))}")
        for talon in match.deal.talons:
            self.out.append(f"  {'talon':<8} {' '.join(map(str, cards_of(talon)))}")


def _entry_text(entry: Entry) -> str:
    action = entry.action
    text = str(action).removeprefix("play ") if action.kind is ActionKind.PLAY else str(action)
    elapsed = f" @{entry.elapsed_ms}" if entry.elapsed_ms else ""
    cause = f" ?{entry.cause.value}" if entry.cause is not Cause.OWN else ""
    return f"{entry.seat} {text}{elapsed}{cause}"


@dataclass(slots=True)
class _Draft:
    """What the lines have said so far."""

    headers: dict[str, str] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    strikes: list[Strike] = field(default_factory=list)
    journal: list[Entry] = field(default_factory=list)

    def numbers(self, name: str) -> tuple[int, ...]:
        """A header that is a list of whole numbers; empty if it is not there."""
        return tuple(int(word) for word in self.headers.get(name, "").split())

    def number(self, name: str) -> int | None:
        """A header that is one whole number, or None."""
        return int(self.headers[name]) if name in self.headers else None

    def text(self, name: str) -> str:
        """A header that is a quoted text; empty if it is not there."""
        value = json.loads(self.headers.get(name, '""'))
        if not isinstance(value, str):
            raise ValueError(f"[{name} …] is no text")
        return value


def _read(lines: Sequence[tuple[int, str]]) -> MatchRecord:
    draft = _Draft()
    for number, line in lines:
        try:
            _read_line(draft, line.strip())
        except (ValueError, KeyError, TypeError, RulesError) as error:
            raise NotationError(f"line {number}, {line.strip()!r}: {error}") from error
    try:
        return _record(draft)
    except (ValueError, KeyError, TypeError) as error:
        raise NotationError(f"the headers make no match: {type(error).__name__} {error}") from error


def _read_line(draft: _Draft, line: str) -> None:
    header = _HEADER.fullmatch(line)
    if header is not None:
        _read_header(draft, header["name"], header["value"])
        return
    word, _, rest = line.partition(" ")
    if word in _DERIVED:
        return
    if word not in _JOURNAL:
        raise NotationError("this is no line of a match")
    if word == "trick":
        rest = rest.strip().partition(" ")[2]
    for item in rest.partition(" = ")[0].strip().split(SEPARATOR):
        draft.journal.append(_read_entry(item.strip(), played=word == "trick"))


def _read_header(draft: _Draft, name: str, value: str) -> None:
    if name == "Option":
        option, _, told = value.partition(" ")
        draft.options[option] = json.loads(told)
    elif name == "Seat":
        number, _, rest = value.partition(" ")
        bot, _, version = rest.rpartition(" ")
        if int(number) != len(draft.seats):
            raise NotationError(f"seat {len(draft.seats)} comes next")
        draft.seats.append(Seat(json.loads(bot), int(version)))
    elif name == "Strike":
        seat, before, cause, message = value.split(" ", 3)
        draft.strikes.append(Strike(int(seat), int(before), Cause(cause), json.loads(message)))
    elif name in draft.headers:
        raise NotationError(f"a second [{name} …]")
    else:
        draft.headers[name] = value


def _read_entry(item: str, *, played: bool) -> Entry:
    found = _ENTRY.fullmatch(item)
    if found is None:
        raise NotationError(f"{item!r} is no entry: write SEAT ACTION, then @MILLISECONDS and ?CAUSE where needed")
    action = found["action"]
    if played and " " not in action and action != ActionKind.WRITE_OFF.value:
        action = f"play {action}"
    return Entry(int(found["seat"]), Action.parse(action), Cause(found["cause"] or "own"), int(found["ms"] or 0))


def _record(draft: _Draft) -> MatchRecord:
    if draft.number("Thousand") != FORMAT:
        raise NotationError(f"the first line of a match is [Thousand {FORMAT}]")
    preset = draft.text("Preset")
    return MatchRecord(
        ruleset=_ruleset(preset if preset in PRESETS else BASE, draft.options),
        seed=bytes.fromhex(draft.headers["Seed"]),
        seats=tuple(draft.seats),
        journal=tuple(draft.journal),
        result=_result(draft),
        match_id=draft.text("Match"),
        preset=preset,
        first_dealer=draft.number("FirstDealer"),
        first_hundred=draft.number("FirstHundred"),
        table=draft.number("Table") or 0,
        strikes=tuple(draft.strikes),
        forfeits=draft.numbers("Forfeits"),
    )


def _ruleset(base: str, options: dict[str, object]) -> Ruleset:
    """Exactly the options told, on top of the base: none of them left out, none brought back to its default."""
    return Ruleset.from_dict(PRESETS[base].to_dict() | options) if options else ruleset_from(base, {})


def _result(draft: _Draft) -> MatchResult | None:
    if "Scores" not in draft.headers:
        return None
    deals, _, limit = draft.headers["Deals"].partition(" ")
    return MatchResult(
        scores=draft.numbers("Scores"),
        ranking=draft.numbers("Ranking"),
        winners=draft.numbers("Winners"),
        settlement=draft.numbers("Settlement"),
        deals=int(deals),
        by_limit=limit == "limit",
    )

"""The record of a match: all that is needed to play it again, and the one function that does.

Law: `replay(record)` either reaches the recorded result or raises; nothing derived (hands, scores, tricks) is stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, cast

from thousand.rules import Match, MatchResult, Ruleset, apply, new_match
from thousand.rules.actions import Action
from thousand.rules.errors import RulesError

FORMAT: Final = 1  # raised when an old reader could misread a new record
SEED_BYTES: Final = 32


class RecordError(RulesError):
    """A record that cannot be read, or that does not replay to its own result; the message says where."""


class Cause(StrEnum):
    """Whose doing an action was: the bot's own, or the caretaker's and why."""

    OWN = "own"
    NO_SHOW = "no_show"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    DISCONNECTED = "disconnected"
    FLOODED = "flooded"
    FORFEITED = "forfeited"  # the seat had forfeited before: no new strike


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat at one seat. `bot` is an id or a name, `version` counts from 1 (0 = none, a person or a local file)."""

    bot: str
    version: int = 0


class Entry(NamedTuple):
    """One input of the match, in order. `elapsed_ms` as the referee measured it."""

    seat: int
    action: Action
    cause: Cause = Cause.OWN
    elapsed_ms: int = 0


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault of one seat, at the decision that entry number `before` of the journal answered.

    Deal, trick and the legal actions at that moment are what `restore` of the journal up to there shows.
    """

    seat: int
    before: int
    cause: Cause
    message: str = ""  # for people: what was sent, or why it was no answer


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match, finished or not (`result` None), as its inputs."""

    ruleset: Ruleset
    seed: bytes  # 32 bytes: decks, first dealer and bot seeds derive from it
    seats: tuple[Seat, ...]  # in seat order
    journal: tuple[Entry, ...]
    result: MatchResult | None = None  # as the rules have it; forfeits are applied by `ranking`
    match_id: str = ""
    preset: str = ""  # the ruleset's name, empty for a custom one
    first_dealer: int | None = None  # None: by lot from the seed
    first_hundred: int | None = None
    table: int = 0  # of a board: bot seeds derive from it too
    strikes: tuple[Strike, ...] = ()
    forfeits: tuple[int, ...] = ()  # seats, in the order they forfeited
    format: int = FORMAT

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise RecordError(f"record format {self.format} is unknown here: this version reads format {FORMAT}")
        if len(self.seed) != SEED_BYTES:
            raise RecordError(f"a seed has {SEED_BYTES} bytes, this record's has {len(self.seed)}")
        if len(self.seats) != self.ruleset.players:
            raise RecordError(f"the ruleset seats {self.ruleset.players}, the record names {len(self.seats)} bots")

    @property
    def ranking(self) -> tuple[int, ...] | None:
        """Place by seat, 1-based, shared places equal; None while unfinished."""
        return None if self.result is None else final_ranking(self.result, self.forfeits)


def final_ranking(result: MatchResult, forfeits: Sequence[int] = ()) -> tuple[int, ...]:
    """Place by seat: who forfeited is last even if the caretaker won; the others keep their order.

    Without a forfeit it is the rules' own ranking. Several forfeits share the place of the first of them.
    """
    if not forfeits:
        return result.ranking
    stayed = [seat for seat in range(len(result.ranking)) if seat not in forfeits]
    return tuple(
        1 + sum(result.ranking[other] < result.ranking[seat] for other in stayed) if seat in stayed else 1 + len(stayed)
        for seat in range(len(result.ranking))
    )


def restore(
    ruleset: Ruleset,
    seed: bytes,
    journal: Iterable[Entry],
    *,
    first_dealer: int | None = None,
    first_hundred: int | None = None,
) -> Match:
    """The match as it stands after these inputs. Raises RecordError naming the entry the rules refuse."""
    match = new_match(ruleset, seed, first_dealer=first_dealer, first_hundred=first_hundred)
    for number, entry in enumerate(journal):
        try:
            apply(match, entry.action, entry.seat)
        except RulesError as error:
            raise RecordError(f"entry {number}, seat {entry.seat} {str(entry.action)!r}: {error}") from error
    return match


def replay(record: MatchRecord) -> Match:
    """The match after all its inputs. Raises RecordError if an input is illegal or the result is another one."""
    match = restore(
        record.ruleset,
        record.seed,
        record.journal,
        first_dealer=record.first_dealer,
        first_hundred=record.first_hundred,
    )
    if match.result != record.result:
        raise RecordError(f"replay ends with {match.result}, the record says {record.result}")
    return match


def to_dict(record: MatchRecord) -> dict[str, object]:
    """The record as JSON-able values, readable by people and by `from_dict`."""
    result = record.result
    return {
        "format": record.format,
        "match_id": record.match_id,
        "preset": record.preset,
        "ruleset": record.ruleset.to_dict(),
        "seed": record.seed.hex(),
        "first_dealer": record.first_dealer,
        "first_hundred": record.first_hundred,
        "table": record.table,
        "seats": [{"bot": seat.bot, "version": seat.version} for seat in record.seats],
        "journal": [[e.seat, str(e.action), e.cause.value, e.elapsed_ms] for e in record.journal],
        "strikes": [[s.seat, s.before, s.cause.value, s.message] for s in record.strikes],
        "forfeits": list(record.forfeits),
        "result": None if result is None else result_to_dict(result),
    }


def result_to_dict(result: MatchResult) -> dict[str, object]:
    """A result as JSON-able values."""
    return {
        "scores": list(result.scores),
        "ranking": list(result.ranking),
        "winners": list(result.winners),
        "settlement": list(result.settlement),
        "deals": result.deals,
        "by_limit": result.by_limit,
    }


def from_dict(data: Mapping[str, object]) -> MatchRecord:
    """The record that `to_dict` wrote. Raises RecordError for anything else; the rules are not asked (see `replay`)."""
    try:
        return _from_dict(data)
    except RulesError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"this is no match record: {type(error).__name__} {error}") from error


def _from_dict(data: Mapping[str, object]) -> MatchRecord:
    if data["format"] != FORMAT:
        raise RecordError(f"record format {data['format']} is unknown here: this version reads format {FORMAT}")
    result = cast("Mapping[str, object] | None", data["result"])
    return MatchRecord(
        ruleset=Ruleset.from_dict(cast("Mapping[str, object]", data["ruleset"])),
        seed=bytes.fromhex(_text(data["seed"])),
        seats=tuple(
            Seat(_text(s["bot"]), _whole(s["version"])) for s in cast("list[dict[str, object]]", data["seats"])
        ),
        journal=tuple(
            Entry(_whole(seat), Action.parse(_text(action)), Cause(cause), _whole(elapsed))
            for seat, action, cause, elapsed in cast("list[tuple[int, str, str, int]]", data["journal"])
        ),
        result=None if result is None else _result(result),
        match_id=_text(data["match_id"]),
        preset=_text(data["preset"]),
        first_dealer=_maybe_whole(data["first_dealer"]),
        first_hundred=_maybe_whole(data["first_hundred"]),
        table=_whole(data.get("table", 0)),
        strikes=tuple(
            Strike(_whole(seat), _whole(before), Cause(cause), _text(message))
            for seat, before, cause, message in cast("list[tuple[int, int, str, str]]", data["strikes"])
        ),
        forfeits=_wholes(data["forfeits"]),
    )


def _result(data: Mapping[str, object]) -> MatchResult:
    return MatchResult(
        scores=_wholes(data["scores"]),
        ranking=_wholes(data["ranking"]),
        winners=_wholes(data["winners"]),
        settlement=_wholes(data["settlement"]),
        deals=_whole(data["deals"]),
        by_limit=data["by_limit"] is True,
    )


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _maybe_whole(value: object) -> int | None:
    return None if value is None else _whole(value)


def _wholes(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is no list")
    return tuple(_whole(item) for item in value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value

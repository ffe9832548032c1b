"""What a table says: plain data, to be carried to bots, journal and spectators by whoever runs the table."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from thousand.record import Cause, Entry, Seat, Strike
from thousand.rules import Action, Event, MatchResult, Ruleset


class OutcomeKind(StrEnum):
    """How a match ended for those who play it."""

    FINISHED = "finished"
    NO_SHOW = "no_show"  # somebody never began: no result
    ABORTED = "aborted"  # infrastructure: no result, to be played again or to go on elsewhere


class Fate(StrEnum):
    """Why something a bot said was dropped without harm."""

    STALE = "stale"
    NO_SUCH_MATCH = "no_such_match"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match; tuples by seat but for `forfeits` and `charged`, which list seats."""

    kind: OutcomeKind
    strikes: tuple[int, ...]
    forfeits: tuple[int, ...] = ()
    charged: tuple[int, ...] = ()  # NO_SHOW: the seats that did not begin
    result: MatchResult | None = None  # the rules' own, before forfeits
    ranking: tuple[int, ...] = ()  # with forfeits; empty without a result
    reason: str = ""


class LastAnswer(NamedTuple):
    """What was measured for a seat's decision before this one."""

    decision_id: int
    elapsed_ms: int
    cause: Cause
    strikes: int


class Started(NamedTuple):
    """The seat is told of its match (again, if `resumed`)."""

    seat: int
    resumed: bool


class Ask(NamedTuple):
    """The seat must act. What is left in ms; decision_ms None: no limit. `view`: a serialised View."""

    seat: int
    decision_id: int
    view: bytes
    actions: tuple[Action, ...]
    events: tuple[Event, ...]
    decision_ms: int | None
    bank_ms: int
    last: LastAnswer | None


class Rejected(NamedTuple):
    """A bad answer; the decision stays open."""

    seat: int
    decision_id: int
    cause: Cause
    reason: str
    actions: tuple[Action, ...]
    strikes: int
    decision_ms: int | None


class Dropped(NamedTuple):
    """Something said was dropped without harm."""

    seat: int
    decision_id: int
    fate: Fate


class Live(NamedTuple):
    """One event, to a seat that asked to be told at once."""

    seat: int
    event: Event


class Finished(NamedTuple):
    """The match is over for this seat."""

    seat: int
    outcome: Outcome
    events: tuple[Event, ...]
    last: LastAnswer | None


class Stored(NamedTuple):
    """What a journal keeps of one input: the entry, and the strikes of the decision it answered."""

    entry: Entry
    strikes: tuple[Strike, ...] = ()


class Journalled(NamedTuple):
    """Input number `seq` of the match, to be stored. `bank_ms`: the seat's bank after it; `early`: out of turn."""

    seq: int
    entry: Entry
    strikes: tuple[Strike, ...]
    bank_ms: int
    early: bool


class Public(NamedTuple):
    """What spectators may be told."""

    event: Event


class Ended(NamedTuple):
    """The table is done."""

    outcome: Outcome


Output = Started | Ask | Rejected | Dropped | Live | Finished | Journalled | Public | Ended


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is played with."""

    match_id: str
    ruleset: Ruleset
    seed: bytes
    seats: tuple[Seat, ...]
    preset: str = ""
    first_dealer: int | None = None
    first_hundred: int | None = None
    table: int = 0  # of a board

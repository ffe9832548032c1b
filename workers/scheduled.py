"""Tournaments that open when they are due, as plain data: what is kept of a schedule, and of each of its runs."""

from dataclasses import dataclass
from enum import StrEnum

from workers.model import EntrantRule, Tournament


class Missed(StrEnum):
    """What happens with scheduled runs that came due while no arena was running."""

    RUN_ONCE = "run_once"  # the latest of them, once
    SKIP = "skip"


class Overlap(StrEnum):
    """What happens when a scheduled run is due while the last one is still going."""

    SKIP = "skip"
    QUEUE = "queue"  # opens when the last one ends; of several, the latest
    OVERLAP = "overlap"


@dataclass(frozen=True, slots=True)
class ScheduledTournament:
    """A tournament that opens when it is due. `template`: what each run is, its name a pattern, without entrants."""

    schedule_id: str
    cron: str
    tz: str
    missed: Missed
    overlap: Overlap
    template: Tournament
    rules: tuple[EntrantRule, ...]
    created_ms: int = 0


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """How far a schedule has come. `settled_ms`: the latest due time judged for good; `waiting_ms`: one queued, or 0;
    `last`: the tournament of the last run that opened; `runs`: how many came to open."""

    paused: bool
    settled_ms: int
    waiting_ms: int = 0
    last: str = ""
    runs: int = 0


@dataclass(frozen=True, slots=True)
class ScheduledRun:
    """What became of a due time. `number`: of those that came to open, from 1."""

    schedule_id: str
    due_ms: int
    opened: bool
    reason: str
    decided_ms: int
    tournament_id: str = ""
    number: int = 0

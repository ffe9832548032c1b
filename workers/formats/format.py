"""What a format is to the registry."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from workers.formats.base import Plan, Table
from workers.formats.counts import Counts
from workers.formats.options import Option
from workers.formats.scores import Scored
from workers.model import Entrant, LedgerEntry, Seatings

NextRound = Callable[[Plan, Sequence[Entrant], Collection[LedgerEntry]], "Sequence[Table] | None"]
Outlook = Callable[[Plan, Sequence[Entrant], Seatings], Counts]
Remember = Callable[[Plan, Sequence[Entrant], Collection[LedgerEntry]], "dict[str, object]"]
Scores = Callable[[Plan, Sequence[Entrant], Collection[LedgerEntry]], list[Scored]]


@dataclass(frozen=True, slots=True)
class Format:
    """Both functions get a plan whose options are read, and raise InvalidFormat. The rounds' tables may be lazy.

    `remember`: of an endless format, which would read ever more results: folds those since `plan.memory` into the
    next memory, plain JSON. Its entrants are those who are there when a round opens. `scored`: the format's own table
    after whole rounds, best first, where it pairs by points.
    """

    next_round: NextRound
    outlook: Outlook
    options: Mapping[str, Option] = field(default_factory=dict)
    remember: Remember | None = None
    scored: Scores | None = None
    board: bool = False  # its blocks are boards: one deck at several tables, every match one deal

    @property
    def endless(self) -> bool:
        """Has no end of its own; commits and reveals round by round."""
        return self.remember is not None

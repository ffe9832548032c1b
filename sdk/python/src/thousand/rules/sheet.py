"""A deal being scored: what is only read, what each step changes, and the questions all steps ask."""

from typing import Final

from thousand.rules import options as o
from thousand.rules.events import Row, RowKind
from thousand.rules.ruleset import Ruleset
from thousand.rules.standings import DealOutcome, Standings
from thousand.rules.tuples import new

_NO_GOLD: Final = o.Golden.OFF
FALL: Final = 120  # points under the barrel to which a player falls (RULES 4 Barrel tries)


class Sheet:
    """One deal being scored; `before` and `deal` are only read."""

    __slots__ = (
        "after", "arrivals", "barrel_wins", "before", "compared", "deal", "factor", "fine_factor", "frozen", "made",
        "others_factor", "points", "rows", "rules",
    )  # fmt: skip

    # Not a dataclass: compiled, one is made three times slower.
    def __init__(
        self,
        rules: Ruleset,
        before: Standings,
        deal: DealOutcome,
        points: tuple[int, ...],
        *,
        compared: int,
        made: bool,
        frozen: bool,
        factor: int,
        others_factor: int,
        fine_factor: int,
    ) -> None:
        self.rules = rules
        self.before = before
        self.deal = deal
        self.after = before.copy()
        self.points = points  # RULES 5.2
        self.compared = compared  # the declarer's points as compared with the contract and with `needs`
        self.made = made
        self.frozen = frozen  # barrel_freezes_others applies
        self.factor = factor  # the declarer's x
        self.others_factor = others_factor
        self.fine_factor = fine_factor  # 2 under golden_doubles all
        self.rows: list[Row] = []
        self.barrel_wins: list[int] = []
        self.arrivals: list[int] = []

    def add(self, seat: int, kind: RowKind, change: int) -> None:
        """Change a score and log it."""
        scores = self.after.scores
        scores[seat] = scores[seat] + change
        self.rows.append(new(Row, (seat, kind, change)))

    def leave(self, seat: int) -> None:
        """Off the barrel, tries forgotten."""
        self.after.barrel_tries_left[seat] = None

    def fall(self, seat: int, kind: RowKind, barrel_at: int, *, by_tries: bool) -> None:
        """Off the barrel and down to `barrel_at` - 120 (RULES 4 Barrel tries, Doubling and the barrel)."""
        self.leave(seat)
        self.add(seat, kind, barrel_at - FALL * self.fine_factor - self.after.scores[seat])
        self.count_fall(seat, by_tries=by_tries)

    def count_fall(self, seat: int, *, by_tries: bool) -> None:
        """One more fall, if barrel_falls_count counts this kind."""
        if by_tries or self.rules.barrel_falls_count is o.BarrelFallsCount.EVERY:
            self.after.falls[seat] += 1


def is_golden(rules: Ruleset, deal_number: int) -> bool:
    """The first deals, as many as players, under an option `golden`."""
    return rules.golden is not _NO_GOLD and deal_number <= rules.players


def is_try(rules: Ruleset, before: Standings, deal: DealOutcome, seat: int) -> bool:
    """Whether the deal counts as a try of this barrel player (RULES 4 Barrel tries)."""
    if seat not in deal.active:
        return False
    own_hundred = rules.barrel_turn is o.BarrelTurn.OWN_HUNDRED
    if own_hundred and seat != deal.forced_bidder:
        return False
    if rules.barrel_auction is not o.BarrelAuction.TAKEN or seat == deal.declarer:
        return True
    suspended = rules.golden is o.Golden.FORCED_DOUBLE and is_golden(rules, deal.deal_number)
    taker_on_barrel = before.barrel_tries_left[deal.declarer] is not None
    return suspended or not taker_on_barrel or own_hundred  # then only the forced bidder, this seat, takes it

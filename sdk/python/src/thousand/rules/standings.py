"""The score sheet, what scoring is told of a deal, and what it answers (RULES 5)."""

from dataclasses import dataclass
from typing import NamedTuple

from thousand.rules.events import Row


class Standings:
    """The score sheet after a deal; lists by seat. Treated as a value: scoring answers with a new one."""

    __slots__ = ("barrel_tries_left", "bolt_runs", "bolts", "falls", "golden_made", "scores", "write_offs")

    # Not a dataclass: compiled, one is made three times slower.
    def __init__(
        self,
        scores: list[int],
        bolts: list[int],
        bolt_runs: list[int],
        barrel_tries_left: list[int | None],
        falls: list[int],
        write_offs: list[int],
        golden_made: list[bool],
    ) -> None:
        self.scores = scores
        self.bolts = bolts
        self.bolt_runs = bolt_runs  # second counter of bolt_run both
        self.barrel_tries_left = barrel_tries_left  # None = not on the barrel
        self.falls = falls
        self.write_offs = write_offs
        self.golden_made = golden_made  # results of the golden contracts so far, in order of play

    @classmethod
    def start(cls, players: int) -> "Standings":
        """Nothing scored yet."""
        zeros = [0] * players
        return cls(zeros, zeros[:], zeros[:], [None] * players, zeros[:], zeros[:], [])

    def copy(self) -> "Standings":
        """An independent copy."""
        return Standings(
            self.scores[:], self.bolts[:], self.bolt_runs[:], self.barrel_tries_left[:],
            self.falls[:], self.write_offs[:], self.golden_made[:],
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Standings) and self._values() == other._values()

    __hash__ = None  # type: ignore[assignment]  # its lists change

    def __repr__(self) -> str:
        return f"Standings{self._values()}"

    def _values(self) -> tuple[list[int], list[int], list[int], list[int | None], list[int], list[int], list[bool]]:
        return (
            self.scores, self.bolts, self.bolt_runs, self.barrel_tries_left,
            self.falls, self.write_offs, self.golden_made,
        )  # fmt: skip

    def on_barrel(self, seat: int) -> bool:
        """Whether this seat sits on the barrel."""
        return self.barrel_tries_left[seat] is not None


class DealOutcome(NamedTuple):
    """A deal that was played to its end or written off, as scoring needs to know it; tuples by seat."""

    deal_number: int  # 1-based; golden deals are numbers 1..players
    dealer: int
    active: tuple[int, ...]  # seats that hold cards and score, clockwise from forehand; no dummy, no sitting dealer
    forced_bidder: int  # holder of the hundred
    declarer: int
    contract: int  # in force
    points: tuple[int, ...]  # cards + marriages + ace marriage + leftovers; 0 of a revoker and the sitting dealer
    tricks: tuple[int, ...]  # tricks won
    blind: bool = False  # the winning bid was spoken as `blind N`
    written_off: bool = False
    talon: int = 0  # 24-bit set of the talon as dealt; read with four players only
    revokes: tuple[int, ...] = ()  # seats that revoked
    overbid: bool = False  # the declarer's winning bid exceeded the cap of the hand as dealt (cap_enforcement penalty)
    deals_before: int = 0  # deals scored earlier in the match, those before a golden restart too: max_deals bounds them


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended; tuples by seat."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]  # place, 1-based; equal scores share one
    winners: tuple[int, ...]  # seats
    settlement: tuple[int, ...]  # stakes won or lost, in points; all 0 without settlement
    deals: int  # deals scored
    by_limit: bool  # ended by max_deals


class ScoredDeal(NamedTuple):
    """What the end of a deal did. For each seat the rows sum to new score - old score."""

    points: tuple[int, ...]  # by seat, as counted (RULES 5.2)
    made: bool  # the declarer made his contract
    rows: tuple[Row, ...]  # in the order of RULES 5
    standings: Standings
    restart: bool = False  # golden_failed restart: the match begins anew at deal 1, the dealer moves on
    result: MatchResult | None = None  # the match is over

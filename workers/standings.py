"""What a leaderboard holds: a standing per bot version, a row per pair, sums by seat, and a thinned history.

Law: all of it is a function of the ledger's entries in their order, to the last bit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from struct import Struct
from typing import Final

from workers.model import Player
from workers.sums import NONE, NORMAL_95, Sums

HISTORY: Final = 128  # points kept of one player, at most; at least half as many, once it has played as many blocks
_POINT: Final = Struct("<IIdd")  # place in the ledger, matches so far, mu, sigma


@dataclass(frozen=True, slots=True)
class Standing:
    """What a leaderboard knows of one player.

    `places`: matches by place, first place first; shared places count for each who shares them. `sums`: of final
    scores. `seats`: matches by seat. `strikes`: by cause. `last_entry`: the ledger's entry that moved it last.
    `undealt`: blocks without a deal, as somebody never came.
    Of a board places are those among who held the same cards, and sums those of the differences to each of them.
    """

    player: Player
    mu: float
    sigma: float
    matches: int = 0
    places: tuple[int, ...] = ()
    sums: Sums = NONE
    seats: tuple[int, ...] = ()
    strikes: dict[str, int] = field(default_factory=dict)
    forfeits: int = 0
    last_entry: int = -1
    undealt: int = 0

    @property
    def blocks(self) -> int:
        """Rated blocks, whether there was a deal or none."""
        return self.sums.blocks + self.undealt

    @property
    def score(self) -> float:
        """What the order is by: mu - 3 sigma."""
        return self.mu - 3 * self.sigma

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies with 95 %."""
        return self.mu - NORMAL_95 * self.sigma, self.mu + NORMAL_95 * self.sigma


@dataclass(frozen=True, slots=True)
class Pair:
    """How two players did when both sat at a table, or held the same cards of a board.

    `ahead`: matches in which the first of the two placed better.
    `sums`: of the first one's final scores less the second one's.
    """

    matches: int = 0
    ahead: int = 0
    behind: int = 0
    sums: Sums = NONE


@dataclass(frozen=True, slots=True)
class SeatSums:
    """How all players together did from one seat, or from one place after the first dealer."""

    matches: int = 0
    firsts: int = 0
    dealt_first: int = 0
    sums: Sums = NONE


@dataclass(frozen=True, slots=True)
class TableSums:
    """All matches at tables of one size: by seat, and by place after the first dealer (0: that dealer), if known."""

    seats: tuple[SeatSums, ...]
    from_dealer: tuple[SeatSums, ...]


@dataclass(slots=True)
class Projection:
    """What a leaderboard holds, or the part of it that some entries touch. `tables` by number of seats."""

    matches: int = 0
    standings: dict[str, Standing] = field(default_factory=dict)
    pairs: dict[str, Pair] = field(default_factory=dict)
    histories: dict[str, bytes] = field(default_factory=dict)
    tables: dict[int, TableSums] = field(default_factory=dict)


class Activity(StrEnum):
    """Whether more is to be expected of a player. IDLE: no rated match for a month."""

    ACTIVE = "active"
    IDLE = "idle"
    RETIRED = "retired"
    SUPERSEDED = "superseded"  # the bot has a newer version


@dataclass(frozen=True, slots=True)
class Ranked:
    """A standing with its place: 1-based, equal scores share one, and the next counts them all."""

    rank: int
    name: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A player's rating after the block at this place of the ledger."""

    entry: int
    matches: int
    mu: float
    sigma: float


def pair_key(one: str, other: str) -> str:
    """Names the row of two players by their keys, the lesser key first."""
    return f"{one} {other}" if one < other else f"{other} {one}"


def rank(standings: Iterable[Standing], names: Mapping[str, str], before: int = 0) -> list[Ranked]:
    """Best first, `before` players being better than all of these.

    Equal scores share a place; inside it: more matches, smaller sigma, then name. `names` by bot id.
    """
    named = [(names.get(s.player.bot_id, s.player.bot_id), s) for s in standings]
    named.sort(key=lambda ns: (-ns[1].score, -ns[1].matches, ns[1].sigma, ns[0].casefold(), ns[1].player.key))
    ranked: list[Ranked] = []
    for at, (name, standing) in enumerate(named, before + 1):
        shares = ranked and ranked[-1].standing.score == standing.score
        ranked.append(Ranked(ranked[-1].rank if shares else at, name, standing))
    return ranked


def appended(history: bytes, standing: Standing) -> bytes:
    """The history after one more block, packed; one in `_stride` blocks is kept.

    When the stride doubles, every second point goes: memory per player is bounded, and the whole career stays in view.
    """
    blocks = standing.blocks
    stride = _stride(blocks)
    if stride != _stride(blocks - 1):
        size = _POINT.size
        history = b"".join(history[at : at + size] for at in range(size, len(history), 2 * size))
    if blocks % stride:
        return history
    return history + _POINT.pack(standing.last_entry, standing.matches, standing.mu, standing.sigma)


def _stride(blocks: int) -> int:
    """The least power of two of which at most HISTORY multiples fit."""
    return 1 << (max(0, blocks - 1) // HISTORY).bit_length()


def history_points(history: bytes, standing: Standing) -> list[HistoryPoint]:
    """What `appended` packed, ending with how the player stands now."""
    points = [HistoryPoint(*values) for values in _POINT.iter_unpack(history)]
    now = HistoryPoint(standing.last_entry, standing.matches, standing.mu, standing.sigma)
    return points if points and points[-1] == now else [*points, now]

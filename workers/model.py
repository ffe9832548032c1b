"""The things workers handle: owners, bots, tournaments, blocks, reports, ledger entries, leaderboards.

Plain frozen data without behaviour beyond names for what is derived; `workers.codec` turns any of it to JSON and back.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from thousand.clocks import Clocks

INITIAL_MU: Final = 25.0
INITIAL_SIGMA: Final = INITIAL_MU / 3


class Role(StrEnum):
    """What an API key may do."""

    OWNER = "owner"
    ORGANISER = "organiser"


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody who has bots. `house` owners' bots may meet each other anywhere."""

    owner_id: str
    name: str
    role: Role = Role.OWNER
    house: bool = False
    created_ms: int = 0


@dataclass(frozen=True, slots=True)
class VersionNote:
    """One version of a bot: versions count from 1. `made_by`: the call that made it, so that it makes it once."""

    version: int
    note: str = ""
    created_ms: int = 0
    made_by: str = ""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot; the last of its versions is the current one."""

    bot_id: str
    owner_id: str
    name: str
    versions: tuple[VersionNote, ...]
    retired: bool = False
    tags: tuple[str, ...] = ()
    created_ms: int = 0

    @property
    def version(self) -> int:
        """The current version."""
        return self.versions[-1].version


@dataclass(frozen=True, slots=True)
class Player:
    """One version of one bot: what takes part, and what is rated."""

    bot_id: str
    version: int = 1

    @property
    def key(self) -> str:
        """Names this player in hashes and files; ids have no dot."""
        return f"{self.bot_id}.{self.version}"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a tournament. `nonce`: chosen by its owner, mixed into every deck seed."""

    player: Player
    owner_id: str = ""
    house: bool = False
    nonce: str = ""


class RuleKind(StrEnum):
    """How an entrant rule finds bots."""

    ALL = "all"
    TOP = "top"  # of a leaderboard
    TAG = "tag"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class EntrantRule:
    """Who takes part. `subject`: a leaderboard's id, a tag, or a name that may hold * and ?; `count`: of TOP."""

    kind: RuleKind
    subject: str = ""
    count: int = 0


class NoShow(StrEnum):
    """What a match is worth when a bot never came."""

    UNRATED = "unrated"  # a walkover that moves no rating
    LAST = "last"  # the absent share the last place, the others share the first


class Seatings(StrEnum):
    """Which seat orders a block plays."""

    ALL = "all"  # 2 seats: 2, 3: 6, 4: 24
    BALANCED = "balanced"  # 4 seats: the 12 even orders; fewer seats: all
    ONE = "one"  # the order as listed: a single match
    BOARD = "board"  # one deck at several tables, each seated as listed


class TournamentState(StrEnum):
    """OPEN is committed to its secret; RUNNING plays; the others are ends."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


ENDS: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Tournament:
    """What was decided about a tournament; it never changes.

    `ruleset` as `Ruleset.to_dict()`. `commitment`: SHA-256 of the secret, hex. `rules`: who may join the rounds of an
    endless format; if empty, the entrants. `public_seed`: cards from it, so not verifiable and rated on its own
    leaderboard only. `listed` False: a match created alone.
    """

    tournament_id: str
    name: str
    format: str
    seats: int
    preset: str
    ruleset: dict[str, object]
    entrants: tuple[Entrant, ...]
    commitment: str
    options: dict[str, object] = field(default_factory=dict)
    rules: tuple[EntrantRule, ...] = ()
    seatings: Seatings = Seatings.ALL
    clocks: Clocks = field(default_factory=Clocks)
    rated: bool = True
    listed: bool = True
    public_seed: int | None = None
    owners_may_meet: bool = False
    no_show: NoShow = NoShow.UNRATED
    postponements: int = 6
    postpone_ms: int = 5_000
    created_ms: int = 0

    @property
    def rated_for_the_world(self) -> bool:
        """Counts on the leaderboards of the ruleset and over all."""
        return self.rated and self.public_seed is None


@dataclass(frozen=True, slots=True)
class Round:
    """A round of an endless tournament. `begin`: its first block's place in the schedule. `commitment` as a
    tournament's."""

    number: int
    begin: int
    blocks: int
    entrants: tuple[Entrant, ...]
    commitment: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a tournament stands. matches: planned = finished + running + waiting + no_show + cancelled."""

    state: TournamentState
    blocks: int = 0
    blocks_finished: int = 0
    matches: int = 0
    finished: int = 0
    running: int = 0
    waiting: int = 0
    no_show: int = 0
    cancelled: int = 0
    decisions: int = 0
    strikes: int = 0
    unsettled: int = 0  # finished matches behind the first unfinished block, not yet in the ledger


class BlockState(StrEnum):
    """PLANNED waits for its bots; QUEUED has its seats and a job; RUNNING has a worker; the others are ends."""

    PLANNED = "planned"
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"


ENDED_BLOCKS: Final = (BlockState.DONE, BlockState.CANCELLED)


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One match of a block. `order`: which of the block's players sits at seat 0, 1, …"""

    match_id: str
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One set of players, one match per seat order. `index`: its place in its tournament's schedule, from 0.

    `board`: its matches are the tables of one board instead, all with the same cards.
    """

    block_id: str
    tournament_id: str
    index: int
    round: int
    players: tuple[Player, ...]
    matches: tuple[PlannedMatch, ...]
    board: bool = False

    @property
    def places(self) -> int:
        """The most of its matches that one of its players is in: so many places at a bot are enough."""
        return max(sum(player in match.order for match in self.matches) for player in range(len(self.players)))

    @property
    def matches_per_place(self) -> int:
        """How many matches can run at once for each place there is at every bot: of a board all its tables."""
        return len(self.matches) // self.places

    def seats(self, number: int) -> tuple[Player, ...]:
        """The players of match `number` in seat order."""
        return tuple(self.players[i] for i in self.matches[number].order)


@dataclass(frozen=True, slots=True)
class Lease:
    """A block as it is in flight: who may play it, where, with which instances."""

    state: BlockState
    fence: int = 0
    referee_id: str = ""
    instances: tuple[str, ...] = ()  # by player of the block
    places: int = 1  # matches at once
    postponements: int = 0
    until_ms: int = 0


@dataclass(frozen=True, slots=True)
class Following:
    """A match as it stands: the state of its block, whether it has a result, and the next entries of its journal."""

    state: BlockState
    ended: bool
    entries: tuple[bytes, ...] = ()


class MatchEnd(StrEnum):
    """How a match ended."""

    PLAYED = "played"
    NO_SHOW = "no_show"


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The result of one match, without wall times. All tuples by seat.

    `ranking`: places from 1, shared places equal. `points`: final scores. `strikes`: count by cause. `faulty`: seats
    that forfeited, or that never came.
    """

    match_id: str
    seats: tuple[Player, ...]
    end: MatchEnd
    ranking: tuple[int, ...]
    scores: tuple[int, ...]
    deals: int = 0
    decisions: int = 0
    strikes: tuple[dict[str, int], ...] = ()
    faulty: tuple[int, ...] = ()
    rated: bool = True
    first_dealer: int = -1  # seat; -1: not known


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One finished block, its matches in permutation order. `world`: counts on leaderboards beyond the tournament's.

    `board`: its matches had the same cards, so a score counts against those of the same seat (see `workers.boards`).
    """

    tournament_id: str
    index: int
    round: int
    block_id: str
    ruleset: str
    world: bool
    matches: tuple[MatchReport, ...]
    board: bool = False


class Scope(StrEnum):
    """Which ledger entries a leaderboard folds."""

    ALL = "all"
    RULESET = "ruleset"
    TOURNAMENT = "tournament"


class Unit(StrEnum):
    """What is one game to the rating."""

    MATCH = "match"
    BLOCK = "block"  # one update per block, by the sum of places


@dataclass(frozen=True, slots=True)
class RatingParameters:
    """Parameters of a leaderboard; another value is another leaderboard. `new_version_sigma`: at least this wide.

    The defaults are measured: see benchmarks/README.md, rating. One deal says less than a match: on a board beta is
    `board_noise` times as wide (tau as much smaller), and ties are as common as `board_draws` (house bots: a match
    decides 3 to 16 times as clearly, and on half of all boards they tie).
    """

    mu: float = INITIAL_MU
    sigma: float = INITIAL_SIGMA
    beta: float = INITIAL_SIGMA
    tau: float = INITIAL_SIGMA / 300
    draw_probability: float = 0.002
    unit: Unit = Unit.MATCH
    new_version_sigma: float = INITIAL_SIGMA / 2
    board_noise: float = 4.0
    board_draws: float = 0.5

    @property
    def for_boards(self) -> "RatingParameters":
        """What the seats of a board are rated with."""
        beta, tau = self.beta * self.board_noise, self.tau / self.board_noise
        return replace(self, beta=beta, tau=tau, draw_probability=self.board_draws)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A projection of the ledger from entry `start` on. `subject`: ruleset or tournament id, by scope."""

    leaderboard_id: str
    name: str
    scope: Scope
    subject: str = ""
    parameters: RatingParameters = RatingParameters()
    start: int = 0
    verifiable: bool = True


@dataclass(frozen=True, slots=True)
class Instance:
    """A connected bot instance, as a referee reports it. `presets` empty: all."""

    player: Player
    instance_id: str
    max_matches: int = 1
    open_matches: int = 0
    presets: tuple[str, ...] = ()
    leaving: bool = False


@dataclass(frozen=True, slots=True)
class Referee:
    """A referee known to the arena: host:port of its MatchService and of its BotService."""

    referee_id: str
    service: str
    bots: str


@dataclass(frozen=True, slots=True)
class RefereePresence:
    """Who is connected to a referee right now. `since_ms`: when the arena began to attend it."""

    referee_id: str
    instances: tuple[Instance, ...] = ()
    draining: bool = False
    since_ms: int = 0

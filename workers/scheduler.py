"""All that moves by itself: `tick` opens what is due, opens rounds, seats blocks, finds dead ones, settles, rates.

Law: a tick is idempotent, and may run in several processes at once; every step is a compare-and-set in the store.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from workers import blocks, ids
from workers.ending import finish_without
from workers.model import (
    ENDS,
    Block,
    BlockState,
    Instance,
    Leaderboard,
    Lease,
    Player,
    RefereePresence,
    Scope,
    Tournament,
)
from workers.projection import project
from workers.rounds import Next, Rounds, drawn_from
from workers.store import Store
from workers.store.tournaments import Place
from workers.timetable import Timetable

log = logging.getLogger("workers.scheduler")
WINDOW: Final = 128  # blocks of a tournament open at once, so that 100,000 do not fill Redis
SETTLED_MS: Final = 6_000  # bots look for referees every 5 s: before, nobody is missed at a new one
QUEUE_MS: Final = 5_000  # how often a waiting block's job is looked for in the queue


class Queue(Protocol):
    """Where blocks are put for workers."""

    def enqueue(self, block_id: str, fence: int) -> str:
        """A job of its own for this fence; its id."""
        ...

    def waiting(self) -> set[str]:
        """Ids of jobs no worker has taken yet."""
        ...


@dataclass(slots=True)
class Seating:
    """Where a block can be hosted: a referee, and an instance per player; or who is absent."""

    referee_id: str = ""
    instances: tuple[Instance, ...] = ()
    absent: tuple[Player, ...] = ()


class Scheduler:
    """Holds nothing but what it can read again. `in_flight`: blocks queued or running at once."""

    def __init__(self, store: Store, queue: Queue, in_flight: int = 16, window: int = WINDOW) -> None:
        self._store = store
        self._queue = queue
        self._in_flight = in_flight
        self._window = window
        self._rounds = Rounds(store)
        self._known: dict[str, Tournament] = {}
        self._timetable = Timetable(store)
        self._closed: set[str] = set()  # leaderboards that have all they will ever have
        self._stuck: set[str] = set()  # tournaments said to be unable to go on: once is enough

    def tick(self, now_ms: int | None = None) -> None:
        """One step of everything. `now_ms`: the store's clock by default."""
        now = self._store.now_ms() if now_ms is None else now_ms
        self._expire(now)
        self._timetable.tick(now)
        active = self._store.tournaments.active()
        for tournament_id in active:
            try:
                self.advance(tournament_id)
            except ValueError:
                if tournament_id not in self._stuck:
                    log.exception("tournament %s cannot go on", tournament_id)
                self._stuck.add(tournament_id)
        self._rounds.forget_but(active)
        self._known = {name: tournament for name, tournament in self._known.items() if name in active}
        self._seat(now)
        self.rate()

    def rate(self) -> None:
        """Fold the ledger into every leaderboard that is behind."""
        length = len(self._store.ledger)
        for board in self._store.leaderboards.all():
            if board.leaderboard_id in self._closed:
                continue
            cursor, _ = self._store.leaderboards.cursor(board)
            if self._is_closed(board, cursor):
                self._closed.add(board.leaderboard_id)
            elif cursor < length:
                project(self._store, board)

    def _is_closed(self, board: Leaderboard, cursor: int) -> bool:
        """Whether a tournament's leaderboard has all it will ever have."""
        tournaments = self._store.tournaments
        if board.scope is not Scope.TOURNAMENT or tournaments.state(board.subject) not in ENDS:
            return False
        last = tournaments.last_settled(board.subject)
        return last is None or cursor > last

    # rounds

    def advance(self, tournament_id: str) -> None:
        """Settle one running tournament, open its next round if one is due, and its next blocks."""
        tournaments = self._store.tournaments
        tournaments.settle(tournament_id)
        place = tournaments.place(tournament_id)
        tournament = self._tournament(tournament_id)
        if tournament is None:
            return
        if place.front == place.end:
            match self._rounds.open_next(tournament, place.number, place.end):
                case Next.OVER:
                    self._finish(tournament)
                    return
                case Next.WAITS:
                    return
            place = tournaments.place(tournament_id)
        room = self._window - tournaments.opened(tournament_id)
        if place.following < place.end and room > 0:
            self._open(tournament, place, min(place.end, place.following + room))

    def _open(self, tournament: Tournament, place: Place, until: int) -> None:
        """The blocks from the next one to before this place of the schedule."""
        tables = self._rounds.tables(tournament, place.number, place.begin)
        assert tables is not None
        secret, entrants = drawn_from(self._store, tournament, place.number)
        made = [
            blocks.make_block(tournament, entrants, secret, i, place.number, tables[i - place.begin])
            for i in range(place.following, until)
        ]
        self._store.tournaments.open_blocks(tournament.tournament_id, made)

    def _tournament(self, tournament_id: str) -> Tournament | None:
        """It never changes, so it is read once."""
        if tournament_id not in self._known:
            found = self._store.tournaments.get(tournament_id)
            if found is None:
                return None
            self._known[tournament_id] = found
        return self._known[tournament_id]

    def _finish(self, tournament: Tournament) -> None:
        if self._store.tournaments.finish(tournament.tournament_id):
            log.info("tournament %s has finished", tournament.tournament_id)

    # seats

    def _seat(self, now: int) -> None:
        present = [p for p in self._store.presence.everywhere() if not p.draining]
        if not present:
            return  # no referee is there: that is nobody's absence
        settled = any(now - p.since_ms >= SETTLED_MS for p in present)
        free = self._in_flight - len(self._store.blocks.in_flight())
        taken = self._store.blocks.reserved()
        load = {p.referee_id: sum(i.open_matches for i in p.instances) for p in present}
        known: dict[str, Tournament | None] = {}
        for block_id in self._store.blocks.due(now):
            block = self._store.blocks.get(block_id)
            if block is None:
                continue
            t = block.tournament_id
            tournament = known[t] if t in known else known.setdefault(t, self._store.tournaments.get(t))
            if tournament is None:
                continue
            lease = self._store.blocks.lease(block_id)
            seating = find_seats(block, tournament.preset, present, taken, lease, load)
            if seating.absent and settled:
                self._postpone(tournament, block, lease, seating.absent, now)
            elif free > 0 and seating.instances and self._enqueue(block, seating, now):
                free -= 1
                taken = self._store.blocks.reserved()
                load[seating.referee_id] += len(block.players)

    def _enqueue(self, block: Block, seating: Seating, now: int) -> bool:
        reserve = self._store.blocks.reserve
        fence, _ = reserve(block, seating.referee_id, seating.instances, now + QUEUE_MS)
        if fence:
            self._queue.enqueue(block.block_id, fence)
        return fence > 0

    def _postpone(self, tournament: Tournament, block: Block, lease: Lease, absent: Sequence[Player], now: int) -> None:
        if lease.postponements >= tournament.postponements:
            finish_without(self._store, tournament, block, lease.fence, absent)
        else:
            self._store.blocks.postpone(block.block_id, lease.fence, now + tournament.postpone_ms)

    # dead jobs

    def _expire(self, now: int) -> None:
        expired = self._store.blocks.expired(now)
        waiting = self._queue.waiting() if expired else set()
        for block_id in expired:
            lease = self._store.blocks.lease(block_id)
            if lease.state is BlockState.QUEUED and ids.job_id(block_id, lease.fence) in waiting:
                self._store.blocks.extend(block_id, now + QUEUE_MS)
            elif self._store.blocks.expire(block_id, lease.fence, now):
                log.warning("block %s: lease %d has ended, it is played again from its journals", block_id, lease.fence)


def find_seats(
    block: Block,
    preset: str,
    present: Sequence[RefereePresence],
    taken: Mapping[str, int],
    lease: Lease,
    load: Mapping[str, int] = MappingProxyType({}),
) -> Seating:
    """The referee where all players are connected with a free place: where the block was before, else the least loaded.

    An instance may be connected to several referees, and its places count once. Without any such referee: the players
    absent from the one where most are.
    """
    best: tuple[Player, ...] | None = None
    found: Seating | None = None
    for referee in sorted(
        present, key=lambda p: (p.referee_id != lease.referee_id, load.get(p.referee_id, 0), p.referee_id)
    ):
        candidates = [_candidates(referee, player, preset) for player in block.players]
        absent = tuple(p for p, there in zip(block.players, candidates, strict=True) if not there)
        if best is None or len(absent) < len(best):
            best = absent
        if absent or found is not None:
            continue
        chosen = [_choose(there, taken, lease) for there in candidates]
        if all(chosen):
            found = Seating(referee.referee_id, tuple(i for i in chosen if i is not None))
    return found or Seating(absent=best or ())


def _candidates(referee: RefereePresence, player: Player, preset: str) -> list[Instance]:
    return [
        i for i in referee.instances if i.player == player and not i.leaving and (not i.presets or preset in i.presets)
    ]


def _choose(there: Sequence[Instance], taken: Mapping[str, int], lease: Lease) -> Instance | None:
    """The instance that had this match before, else the one with most places free; None if all are busy."""

    def free(i: Instance) -> int:
        return max(1, i.max_matches) - taken.get(f"{i.player.bot_id}/{i.instance_id}", 0)

    usable = [i for i in there if free(i) > 0]
    return min(usable, key=lambda i: (i.instance_id not in lease.instances, -free(i), i.instance_id), default=None)

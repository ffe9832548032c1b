"""Tournaments: specification, secret, state, rounds, progress, and which ledger entries are theirs."""

from dataclasses import dataclass, replace

from workers.codec import from_json, to_json
from workers.ids import new_id
from workers.model import ENDS, Block, Progress, Tournament, TournamentState
from workers.store import keys, scripts
from workers.store.connection import Connection, StoreError, text

_COUNTS = ("blocks_finished", "finished", "no_show", "decisions", "strikes")
_PLACE = ("round", "round_begin", "round_end", "next", "front")


@dataclass(frozen=True, slots=True)
class Place:
    """How far a schedule has come: the open round (0: none yet) and the blocks it begins with and ends before, the next
    block to open, and the first not settled."""

    number: int
    begin: int
    end: int
    following: int
    front: int


class Tournaments:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def create(self, tournament: Tournament, secret: bytes, run: str = "") -> Tournament:
        """Store it as OPEN with its secret; its commitment is published from now on. The same id again is harmless.

        `run`: the field of the scheduled run that it belongs to; raises StoreError("run_closed") if that is closed.
        """
        tournament = replace(tournament, tournament_id=tournament.tournament_id or new_id())
        fields: tuple[str | bytes | int, ...] = (
            "secret", secret, "state", TournamentState.OPEN.value, "next", 0, "front", 0, "round", 0, "round_end", 0,
            "matches", 0,
        )  # fmt: skip
        names = [keys.tournament(tournament.tournament_id), keys.TOURNAMENTS, keys.OPENING]
        head = (tournament.tournament_id, to_json(tournament), tournament.created_ms, int(tournament.listed), run)
        self._db.run(scripts.CREATE_TOURNAMENT, names, *head, *fields)
        made = self.get(tournament.tournament_id)
        if made is None:
            raise StoreError("run_closed", f"the scheduled run {run} was closed before its tournament was made")
        return made

    def get(self, tournament_id: str) -> Tournament | None:
        """By id."""
        found = self._db.client.hget(keys.tournament(tournament_id), "spec")
        return None if found is None else from_json(Tournament, found)

    def ids(self, start: int = 0, stop: int = -1) -> list[str]:
        """Those that are listed, newest first; `stop` inclusive as in Redis."""
        return [text(i) for i in self._db.client.zrevrange(keys.TOURNAMENTS, start, stop)]

    def active(self) -> list[str]:
        """Those running, by id."""
        return sorted(text(i) for i in self._db.client.smembers(keys.ACTIVE))

    def start(self, tournament_id: str) -> bool:
        """OPEN to RUNNING; False if it was started or ended before (field case B27)."""
        return self._turn(tournament_id, TournamentState.OPEN, TournamentState.RUNNING)

    def finish(self, tournament_id: str) -> bool:
        """RUNNING to FINISHED: the secret is public from now on."""
        return self._turn(tournament_id, TournamentState.RUNNING, TournamentState.FINISHED)

    def cancel(self, tournament_id: str) -> bool:
        """Stop it: what runs is dropped without result, what is finished stays. False if it had ended."""
        t = tournament_id
        shared = [keys.ACTIVE, keys.PLANNED, keys.LEASED, keys.SEATS]
        names = [keys.tournament(t), *shared, keys.waiting(t), keys.opened(t), keys.LEDGER, keys.settled(t)]
        names.append(keys.LEDGER_TIMES)
        return bool(self._db.run(scripts.CANCEL, names, t, keys.block(""), keys.journal("")))

    def state(self, tournament_id: str) -> TournamentState | None:
        """Where it stands."""
        found = self._db.client.hget(keys.tournament(tournament_id), "state")
        return None if found is None else TournamentState(text(found))

    def secret(self, tournament_id: str) -> bytes:
        """For the worker that derives seeds. Never shown before the end: see `revealed`."""
        return bytes(self._db.client.hget(keys.tournament(tournament_id), "secret"))

    def revealed(self, tournament_id: str) -> bytes | None:
        """The secret once the tournament has ended, else None."""
        return self.secret(tournament_id) if self.state(tournament_id) in ENDS else None

    def place(self, tournament_id: str) -> Place:
        """How far its schedule has come."""
        found = self._db.client.hmget(keys.tournament(tournament_id), *_PLACE)
        return Place(*(int(v or 0) for v in found))

    def open_round(self, tournament_id: str, number: int, end: int, matches: int) -> bool:
        """Fix the size of round `number` (from 1); False if somebody did."""
        return bool(self._db.run(scripts.OPEN_ROUND, [keys.tournament(tournament_id)], number, end, matches))

    def open_blocks(self, tournament_id: str, blocks: list[Block]) -> int:
        """Put the next blocks of the schedule into the queue for seats; 0 if they were opened before."""
        if not blocks:
            return 0
        arguments: list[str | bytes] = []
        for block in blocks:
            arguments += [block.block_id, to_json(block), "\n".join(m.match_id for m in block.matches)]
        names = [
            keys.tournament(tournament_id), keys.PLANNED, keys.opened(tournament_id), keys.matches(tournament_id)
        ]  # fmt: skip
        head = (blocks[0].index, keys.block(""), keys.match(""), len(blocks))
        return int(self._db.run(scripts.OPEN_BLOCKS, names, *head, *arguments))

    def opened(self, tournament_id: str) -> int:
        """How many blocks are open and not done."""
        return int(self._db.client.scard(keys.opened(tournament_id)))

    def settle(self, tournament_id: str) -> int:
        """Append the contiguous finished run to the ledger; how many blocks the front moved."""
        t = tournament_id
        moved = 0
        while True:
            names = [keys.tournament(t), keys.waiting(t), keys.LEDGER, keys.settled(t), keys.LEDGER_TIMES]
            step = int(self._db.run(scripts.SETTLE, names, 500))
            moved += step
            if step < 500:
                return moved

    def settled(self, tournament_id: str, begin: int = 0, end: int | None = None) -> list[int]:
        """Places in the ledger of its entries, in schedule order; those from `begin` to before `end` of them."""
        if end is not None and end <= begin:
            return []
        found = self._db.client.lrange(keys.settled(tournament_id), begin, -1 if end is None else end - 1)
        return [int(v) for v in found]

    def last_settled(self, tournament_id: str) -> int | None:
        """The place in the ledger of its last entry so far."""
        found = self._db.client.lindex(keys.settled(tournament_id), -1)
        return None if found is None else int(found)

    def match_ids(self, tournament_id: str, start: int = 0, stop: int = -1) -> list[str]:
        """Match ids in schedule order, as far as blocks are opened; `stop` inclusive as in Redis."""
        return [text(v) for v in self._db.client.lrange(keys.matches(tournament_id), start, stop)]

    def progress(self, tournament_id: str) -> Progress:
        """Counts that add up. Raises StoreError("no_tournament")."""
        pipe = self._db.client.pipeline()
        pipe.hgetall(keys.tournament(tournament_id)).smembers(keys.opened(tournament_id))
        pipe.hvals(keys.waiting(tournament_id))
        raw, opened, waiting = pipe.execute()
        if not raw:
            raise StoreError("no_tournament", f"there is no tournament {tournament_id!r}")
        held = {text(k): text(v) for k, v in raw.items() if k not in (b"spec", b"secret")}
        state = TournamentState(held["state"])
        counts = {name: int(held.get(name, 0)) for name in _COUNTS}
        matches = int(held["matches"])
        rest = matches - counts["finished"] - counts["no_show"]
        running = self._running(sorted(opened)) if state is TournamentState.RUNNING else 0
        cancelled = rest if state is TournamentState.CANCELLED else 0
        return Progress(
            state=state,
            blocks=int(held["round_end"]),
            matches=matches,
            running=min(running, rest),
            waiting=rest - cancelled - min(running, rest),
            cancelled=cancelled,
            unsettled=sum(v.count(b'"match_id"') for v in waiting),
            **counts,
        )

    def _running(self, blocks: list[bytes]) -> int:
        pipe = self._db.client.pipeline()
        for block in blocks:
            pipe.hmget(keys.block(text(block)), "state", "at_once")
        return sum(int(at_once or 0) for state, at_once in pipe.execute() if state == b"running")

    def _turn(self, tournament_id: str, old: TournamentState, new: TournamentState) -> bool:
        names = [keys.tournament(tournament_id), keys.ACTIVE]
        return bool(self._db.run(scripts.TURN, names, tournament_id, old.value, new.value))

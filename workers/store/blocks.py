"""Blocks in flight: seats reserved all or nothing, leases with fences, journals, results committed once.

Law: of all who hold a fence of a block, only the newest changes anything.
"""

import logging
import zlib
from collections.abc import Sequence
from enum import StrEnum

from workers.codec import from_json, to_json
from workers.model import Block, BlockState, Following, Instance, Lease, LedgerEntry, MatchEnd, MatchReport
from workers.store import keys, scripts
from workers.store.connection import Connection, StoreError, text

log = logging.getLogger("workers.store")
LEASE_MS = 10_000


class Committed(StrEnum):
    """What became of a reported result."""

    STORED = "stored"
    SAME = "same"  # reported before, identically: nothing happened (field case B20)
    CONFLICT = "conflict"  # reported before, differently: logged, the first is kept
    FENCED = "fenced"  # somebody newer plays this block


class Blocks:
    """See the module."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def get(self, block_id: str) -> Block | None:
        """By id."""
        found = self._db.client.hget(keys.block(block_id), "spec")
        return None if found is None else from_json(Block, found)

    def lease(self, block_id: str) -> Lease:
        """Its state right now. Raises StoreError("no_block")."""
        raw = {text(k): text(v) for k, v in self._db.client.hgetall(keys.block(block_id)).items()}
        if not raw:
            raise StoreError("no_block", f"there is no block {block_id!r}")
        return Lease(
            state=BlockState(raw["state"]),
            fence=int(raw["fence"]),
            referee_id=raw.get("referee", ""),
            instances=tuple(raw.get("instances", "").split("\n")) if raw.get("instances") else (),
            places=int(raw.get("places", 1)),
            postponements=int(raw["postponements"]),
            until_ms=int(self._db.client.zscore(keys.LEASED, block_id) or 0),
        )

    def due(self, now_ms: int) -> list[str]:
        """Planned blocks that may be tried now, in schedule order within a tournament."""
        return [text(b) for b in self._db.client.zrangebyscore(keys.PLANNED, 0, now_ms)]

    def in_flight(self) -> list[str]:
        """Blocks queued or running."""
        return [text(b) for b in self._db.client.zrange(keys.LEASED, 0, -1)]

    def expired(self, now_ms: int) -> list[str]:
        """Blocks whose lease has ended."""
        return [text(b) for b in self._db.client.zrangebyscore(keys.LEASED, 0, now_ms)]

    def reserved(self) -> dict[str, int]:
        """Places reserved, by "bot id/instance id"."""
        return {text(k): int(v) for k, v in self._db.client.hgetall(keys.SEATS).items()}

    def reserve(self, block: Block, referee_id: str, instances: Sequence[Instance], until_ms: int) -> tuple[int, int]:
        """Seats for all players or for none: (new fence, matches at once), or (0, 0) if somebody has no place left.

        A block gets as many places at each bot as the least of them has free, and needs.
        """
        arguments: list[str | int] = []
        for instance in instances:
            arguments += [f"{instance.player.bot_id}/{instance.instance_id}", max(1, instance.max_matches)]
        ids = "\n".join(i.instance_id for i in instances)
        names = [keys.block(block.block_id), keys.PLANNED, keys.LEASED, keys.SEATS]
        head = (block.block_id, until_ms, referee_id, ids, block.places, block.matches_per_place)
        fence, places = self._db.run(scripts.RESERVE, names, *head, *arguments)
        return int(fence), int(places)

    def claim(self, block_id: str, fence: int, claimant: str, life_ms: int = LEASE_MS) -> bool:
        """Take the lease, or renew it; False if it is somebody else's: stop. One claimant per fence."""
        names = [keys.block(block_id), keys.LEASED]
        return bool(self._db.run(scripts.CLAIM, names, block_id, fence, claimant, life_ms))

    def extend(self, block_id: str, until_ms: int) -> None:
        """A queued block waits on: its job is still in the queue."""
        self._db.client.zadd(keys.LEASED, {block_id: until_ms}, xx=True)

    def hand_back(self, block_id: str, fence: int, *, not_before_ms: int = 0, postponed: bool = False) -> bool:
        """Give seats and lease back; the block is planned again. `postponed` spends one of its postponements."""
        return self._hand_back(block_id, fence, not_before_ms, int(postponed), "")

    def expire(self, block_id: str, fence: int, now_ms: int) -> bool:
        """The same, if the lease has really ended by now."""
        return self._hand_back(block_id, fence, 0, 0, now_ms)

    def postpone(self, block_id: str, fence: int, not_before_ms: int) -> int:
        """A planned block whose bots are absent waits; its postponements so far (0: it is not planned any more)."""
        names = [keys.block(block_id), keys.PLANNED]
        return int(self._db.run(scripts.POSTPONE, names, block_id, fence, not_before_ms))

    def journal(self, match_id: str) -> list[bytes]:
        """Entries of a match that was begun, in order."""
        return [bytes(v) for v in self._db.client.lrange(keys.journal(match_id), 0, -1)]

    def follow(self, wanted: Sequence[tuple[str, str, int]], most: int) -> list[Following]:
        """How matches go on, each given by (match id, block id, entries known), `most` entries each; one round trip."""
        pipe = self._db.client.pipeline()
        for match_id, block_id, known in wanted:
            pipe.lrange(keys.journal(match_id), known, known + most - 1)
            pipe.hexists(keys.match(match_id), "report").hget(keys.block(block_id), "state")
        found = pipe.execute()
        return [
            Following(BlockState(text(found[i + 2])), bool(found[i + 1]), tuple(found[i]))
            for i in range(0, len(found), 3)
        ]

    def append_journal(self, block_id: str, fence: int, match_id: str, first: int, entries: Sequence[bytes]) -> bool:
        """Entries `first`, `first + 1`, …; those stored before are kept. False: somebody newer plays this block."""
        names = [keys.block(block_id), keys.journal(match_id), keys.match(match_id)]
        stored = int(self._db.run(scripts.JOURNAL, names, block_id, fence, first, *entries))
        if stored == -2:
            raise StoreError("gap", f"journal of {match_id} lacks entries before {first}")
        return stored >= 0

    def commit(self, block_id: str, fence: int, report: MatchReport, record: bytes) -> Committed:
        """Store a result under its match id, once. `record`: the MatchRecord message, kept compressed."""
        names = [keys.block(block_id), keys.match(report.match_id), keys.journal(report.match_id), keys.CONFLICTS]
        packed = zlib.compress(record, 6) if record else b""
        arguments = (block_id, fence, report.match_id, to_json(report), packed)
        outcome = Committed(text(self._db.run(scripts.COMMIT, names, *arguments)))
        if outcome is Committed.CONFLICT:
            log.error("match %s was reported twice, differently: the first result is kept", report.match_id)
        return outcome

    def conflicts(self) -> list[str]:
        """Second reports that differed, oldest first, as JSON."""
        return [text(v) for v in self._db.client.lrange(keys.CONFLICTS, 0, -1)]

    def block_of(self, match_id: str) -> str:
        """The block a match belongs to, "" for none."""
        return text(self._db.client.hget(keys.match(match_id), "block"))

    def report(self, match_id: str) -> MatchReport | None:
        """The committed result."""
        found = self._db.client.hget(keys.match(match_id), "report")
        return None if found is None else from_json(MatchReport, found)

    def record(self, match_id: str) -> bytes | None:
        """The MatchRecord message of a finished match."""
        found = self._db.client.hget(keys.match(match_id), "record")
        return zlib.decompress(found) if found else None

    def finish(self, block: Block, fence: int, entry: LedgerEntry) -> bool:
        """All its matches are committed: free the seats, put the entry behind the front. Harmless twice."""
        t = block.tournament_id
        names = [
            keys.block(block.block_id), keys.PLANNED, keys.LEASED, keys.SEATS, keys.tournament(t), keys.waiting(t),
            keys.opened(t),
        ]  # fmt: skip
        absent = sum(m.end is MatchEnd.NO_SHOW for m in entry.matches)
        strikes = sum(sum(seat.values()) for m in entry.matches for seat in m.strikes)
        decisions = sum(m.decisions for m in entry.matches)
        arguments = (block.block_id, fence, block.index, to_json(entry))
        counts = (len(entry.matches) - absent, absent, decisions, strikes)
        return bool(self._db.run(scripts.FINISH, names, *arguments, *counts))

    def _hand_back(self, block_id: str, fence: int, not_before: int, postponed: int, expired: int | str) -> bool:
        names = [keys.block(block_id), keys.PLANNED, keys.LEASED, keys.SEATS]
        return bool(self._db.run(scripts.HAND_BACK, names, block_id, fence, not_before, postponed, expired))

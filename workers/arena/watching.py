"""Matches followed live: the public events of a match, made from the journal that its worker stores anyway.

Law: watching costs nobody but the watcher. Nothing is asked of referee or worker; one look at the store for all that is
watched; every watcher reads the same list at his own pace, and nothing is queued for him.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import ExitStack
from typing import Final

from thousand.rules import Event, Ruleset, apply, opened, public
from thousand.v1 import event_pb2, record_pb2
from thousand.v1 import tournament_pb2 as pb
from thousand.v1 import watch_pb2 as api
from thousand.wire import event_to
from thousand.wire.records import entry_from
from workers.arena.errors import NoSuchThing, Stopping
from workers.boards import is_sealed
from workers.model import Block, BlockState, Following
from workers.rounds import seeds_of
from workers.store import Store

log = logging.getLogger("arena.watching")
LOOK_EVERY: Final = 0.1  # seconds
EVENTS: Final = 500  # told at once at most
ENTRIES: Final = 2_000  # of a journal, read at once at most


class Feed:
    """One match as it may be told. `events` only grows; `news` is set, and replaced, whenever something has changed."""

    def __init__(self, match: pb.Match, ruleset: Ruleset, seed: bytes, block: Block) -> None:
        self.match = match
        self.block_id = block.block_id
        self.events: list[event_pb2.Event] = []
        self.sealed = True
        self.over = False
        self.broken = False
        self.watchers = 0
        self.entries = 0
        self.news = asyncio.Event()
        self._block = block
        self._stage: tuple[bool, BlockState] | None = None
        self._coming = (match, self.sealed, self.over)
        self._match, self._opening = opened(ruleset, seed)

    def look(self, store: Store, found: Following, match_of: Callable[[str], pb.Match]) -> bool:
        """Take up what the store has; whether anything is new. Blocking."""
        stage = (found.ended, found.state)
        if stage == self._stage and not found.entries:
            return False
        match_id, match, sealed = self.match.match_id, self.match, is_sealed(self._block, found.state)
        if not sealed:
            self._take(record_pb2.JournalEntry.FromString(raw) for raw in found.entries)
            if found.ended and (record := store.blocks.record(match_id)) is not None:
                self._take(record_pb2.MatchRecord.FromString(record).journal[self.entries :])
        if stage != self._stage:
            self._stage, match = stage, match_of(match_id)
        self._coming = (match, sealed, not sealed and (found.ended or found.state is BlockState.CANCELLED))
        return True

    def leave(self) -> None:
        """One watcher less."""
        self.watchers -= 1

    def announce(self) -> None:
        """Make what the last look found known at once, and wake all who wait for it. In the event loop."""
        self.match, self.sealed, self.over = self._coming
        waiting, self.news = self.news, asyncio.Event()
        waiting.set()

    def _take(self, entries: Iterable[record_pb2.JournalEntry]) -> None:
        for message in entries:
            entry = entry_from(message)
            self._tell(self._opening)
            self._opening = ()
            self._tell(apply(self._match, entry.action, entry.seat))
            self.entries += 1

    def _tell(self, events: tuple[Event, ...]) -> None:
        self.events += [event_to(seen) for event in events if (seen := public(event)) is not None]


class Feeds:
    """All that is watched. `match_of`: a match as the arena describes it (blocking)."""

    def __init__(self, store: Store, match_of: Callable[[str], pb.Match]) -> None:
        self._store, self._match_of = store, match_of
        self._feeds: dict[str, Feed] = {}
        self._wanted = asyncio.Event()  # somebody watches
        self._stopping = False

    def stop(self) -> None:
        """End all watches."""
        self._stopping = True
        for feed in self._feeds.values():
            feed.announce()

    async def follow(self, held: ExitStack, match_id: str, told: int) -> AsyncIterator[api.WatchMatchResponse]:
        """What is new of this match, from event number `told` on, until it has ended. Raises Refusal.

        `held` is closed by whoever calls this when the watch is over, however it ends.
        """
        feed = await self._feed(match_id)
        feed.watchers += 1
        held.callback(feed.leave)
        shown: pb.Match | None = None
        while True:
            news = feed.news  # before looking: what comes from now on is not missed
            if feed.broken:
                raise RuntimeError(f"match {match_id} cannot be followed")
            if self._stopping:
                raise Stopping("the arena is stopping: watch again in a moment, from next_event")
            answer, last = _answer(feed, told, shown)
            if answer is None:
                await news.wait()
                continue
            yield answer
            if last:
                return
            told = max(told, answer.next_event)
            shown = answer.match if answer.HasField("match") else shown

    async def run(self) -> None:
        """Look at what is watched until cancelled."""
        while True:
            await self._wanted.wait()
            try:
                await self._look()
            except Exception:
                log.exception("a look at what is watched failed")
            await asyncio.sleep(LOOK_EVERY)

    async def _look(self) -> None:
        for match_id in [m for m, feed in self._feeds.items() if not feed.watchers]:
            del self._feeds[match_id]
        feeds = [feed for feed in self._feeds.values() if not feed.over and not feed.broken]
        if not self._feeds:
            self._wanted.clear()
        for feed in await asyncio.to_thread(self._changed, feeds):
            feed.announce()

    def _changed(self, feeds: list[Feed]) -> list[Feed]:
        wanted = [(feed.match.match_id, feed.block_id, feed.entries) for feed in feeds]
        found = self._store.blocks.follow(wanted, ENTRIES)
        return [feed for feed, news in zip(feeds, found, strict=True) if self._looked(feed, news)]

    def _looked(self, feed: Feed, found: Following) -> bool:
        try:
            return feed.look(self._store, found, self._match_of)
        except Exception:
            log.exception("match %s cannot be followed", feed.match.match_id)
            feed.broken = True
            return True

    async def _feed(self, match_id: str) -> Feed:
        feed = self._feeds.get(match_id)
        if feed is None or feed.over or feed.broken:  # what was told at its end may have changed since
            made = await asyncio.to_thread(self._open, match_id)
            feed = self._feeds.get(match_id)
            if feed is None or feed.over or feed.broken:
                feed = self._feeds[match_id] = made
            self._wanted.set()
        return feed

    def _open(self, match_id: str) -> Feed:
        match = self._match_of(match_id)
        block = self._store.blocks.get(self._store.blocks.block_of(match_id))
        tournament = None if block is None else self._store.tournaments.get(block.tournament_id)
        if block is None or tournament is None:
            raise NoSuchThing(f"there is no match {match_id!r}")
        number = [planned.match_id for planned in block.matches].index(match_id)
        seed = seeds_of(self._store, tournament, block)(number)
        feed = Feed(match, Ruleset.from_dict(tournament.ruleset), seed, block)
        self._looked(feed, *self._store.blocks.follow([(match_id, block.block_id, 0)], ENTRIES))
        feed.announce()
        return feed


def _answer(feed: Feed, told: int, shown: pb.Match | None) -> tuple[api.WatchMatchResponse | None, bool]:
    """What this watcher has not been told, if anything, and whether it is the last. A match that has changed comes with
    the last events before, and in any case at the end."""
    events = feed.events[told : told + EVENTS]
    following = told + len(events)
    complete = following >= len(feed.events)
    last = feed.over and complete
    match = feed.match if shown is None or last or (complete and shown != feed.match) else None
    if match is None and not events:
        return None, False
    answer = api.WatchMatchResponse(
        match=match,
        events=events,
        next_event=following,
        record_open=last and feed.match.state == pb.MATCH_STATE_FINISHED,
        sealed=feed.sealed,
    )
    return answer, last

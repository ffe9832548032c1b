"""Who is here: bot instances, their open matches, the lowest valid token generations, whether an arena attends.

Law: an instance outlives its stream as long as it has an open match, or a finished one it may not have heard of.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import grpc

from referee import logs
from referee.auth import BotToken, Refused
from referee.limits import Bucket, Limits
from referee.turns import Turns

if TYPE_CHECKING:
    from referee.hosts import Host
    from referee.sessions import Session


class Key(NamedTuple):
    """What makes an instance one: another bot's, or version's, of the same name is another."""

    bot: str
    version: int
    instance: str


class OpenSeat(NamedTuple):
    """A seat that an instance plays."""

    host: "Host"
    seat: int


class Told(NamedTuple):
    """A finished match, kept for a bot that missed the message."""

    message: bytes
    at: int
    sent: bool


@dataclass(slots=True, eq=False)
class Instance:
    """One bot process."""

    key: Key
    session: "Session | None" = None
    max_matches: int = 1
    presets: frozenset[str] = frozenset()  # empty: all
    live_events: bool = False
    leaving: bool = False
    seats: dict[str, OpenSeat] = field(default_factory=dict)
    finished: "OrderedDict[str, Told]" = field(default_factory=OrderedDict)

    def can_take(self, preset: str) -> bool:
        """Whether it may be seated in one more match of this preset."""
        return (
            self.session is not None
            and not self.leaving
            and len(self.seats) < self.max_matches
            and (not self.presets or preset in self.presets)
        )

    def send(self, message: bytes, asked: OpenSeat | None = None) -> None:
        """Put a message on its stream, if it has one. `asked`: the seat whose decision this is."""
        if self.session is not None:
            self.session.send(message, asked)


class Instances:
    """All instances here."""

    def __init__(self, limits: Limits, *, unattended: bool) -> None:
        self._limits = limits
        self._unattended = unattended
        self._by_key: dict[Key, Instance] = {}
        self._streams: dict[BotToken, int] = {}
        self._begun: OrderedDict[BotToken, Bucket] = OrderedDict()
        self._lowest: dict[str, int] = {}
        self.attendant: object | None = None  # the stream of the arena that attends
        self.draining = False
        self.turns = Turns()
        self.changed = asyncio.Event()  # presence is to be told

    def __iter__(self) -> Iterator[Instance]:
        return iter(list(self._by_key.values()))

    # streams

    def admit(self, token: BotToken, now: int) -> None:
        """A stream begins. Raises Refused for a revoked token or too many streams; pair it with `dismiss`."""
        self._check_generation(token)
        count = self._streams.get(token, 0)
        bucket = self._begun.setdefault(
            token, Bucket(self._limits.streams_begun_burst, self._limits.streams_begun_per_s, now)
        )
        self._begun.move_to_end(token)
        if len(self._begun) > self._limits.streams_total:
            self._begun.popitem(last=False)
        if count >= self._limits.streams:
            raise Refused(
                grpc.StatusCode.RESOURCE_EXHAUSTED, f"{count} streams of this token are open, that is the limit"
            )
        if sum(self._streams.values()) >= self._limits.streams_total:
            raise Refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "this referee has as many streams as it can take")
        if not bucket.take(now):
            raise Refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "too many streams begun with this token: wait a moment")
        self._streams[token] = count + 1

    def dismiss(self, token: BotToken) -> None:
        """A stream that was admitted has ended."""
        left = self._streams[token] - 1
        if left:
            self._streams[token] = left
        else:
            del self._streams[token]

    def attach(self, session: "Session", key: Key) -> Instance:
        """The instance of a stream that has said Hello; an older stream of it is replaced. Raises Refused."""
        self._check_generation(session.token)
        instance = self._by_key.get(key)
        known = instance is not None and (instance.seats or instance.finished)
        if self.draining and not known:
            raise Refused(grpc.StatusCode.UNAVAILABLE, "the referee is stopping: list referees again")
        if self.attendant is None and not self._unattended and not known:
            raise Refused(grpc.StatusCode.UNAVAILABLE, "the referee has no arena now: list referees again")
        if instance is None:
            instance = self._by_key[key] = Instance(key)
        elif instance.session is not None:
            instance.session.end(
                grpc.StatusCode.ALREADY_EXISTS, "replaced by a newer stream of the same instance_id", detach=False
            )
        instance.session = session
        instance.leaving = False
        self.changed.set()
        return instance

    def detach(self, instance: Instance) -> None:
        """The instance's stream is gone."""
        instance.session = None
        self.changed.set()
        if not instance.seats and not instance.finished:
            self._by_key.pop(instance.key, None)

    def prune(self, now: int) -> None:
        """Forget finished matches that were kept long enough."""
        oldest = now - int(self._limits.finished_kept_s * 1000)
        for instance in self:
            while instance.finished and next(iter(instance.finished.values())).at < oldest:
                instance.finished.popitem(last=False)
            if instance.session is None and not instance.seats and not instance.finished:
                del self._by_key[instance.key]

    # seats

    def find(self, bot: str, version: int, instance_id: str, preset: str, taken: list[Instance]) -> Instance:
        """An instance that can be seated. Raises Refused(FAILED_PRECONDITION) saying what is missing."""
        fitting = [
            instance
            for instance in self._by_key.values()
            if (instance.key.bot, instance.key.version) == (bot, version)
            and instance_id in ("", instance.key.instance)
            and instance not in taken
            and instance.can_take(preset)
        ]
        if not fitting:
            which = f"instance {instance_id}" if instance_id else "no instance"
            raise Refused(
                grpc.StatusCode.FAILED_PRECONDITION,
                f"bot {bot} version {version}: {which} is here that is connected, has a free place and plays "
                f"{preset or 'a custom ruleset'}",
            )
        return min(fitting, key=lambda instance: len(instance.seats) / instance.max_matches)

    def seat(self, instance: Instance, match_id: str, seat: OpenSeat) -> None:
        """The instance plays a match."""
        instance.seats[match_id] = seat
        instance.finished.pop(match_id, None)
        self.changed.set()

    def unseat(self, instance: Instance, match_id: str, message: bytes, now: int) -> None:
        """A match of the instance is over; `message` says so."""
        instance.seats.pop(match_id, None)
        instance.send(message)
        instance.finished[match_id] = Told(message, now, sent=instance.session is not None)
        while len(instance.finished) > self._limits.finished_kept:
            instance.finished.popitem(last=False)
        self.changed.set()
        if instance.session is not None and not instance.seats:
            if instance.leaving:
                instance.session.end(grpc.StatusCode.OK, "")
            elif self.draining:
                instance.session.say_goodbye()

    # the arena

    def lowest_generation(self, bot: str, generation: int) -> None:
        """Tokens of this bot below `generation` are revoked: their streams end."""
        self._lowest[bot] = max(generation, self._lowest.get(bot, 0))
        for instance in self:
            session = instance.session
            if session is not None and instance.key.bot == bot and session.token.generation < self._lowest[bot]:
                logs.info("token revoked", bot=bot, instance=instance.key.instance)
                session.end(grpc.StatusCode.UNAUTHENTICATED, "this token has been revoked")

    def _check_generation(self, token: BotToken) -> None:
        if token.generation < self._lowest.get(token.bot, 0):
            raise Refused(grpc.StatusCode.UNAUTHENTICATED, "this token has been revoked")

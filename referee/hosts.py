"""A hosted match: carries what its table says to the seats' streams and to the caller of HostMatch, and back.

Law: a fault of one match ends that match as infrastructure, and touches no other.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import grpc

from referee import chunks, encoding, frames, logs
from referee.auth import Refused
from referee.gameclock import BEAT_MS
from referee.instances import Instance, Instances, OpenSeat
from referee.limits import Limits
from referee.outputs import (
    Ask,
    Dropped,
    Ended,
    Finished,
    Journalled,
    Live,
    OutcomeKind,
    Output,
    Public,
    Rejected,
    Setup,
    Started,
    Stored,
)
from referee.table import Table
from thousand.bot import Clocks
from thousand.record import Cause
from thousand.rules import Action
from thousand.v1 import event_pb2, record_pb2, result_pb2
from thousand.v1 import match_pb2 as pb
from thousand.wire import event_to, record_to

Now = Callable[[], int]
_JOURNAL: Final = b"\x0a"  # HostMatchResponse.journal


class Host:
    """One match, its seats' instances, and what is to be told to its caller."""

    def __init__(
        self,
        setup: Setup,
        clocks: Clocks,
        seats: Sequence[Instance],
        instances: Instances,
        limits: Limits,
        now: Now,
        *,
        spectators: bool = False,
        wake: asyncio.Event | None = None,
    ) -> None:
        self.setup = setup
        self.match_id = setup.match_id
        self.seats = tuple(seats)
        self.wake = wake or asyncio.Event()  # something is ready for the caller, of this match or another of the call
        self.ended = False
        self.refusal: Refused | None = None  # how the call ends, if not with a record
        self.outcome: result_pb2.MatchOutcome | None = None
        self._open_seats = [OpenSeat(self, seat) for seat in range(len(seats))]
        self._instances = instances
        self._now = now
        self._entries: list[bytes] = []
        self._events: list[event_pb2.Event] = []
        self._beats = 0  # how many have passed since something was ready
        live = [seat for seat, instance in enumerate(seats) if instance.live_events]
        self.table = Table(setup, clocks, limits, live=live, spectators=spectators)

    def open(self, journal: Iterable[Stored]) -> None:
        """Seat everybody and begin. Raises RecordError for a journal that the rules refuse."""
        outputs = self.table.open(self._now(), journal)
        for seat, instance in enumerate(self.seats):
            self._instances.seat(instance, self.match_id, self._open_seats[seat])
        self._feed(lambda: outputs)

    # inputs, each guarded

    def ready(self, seat: int) -> None:
        """See Table."""
        self._feed(lambda: self.table.ready(seat, self._now()))

    def answer(self, seat: int, decision_id: int, choice: Action | int, at: int) -> None:
        """See Table."""
        try:
            for output in self.table.answer(seat, decision_id, choice, at):
                if type(output) is Ask:  # these two at nearly every answer, so without a search
                    self._ask(output)
                elif type(output) is Journalled:
                    self._journalled(output)
                else:
                    _CARRY[type(output)](self, output)
        except Exception:
            self._failed()

    def malformed(self, seat: int, decision_id: int | None, reason: str, at: int) -> None:
        """See Table."""
        self._feed(lambda: self.table.malformed(seat, decision_id, reason, at))

    def early_pass(self, seat: int) -> None:
        """See Table."""
        self._feed(lambda: self.table.early_pass(seat))

    def disconnect(self, seat: int, cause: Cause) -> None:
        """See Table."""
        logs.info("seat disconnected", match=self.match_id, seat=seat, cause=cause.value)
        self._feed(lambda: self.table.disconnect(seat, cause, self._now()))

    def reconnect(self, seat: int) -> None:
        """See Table."""
        logs.info("seat reconnected", match=self.match_id, seat=seat)
        self._feed(lambda: self.table.reconnect(seat, self._now(), live=self.seats[seat].live_events))

    def sent(self, seat: int) -> None:
        """The seat's decision is on its way: its clock runs."""
        self.table.sent(seat, self._now())

    def beat(self, now: int, beats: int) -> None:
        """Time has passed. What is ready for the caller waits for so many beats."""
        deadline = self.table.deadline
        if deadline is not None and now >= deadline:
            self._feed(lambda: self.table.tick(now))
        if self._entries or self._events:
            self._beats += 1
            if self._beats >= beats:
                self.wake.set()

    def stop(self, status: grpc.StatusCode, reason: str) -> None:
        """End the match here without a result."""
        if not self.ended:
            self.refusal = Refused(status, reason)
            self._feed(lambda: self.table.abort(reason))

    # outputs

    def take(self) -> list[bytes]:
        """What is ready for the caller, as HostMatchResponse messages: the record is the last."""
        self._beats = 0
        messages = []
        if self._entries:
            messages.append(chunks.field(_JOURNAL, b"".join(self._entries)))
            self._entries = []
        if self._events:
            messages.append(pb.HostMatchResponse(events=pb.PublicEvents(events=self._events)).SerializeToString())
            self._events = []
        if self.ended and self.refusal is None:
            messages.append(pb.HostMatchResponse(record=self._record()).SerializeToString())
        return messages

    def _record(self) -> record_pb2.MatchRecord:
        record = record_to(self.table.record())
        if self.outcome is not None:
            record.outcome.CopyFrom(self.outcome)
        return record

    def _feed(self, step: Callable[[], Sequence[Output]]) -> None:
        try:
            for output in step():
                _CARRY[type(output)](self, output)
        except Exception:
            self._failed()

    def _failed(self) -> None:
        """A fault of ours: end it as infrastructure, even if the table can say no more."""
        logs.failure("match failed", match=self.match_id)
        if self.ended:
            return
        self.refusal = Refused(grpc.StatusCode.INTERNAL, "the referee failed in this match; it has been logged")
        try:
            outputs = self.table.abort("the referee failed")
        except Exception:
            logs.failure("abort failed", match=self.match_id)
            outputs = []
        for output in outputs:
            if isinstance(output, Finished):
                self._finished(output)
        self.ended = True
        self.wake.set()

    def _started(self, said: Started) -> None:
        message = encoding.match_started(self.setup, self.table.clocks, said.seat, said.resumed)
        self.seats[said.seat].send(message)

    def _ask(self, said: Ask) -> None:
        seat = said.seat
        self.seats[seat].send(frames.decision_frame(self.match_id, said), self._open_seats[seat])

    def _rejected(self, said: Rejected) -> None:
        logs.info(
            "answer rejected",
            match=self.match_id,
            seat=said.seat,
            bot=self.seats[said.seat].key.bot,
            decision=said.decision_id,
            cause=said.cause.value,
            strikes=said.strikes,
        )
        self.seats[said.seat].send(encoding.rejected(self.match_id, said))

    def _dropped(self, said: Dropped) -> None:
        session = self.seats[said.seat].session
        if session is not None:
            session.send(encoding.dropped(self.match_id, said))
            session.unasked()

    def _live(self, said: Live) -> None:
        self.seats[said.seat].send(encoding.live(self.match_id, said))

    def _finished(self, said: Finished) -> None:
        if self.outcome is None:
            self.outcome = encoding.outcome(said.outcome, self.table.penalties.log)
        message = encoding.match_finished(self.match_id, self.outcome, said.events, said.last)
        self._instances.unseat(self.seats[said.seat], self.match_id, message, self._now())

    def _journalled(self, said: Journalled) -> None:
        self._entries.append(frames.journal_entry(said))
        for strike in said.strikes:
            logs.info(
                "strike",
                match=self.match_id,
                seat=strike.seat,
                bot=self.seats[strike.seat].key.bot,
                cause=strike.cause.value,
                strikes=self.table.penalties.by_seat[strike.seat],
            )

    def _public(self, said: Public) -> None:
        self._events.append(event_to(said.event))

    def _ended(self, said: Ended) -> None:
        self.ended = True
        self.wake.set()
        outcome = said.outcome
        logs.info(
            "match ended",
            match=self.match_id,
            outcome=outcome.kind.value,
            strikes=outcome.strikes,
            forfeits=outcome.forfeits,
            charged=outcome.charged,
            reason=outcome.reason if outcome.kind is OutcomeKind.ABORTED else "",
        )


_CARRY: Final[dict[type, Callable[[Host, Any], None]]] = {
    Started: Host._started,
    Ask: Host._ask,
    Rejected: Host._rejected,
    Dropped: Host._dropped,
    Live: Host._live,
    Finished: Host._finished,
    Journalled: Host._journalled,
    Public: Host._public,
    Ended: Host._ended,
}


class Hosts:
    """All open matches, and the fences under which blocks may be played."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._fences: OrderedDict[str, int] = OrderedDict()
        self.by_match: dict[str, tuple[Host, str]] = {}

    def claim(self, match_id: str, block_id: str, fence: int) -> None:
        """Play a block under this fence: matches under an older one end here. Raises Refused if this is the older."""
        seen = self._fences.get(block_id, 0)
        if fence < seen:
            raise Refused(grpc.StatusCode.ABORTED, f"fence {fence} of block {block_id} is older than {seen}")
        other = self.by_match.get(match_id)
        if other is not None and other[1] != block_id:
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, "match_id: this match belongs to another block")
        if len(self.by_match) >= self._limits.matches and other is None:
            raise Refused(grpc.StatusCode.FAILED_PRECONDITION, "this referee has as many matches as it can take")
        self._fences[block_id] = fence
        self._fences.move_to_end(block_id)
        if len(self._fences) > self._limits.fences:
            self._fences.popitem(last=False)
        for host, block in list(self.by_match.values()):
            if block == block_id and (fence > seen or host.match_id == match_id):
                host.stop(grpc.StatusCode.ABORTED, f"taken over under fence {fence}")
                self.by_match.pop(host.match_id, None)

    def add(self, host: Host, block_id: str) -> None:
        """A match has begun here."""
        self.by_match[host.match_id] = (host, block_id)

    def remove(self, host: Host) -> None:
        """Its call is over."""
        if self.by_match.get(host.match_id, (None, ""))[0] is host:
            del self.by_match[host.match_id]

    def beat(self, now: int) -> None:
        """Time has passed: what has waited long enough is told."""
        beats = self._limits.journal_ms // BEAT_MS  # the first comes at once or a beat later
        for host, _ in list(self.by_match.values()):
            host.beat(now, beats)

    def stop_all(self, status: grpc.StatusCode, reason: str) -> None:
        """End all matches without results."""
        for host, _ in list(self.by_match.values()):
            host.stop(status, reason)

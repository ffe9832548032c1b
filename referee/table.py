"""One match at one table: asks, checks, times, keeps strikes, lets the caretaker act. No network and no clock here.

Law: time comes in as monotonic milliseconds, everything else as one of the inputs below; each input returns what is to
be said, in order. The inputs stored so far, given to a new table, bring it to the same state.
"""

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from referee.clocks import SeatClock
from referee.limits import Limits
from referee.outputs import (
    Ask,
    Dropped,
    Ended,
    Fate,
    Finished,
    Journalled,
    LastAnswer,
    Live,
    Outcome,
    OutcomeKind,
    Output,
    Public,
    Rejected,
    Setup,
    Started,
    Stored,
)
from referee.penalties import Penalties
from referee.seats import SeatState
from referee.views import Views
from thousand.bot import Clocks
from thousand.record import Cause, Entry, MatchRecord, RecordError, Strike, final_ranking
from thousand.rules import Action, Event, IllegalAction, apply, caretaker, decision, opened, public, visible
from thousand.rules.actions import PASS
from thousand.rules.enums import plain
from thousand.rules.tuples import new

MESSAGE_LENGTH: Final = 500  # of a strike's text
_OWN: Final = Cause.OWN  # as a constant, for it is asked often
_FORFEITED: Final = Cause.FORFEITED
_BURST: Final = 200  # caretaker actions in one input, so that a forfeited match does not hold up the others


@plain
class State(Enum):
    """Where a table is."""

    STARTING = auto()  # waits for Ready
    PLAYING = auto()
    OVER = auto()


class Table:
    """A match being played. Every input returns a list of outputs; `deadline` says when `tick` must be called."""

    def __init__(
        self, setup: Setup, clocks: Clocks, limits: Limits, *, live: Iterable[int] = (), spectators: bool = False
    ) -> None:
        self.setup = setup
        self.clocks = clocks
        self.state = State.STARTING
        self.deadline: int | None = None
        self.outcome: Outcome | None = None
        self._limits = limits
        self._spectators = spectators
        self._out: list[Output] = []
        self._resumed = False
        players = setup.ruleset.players
        self.match, events = opened(
            setup.ruleset, setup.seed, first_dealer=setup.first_dealer, first_hundred=setup.first_hundred
        )
        self._views = Views(self.match)
        self.penalties = Penalties(players, limits.strikes)
        self.journal: list[Entry] = []
        self.seats = [SeatState(SeatClock(clocks)) for _ in range(players)]
        for seat in live:
            self.seats[seat].live = True
        self._tell(events)

    # inputs

    def open(self, now: int, journal: Iterable[Stored] = ()) -> list[Output]:
        """Take up what was stored of the match before, and tell the seats. Raises RecordError for a bad journal."""
        dealt, self._out = self._out, []
        for entry, strikes in journal:
            self._resumed = True
            for strike in strikes:
                self.penalties.add(strike)
            self._restore(entry)
        self._out = [Started(seat, self._resumed) for seat in range(len(self.seats))]
        if not self._resumed:
            self._out += dealt  # of a resumed match all was told before
        if decision(self.match) is None:  # stored to its end, but for the record
            self._finish()
        elif self.clocks.startup_ms:
            self.deadline = now + self.clocks.startup_ms
        return self._flush()

    def ready(self, seat: int, now: int) -> list[Output]:
        """The seat is ready to play. Saying it twice is harmless."""
        self.seats[seat].ready = True
        if self.state is State.STARTING and all(
            state.ready or self.penalties.forfeited(other) for other, state in enumerate(self.seats)
        ):
            self._begin(now)
        return self._flush()

    def sent(self, seat: int, now: int) -> None:
        """The seat's open decision has been handed to its stream: from now on it is the bot that thinks."""
        state = self.seats[seat]
        if state.ask is not None:
            state.clock.start(now)
            self.deadline = state.clock.deadline(self._limits.grace_ms)

    def answer(self, seat: int, decision_id: int, choice: Action | int, now: int) -> list[Output]:
        """An action, or an index into the decision's actions, received at `now`."""
        if not self._in_time(seat, decision_id, now):
            return self._flush()
        ask = self.seats[seat].ask
        assert ask is not None
        if isinstance(choice, int):
            if not 0 <= choice < len(ask.actions):
                reason = f"index {choice} is none of the {len(ask.actions)} actions"
                return self._bad(seat, Cause.ILLEGAL, reason, now)
            choice = ask.actions[choice]
        try:
            events = apply(self.match, choice, seat)
        except IllegalAction as error:
            return self._bad(seat, Cause.ILLEGAL, str(error), now)
        self._took(seat, choice, _OWN, events, now)
        self._advance(now)
        return self._flush()

    def malformed(self, seat: int, decision_id: int | None, reason: str, now: int) -> list[Output]:
        """Something unreadable as an answer; decision_id None: whichever decision is open."""
        ask = self.seats[seat].ask
        if decision_id is None:
            if ask is None:
                return self._flush()
            decision_id = ask.decision_id
        if not self._in_time(seat, decision_id, now):
            return self._flush()
        return self._bad(seat, Cause.MALFORMED, reason, now)

    def early_pass(self, seat: int) -> list[Output]:
        """A pass out of turn. What is refused is refused without a word on whose turn it is (field case B74)."""
        current = decision(self.match)
        if self.state is State.PLAYING and current is not None and current.seat != seat:
            try:
                events = apply(self.match, PASS, seat)
            except IllegalAction:
                pass
            else:
                self._log(Entry(seat, PASS), early=True)
                self._tell(events)
                return self._flush()
        self._out.append(Dropped(seat, 0, Fate.NOT_ALLOWED))
        return self._flush()

    def disconnect(self, seat: int, cause: Cause, now: int) -> list[Output]:
        """The seat's stream is gone: its clock goes on. Without a limit nothing but the stream could end the wait."""
        state = self.seats[seat]
        state.gone = cause
        if self.state is State.STARTING and not self.clocks.startup_ms and not state.ready:
            self._start_up_over(now)
        elif state.ask is not None:
            self.sent(seat, now)
            if state.clock.limit_ms is None:
                self._lose(seat, cause, "its stream ended, and no clock runs", now)
        return self._flush()

    def reconnect(self, seat: int, now: int, *, live: bool = False) -> list[Output]:
        """The seat has a new stream: it is told of its match and asked again, with the time that is left."""
        state = self.seats[seat]
        state.gone = None
        state.live = live
        self._out.append(Started(seat, self._resumed or self.state is not State.STARTING))
        if live:
            self._out.extend(Live(seat, event) for event in state.pending)
            state.pending.clear()
        if state.ask is not None:
            self._out.append(state.ask._replace(decision_ms=_shown(state.clock.left(now))))
        return self._flush()

    def tick(self, now: int) -> list[Output]:
        """Time has passed: what is due happens."""
        if self.deadline is None or now < self.deadline or self.state is State.OVER:
            return self._flush()
        if self.state is State.STARTING:
            self._start_up_over(now)
            return self._flush()
        current = decision(self.match)
        seat = None if current is None else current.seat
        if seat is not None and self.seats[seat].ask is not None:
            gone = self.seats[seat].gone
            self._lose(seat, gone or Cause.TIMEOUT, f"no answer within {self.seats[seat].clock.limit_ms} ms", now)
        else:
            self._advance(now)  # a long run of the caretaker goes on
        return self._flush()

    def abort(self, reason: str) -> list[Output]:
        """Infrastructure failed, or the match goes on elsewhere: it ends here without a result."""
        if self.state is not State.OVER:
            self._end(Outcome(OutcomeKind.ABORTED, tuple(self.penalties.by_seat), reason=reason))
        return self._flush()

    def record(self) -> MatchRecord:
        """All that is needed to replay the match as it stands."""
        setup = self.setup
        return MatchRecord(
            ruleset=setup.ruleset,
            seed=setup.seed,
            seats=setup.seats,
            journal=tuple(self.journal),
            result=self.match.result,
            match_id=setup.match_id,
            preset=setup.preset,
            first_dealer=setup.first_dealer,
            first_hundred=setup.first_hundred,
            table=setup.table,
            strikes=tuple(self.penalties.log),
            forfeits=tuple(self.penalties.forfeits),
        )

    # the course of the match

    def _begin(self, now: int) -> None:
        self.state = State.PLAYING
        self.deadline = None
        self._advance(now)

    def _start_up_over(self, now: int) -> None:
        missing = tuple(
            seat for seat, state in enumerate(self.seats) if not state.ready and not self.penalties.forfeited(seat)
        )
        if self._resumed:  # a match that has begun is played: silence at its table costs strikes, and voids nothing
            self._begin(now)
            return
        strikes = tuple(self.penalties.by_seat)
        names = ", ".join(f"seat {seat}" for seat in missing)
        self._end(Outcome(OutcomeKind.NO_SHOW, strikes, charged=missing, reason=f"not ready in time: {names}"))

    def _advance(self, now: int) -> None:
        """Ask the next seat; the caretaker acts at once for who has forfeited."""
        self.deadline = None
        for _ in range(_BURST):
            current = decision(self.match)
            if current is None:
                self._finish()
                return
            seat = current.seat
            if seat not in self.penalties.forfeits:
                self._ask(seat, current.actions, now)
                return
            action = caretaker(self.match)
            self._took(seat, action, _FORFEITED, apply(self.match, action, seat), now)
        self.deadline = now

    def _ask(self, seat: int, actions: tuple[Action, ...], now: int) -> None:
        state = self.seats[seat]
        events = tuple(state.pending)
        state.pending.clear()
        clock = state.clock
        limit = _shown(clock.limit_ms)
        seen = (self.match.asked[seat], self._views.of(seat), actions, events)
        state.ask = ask = new(Ask, (seat, *seen, limit, clock.bank_ms, state.last))
        if state.gone is None:
            self._out.append(ask)
        elif clock.limit_ms is None:
            self._lose(seat, state.gone, "its stream has ended, and no clock runs", now)
        else:
            self.sent(seat, now)

    def _in_time(self, seat: int, decision_id: int, now: int) -> bool:
        """Whether an answer is to the open decision and in time; else it is dropped, and said so."""
        state = self.seats[seat]
        ask = state.ask
        if ask is not None and ask.decision_id == decision_id and self.state is State.PLAYING:
            deadline = state.clock.deadline(self._limits.grace_ms)
            if deadline is None or now < deadline:
                return True
            self._lose(seat, Cause.TIMEOUT, f"no answer within {state.clock.limit_ms} ms", now)
        self._out.append(Dropped(seat, decision_id, Fate.STALE))
        return False

    def _bad(self, seat: int, cause: Cause, reason: str, now: int) -> list[Output]:
        """The first bad answer to a decision is rejected; after the second, or a forfeit, the caretaker acts."""
        state = self.seats[seat]
        ask = state.ask
        assert ask is not None
        answered_badly = bool(state.strikes)
        self._strike(seat, cause, reason)
        if answered_badly:
            self._care(seat, cause, now)
            return self._flush()
        if self.penalties.forfeited(seat):
            self._care(seat, cause, now)
            return self._flush()
        strikes = self.penalties.by_seat[seat]
        left = _shown(state.clock.left(now))
        self._out.append(Rejected(seat, ask.decision_id, cause, reason, ask.actions, strikes, left))
        return self._flush()

    def _lose(self, seat: int, cause: Cause, reason: str, now: int) -> None:
        self._strike(seat, cause, reason)
        self._care(seat, cause, now)

    def _care(self, seat: int, cause: Cause, now: int) -> None:
        action = caretaker(self.match)
        self._took(seat, action, cause, apply(self.match, action, seat), now)
        self._advance(now)

    def _strike(self, seat: int, cause: Cause, reason: str) -> None:
        strike = self.penalties.strike(seat, len(self.journal), cause, reason[:MESSAGE_LENGTH])
        self.seats[seat].strikes.append(strike)

    def _took(self, seat: int, action: Action, cause: Cause, events: tuple[Event, ...], now: int) -> None:
        """An action was carried out in turn."""
        state = self.seats[seat]
        elapsed = state.clock.stop(now, answered=cause is _OWN) if cause is not _FORFEITED else 0
        state.last = new(LastAnswer, (self.match.asked[seat] - 1, elapsed, cause, self.penalties.by_seat[seat]))
        state.ask = None
        self._log(new(Entry, (seat, action, cause, elapsed)), tuple(state.strikes))
        state.strikes.clear()
        self._tell(events)

    def _log(self, entry: Entry, strikes: tuple[Strike, ...] = (), *, early: bool = False) -> None:
        bank_ms = self.seats[entry.seat].clock.bank_ms
        self._out.append(new(Journalled, (len(self.journal), entry, strikes, bank_ms, early)))
        self.journal.append(entry)

    def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            common = public(event)
            for seat, state in enumerate(self.seats):
                seen = event if common is event else visible(event, seat)
                if seen is None:
                    continue
                if state.live and state.gone is None:
                    self._out.append(Live(seat, seen))
                else:
                    state.pending.append(seen)
            if self._spectators and common is not None:
                self._out.append(Public(common))

    def _restore(self, entry: Entry) -> None:
        current = decision(self.match)
        try:
            if current is not None and current.seat == entry.seat:
                clock = self.seats[entry.seat].clock
                clock.start(0)
                self.seats[entry.seat].pending.clear()
                events = apply(self.match, entry.action, entry.seat)
                clock.stop(entry.elapsed_ms, answered=entry.cause is Cause.OWN)
                strikes = self.penalties.by_seat[entry.seat]
                asked = self.match.asked[entry.seat] - 1
                self.seats[entry.seat].last = LastAnswer(asked, entry.elapsed_ms, entry.cause, strikes)
            else:
                events = apply(self.match, entry.action, entry.seat)
        except IllegalAction as error:
            raise RecordError(f"journal entry {len(self.journal)}, {entry.action}: {error}") from error
        self.journal.append(entry)
        self._tell(events)

    def _finish(self) -> None:
        result = self.match.result
        assert result is not None
        forfeits = tuple(self.penalties.forfeits)
        self._end(
            Outcome(
                OutcomeKind.FINISHED,
                tuple(self.penalties.by_seat),
                forfeits,
                result=result,
                ranking=final_ranking(result, forfeits),
            )
        )

    def _end(self, outcome: Outcome) -> None:
        self.state = State.OVER
        self.deadline = None
        self.outcome = outcome
        for seat, state in enumerate(self.seats):
            state.ask = None
            self._out.append(Finished(seat, outcome, tuple(state.pending), state.last))
            state.pending.clear()
        self._out.append(Ended(outcome))

    def _flush(self) -> list[Output]:
        out = self._out
        self._out = []
        return out


def _shown(left: int | None) -> int | None:
    """Time left as a bot is told: 0 would read as no limit."""
    return None if left is None else max(1, left)

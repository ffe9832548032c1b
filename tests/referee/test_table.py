"""The table: a match played in memory, time passed in by hand."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from referee.clocks import UNLIMITED
from referee.limits import Limits
from referee.outputs import (
    Ask,
    Dropped,
    Ended,
    Fate,
    Finished,
    Journalled,
    Live,
    OutcomeKind,
    Output,
    Rejected,
    Setup,
    Started,
    Stored,
)
from referee.table import State, Table
from thousand.bot import Clocks
from thousand.record import Cause, Entry, Seat, replay
from thousand.rules import PRESETS, Action, ActionKind, caretaker, seed_from_int
from thousand.rules.actions import PASS

CLOCKS = Clocks(startup_ms=1000, decision_ms=200, free_ms=100, bank_ms=1000, increment_ms=0)
LIMITS = Limits(grace_ms=20)
Player = Callable[[Ask], Action]


class Driver:
    """Plays a table: `players` answer by seat; None says nothing. Time moves by hand."""

    def __init__(self, seed: int = 1, preset: str = "tournament", clocks: Clocks = CLOCKS, **options: object) -> None:
        ruleset = replace(PRESETS[preset], max_deals=int(str(options.pop("max_deals", 4))))
        seats = tuple(Seat(f"bot{i}", 1) for i in range(ruleset.players))
        self.setup = Setup("m" * 16, ruleset, seed_from_int(seed), seats, preset)
        self.clocks = clocks
        self.now = 0
        self.table = Table(self.setup, clocks, LIMITS, **options)  # type: ignore[arg-type]
        self.said: list[Output] = []
        self.take(self.table.open(0))

    def take(self, outputs: Sequence[Output]) -> Sequence[Output]:
        self.said += outputs
        for output in outputs:
            if isinstance(output, Ask):
                self.table.sent(output.seat, self.now)
        return outputs

    def begin(self) -> "Driver":
        for seat in range(self.setup.ruleset.players):
            self.take(self.table.ready(seat, self.now))
        return self

    @property
    def ask(self) -> Ask:
        return next(state.ask for state in self.table.seats if state.ask is not None)

    def answer(self, choice: Action | int | None = None, after: int = 10) -> Sequence[Output]:
        self.now += after
        ask = self.ask
        action = caretaker(self.table.match) if choice is None else choice
        return self.take(self.table.answer(ask.seat, ask.decision_id, action, self.now))

    def until(self, seat: int) -> "Driver":
        while self.ask.seat != seat:
            self.answer()
        return self

    def tick(self, after: int) -> Sequence[Output]:
        self.now += after
        return self.take(self.table.tick(self.now))

    def play(self, choose: Player | None = None) -> "Driver":
        while self.table.state is State.PLAYING:
            self.answer(None if choose is None else choose(self.ask))
        return self

    def of(self, kind: type) -> list[Output]:
        return [output for output in self.said if isinstance(output, kind)]

    def journal(self) -> list[Stored]:
        return [Stored(output.entry, output.strikes) for output in self.said if isinstance(output, Journalled)]


def drawn(seed: int) -> Player:
    choice = random.Random(seed).choice
    return lambda ask: choice(ask.actions)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_match_is_played_and_its_record_replays(preset: str) -> None:
    driver = Driver(preset=preset).begin().play(drawn(1))
    record = driver.table.record()
    assert replay(record).result == record.result is not None
    ids: dict[int, list[int]] = {}
    for ask in driver.of(Ask):
        assert isinstance(ask, Ask)
        ids.setdefault(ask.seat, []).append(ask.decision_id)
    assert all(numbers == list(range(len(numbers))) for numbers in ids.values())
    assert len(driver.of(Finished)) == driver.setup.ruleset.players
    assert isinstance(driver.said[-1], Ended)


def test_b01_no_show_is_charged_to_who_did_not_come() -> None:
    driver = Driver()
    driver.take(driver.table.ready(2, 10))
    driver.take(driver.table.ready(0, 20))
    assert not driver.tick(999)
    driver.tick(1)
    outcome = driver.table.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.charged, outcome.strikes) == (OutcomeKind.NO_SHOW, (1,), (0, 0, 0))
    assert outcome.result is None
    assert len(driver.of(Finished)) == 3


def test_b33_ready_twice_is_harmless() -> None:
    driver = Driver()
    for seat in (0, 0, 1, 1):
        assert not driver.take(driver.table.ready(seat, 0))
    assert any(isinstance(o, Ask) for o in driver.take(driver.table.ready(2, 0)))
    assert not driver.take(driver.table.ready(2, 0))


def test_a_bad_answer_is_rejected_once_then_the_caretaker_acts() -> None:
    driver = Driver().begin()
    seat = driver.ask.seat
    (rejected,) = driver.answer(Action(ActionKind.CHOOSE, amount=1), after=30)
    assert isinstance(rejected, Rejected)
    assert (rejected.cause, rejected.strikes, rejected.decision_ms) == (Cause.ILLEGAL, 1, 170)
    assert rejected.actions == driver.ask.actions
    driver.answer(99, after=30)
    assert driver.table.penalties.by_seat[seat] == 2
    entry = driver.table.journal[0]
    assert (entry.seat, entry.cause, entry.elapsed_ms) == (seat, Cause.ILLEGAL, 60)


def test_a_good_answer_after_a_bad_one_counts() -> None:
    driver = Driver().begin()
    driver.answer(99)
    driver.answer()
    assert driver.table.journal[0].cause is Cause.OWN


def test_b11_the_evidence_of_an_illegal_action_is_in_the_record() -> None:
    driver = Driver().begin()
    driver.until(2)
    before = len(driver.table.journal)
    legal = driver.ask.actions
    driver.answer(Action(ActionKind.CUT, amount=3))
    driver.play()
    record = driver.table.record()
    (strike,) = record.strikes
    assert (strike.seat, strike.before, strike.cause) == (2, before, Cause.ILLEGAL)
    assert "cut 3" in strike.message
    assert all(str(action) in strike.message for action in legal[:3])


def test_b09_one_timeout_is_a_strike_and_five_forfeit() -> None:
    driver = Driver(max_deals=40).begin()
    seat = driver.until(1).ask.seat
    driver.tick(219)
    assert driver.ask.seat == seat
    driver.tick(1)
    last = driver.table.seats[seat].last
    assert last is not None
    assert (last.elapsed_ms, last.cause, last.strikes) == (220, Cause.TIMEOUT, 1)  # B17
    for _ in range(4):
        driver.until(seat).tick(300)
    assert driver.table.penalties.forfeits == [seat]
    asked = len(driver.of(Ask))
    driver.play()
    outcome = driver.table.outcome
    assert outcome is not None
    assert outcome.ranking[seat] == 3
    assert outcome.strikes[seat] == 5
    assert all(isinstance(ask, Ask) and ask.seat != seat for ask in driver.of(Ask)[asked:])
    assert {e.cause for e in driver.table.journal if e.seat == seat} == {Cause.TIMEOUT, Cause.FORFEITED}


@pytest.mark.parametrize("seat", range(3))
def test_b05_others_rank_by_final_score_whoever_forfeits(seat: int) -> None:
    driver = Driver(max_deals=6, seed=seat).begin()
    while not driver.table.penalties.forfeits:
        driver.until(seat).tick(300)
    driver.play(drawn(seat))
    outcome = driver.table.outcome
    assert outcome is not None
    assert outcome.result is not None
    others = [s for s in range(3) if s != seat]
    by_score = sorted(others, key=lambda s: -outcome.result.scores[s])  # type: ignore[union-attr]
    assert outcome.ranking[seat] == 3
    assert sorted(others, key=lambda s: outcome.ranking[s]) == by_score


def test_b06_a_late_answer_is_dropped_even_before_the_tick() -> None:
    driver = Driver().begin()
    ask = driver.ask
    out = driver.answer(after=500)
    assert any(isinstance(o, Dropped) and o.fate is Fate.STALE and o.decision_id == ask.decision_id for o in out)
    assert driver.table.journal[0].cause is Cause.TIMEOUT


def test_answering_twice_is_dropped_without_a_strike() -> None:
    driver = Driver().begin()
    ask = driver.ask
    driver.answer()
    out = driver.take(driver.table.answer(ask.seat, ask.decision_id, 0, driver.now))
    assert out == [Dropped(ask.seat, ask.decision_id, Fate.STALE)]
    assert driver.table.penalties.by_seat == [0, 0, 0]


def test_a_malformed_answer_counts_against_the_open_decision_only() -> None:
    driver = Driver().begin()
    seat = driver.ask.seat
    assert not driver.take(driver.table.malformed((seat + 1) % 3, None, "unreadable", driver.now))
    out = driver.take(driver.table.malformed(seat, None, "unreadable", driver.now))
    assert isinstance(out[-1], Rejected)
    assert out[-1].cause is Cause.MALFORMED


def test_b13_the_clock_runs_from_the_send() -> None:
    driver = Driver()
    for seat in range(3):
        out = driver.table.ready(seat, 0)
    (ask,) = (o for o in out if isinstance(o, Ask))
    assert driver.table.deadline is None
    driver.table.sent(ask.seat, 400)
    driver.table.answer(ask.seat, ask.decision_id, 0, 450)
    assert driver.table.journal[0].elapsed_ms == 50


def test_b77_a_reconnected_seat_is_asked_again_with_the_time_left() -> None:
    driver = Driver().begin()
    ask = driver.ask
    assert not driver.table.disconnect(ask.seat, Cause.DISCONNECTED, driver.now)
    driver.now += 150
    started, again = driver.take(driver.table.reconnect(ask.seat, driver.now))
    assert started == Started(ask.seat, True)
    assert again == ask._replace(decision_ms=50)
    driver.answer(after=60)
    assert driver.table.journal[0] == driver.table.journal[0]._replace(cause=Cause.OWN, elapsed_ms=210)


def test_a_gone_seat_loses_its_decisions_by_the_clock() -> None:
    driver = Driver().begin()
    seat = driver.ask.seat
    driver.table.disconnect(seat, Cause.FLOODED, driver.now)
    driver.tick(220)
    assert driver.table.journal[0].cause is Cause.FLOODED
    driver.until(seat)
    assert driver.table.seats[seat].clock.started is not None
    driver.tick(220)
    assert driver.table.penalties.by_seat[seat] == 2


def test_b19_without_clocks_the_end_of_the_stream_ends_the_wait() -> None:
    driver = Driver(clocks=UNLIMITED, max_deals=3).begin()
    seat = driver.ask.seat
    driver.take(driver.table.disconnect(seat, Cause.DISCONNECTED, driver.now))
    driver.play()
    outcome = driver.table.outcome
    assert outcome is not None
    assert outcome.forfeits == (seat,)
    assert {s.cause for s in driver.table.record().strikes} == {Cause.DISCONNECTED}
    assert driver.now < 10_000


def test_without_a_start_up_clock_a_lost_stream_is_a_no_show() -> None:
    driver = Driver(clocks=UNLIMITED)
    driver.take(driver.table.disconnect(1, Cause.DISCONNECTED, 0))
    assert driver.table.outcome is not None
    assert driver.table.outcome.kind is OutcomeKind.NO_SHOW


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8, 1.0])
def test_a_match_resumes_from_its_journal_as_if_nothing_had_happened(share: float) -> None:
    def play(driver: Driver, stop: int | None) -> None:
        while driver.table.state is State.PLAYING and (stop is None or len(driver.table.journal) < stop):
            ask = driver.ask
            roll = random.Random(f"{ask.seat}/{ask.decision_id}").random()
            if roll < 0.02:
                driver.answer(99)
            if roll < 0.01:
                driver.tick(1000)
            else:
                driver.answer(random.Random(f"{ask.seat}/{ask.decision_id}/a").choice(ask.actions), after=120)

    whole = Driver(max_deals=6).begin()
    play(whole, None)
    first = Driver(max_deals=6).begin()
    play(first, int(share * len(whole.table.journal)))
    second = Driver(max_deals=6)
    second.table = Table(second.setup, CLOCKS, LIMITS)
    second.said = []
    second.take(second.table.open(0, first.journal()))
    if second.table.state is State.STARTING:
        second.begin()
    play(second, None)
    assert second.table.record() == whole.table.record()
    assert [s.clock.bank_ms for s in second.table.seats] == [s.clock.bank_ms for s in whole.table.seats]
    asked = [ask for ask in whole.of(Ask) if isinstance(ask, Ask)]
    again = [ask for ask in second.of(Ask) if isinstance(ask, Ask)]
    assert asked[len(asked) - len(again) :] == again


def test_a_resumed_match_is_played_even_if_a_seat_says_nothing() -> None:
    first = Driver().begin()
    first.answer()
    second = Driver()
    second.table = Table(second.setup, CLOCKS, LIMITS)
    second.take(second.table.open(0, first.journal()))
    second.tick(1000)
    assert second.table.state is State.PLAYING


def test_aborting_is_never_a_result() -> None:
    driver = Driver().begin()
    driver.take(driver.table.abort("the referee is stopping"))
    assert driver.table.outcome is not None
    assert driver.table.outcome.kind is OutcomeKind.ABORTED
    assert driver.table.outcome.result is None
    assert driver.table.record().result is None
    assert len(driver.of(Finished)) == 3


def test_live_events_are_told_at_once_and_not_twice() -> None:
    driver = Driver(live=[1]).begin().play(drawn(3))
    other = Driver().begin().play(drawn(3))
    live = [o.event for o in driver.of(Live) if isinstance(o, Live)]
    later = [e for o in other.said if isinstance(o, Ask | Finished) and o.seat == 1 for e in o.events]
    assert live == later
    assert all(o.events == () for o in driver.said if isinstance(o, Ask | Finished) and o.seat == 1)


def test_an_early_pass_is_taken_only_where_the_rules_have_it() -> None:
    driver = Driver().begin()
    seat = (driver.ask.seat + 1) % 3
    assert driver.take(driver.table.early_pass(seat)) == [Dropped(seat, 0, Fate.NOT_ALLOWED)]
    club = Driver(preset="club").begin()
    current = club.ask.seat
    for seat in range(3):
        if seat != current:
            out = club.take(club.table.early_pass(seat))
            if not isinstance(out[-1], Dropped):
                assert club.table.journal[0] == Entry(seat, PASS)
                break
    club.play()
    assert replay(club.table.record()).result is not None


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_b08_the_caretaker_is_always_legal(preset: str) -> None:
    """A match in which nobody ever answers: five strikes each, then the caretaker plays it out."""
    driver = Driver(preset=preset, max_deals=3).begin()
    while driver.table.state is State.PLAYING:
        driver.tick(300)
    outcome = driver.table.outcome
    assert outcome is not None
    assert sorted(outcome.forfeits) == list(range(driver.setup.ruleset.players))
    assert replay(driver.table.record()).result is not None

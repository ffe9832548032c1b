"""Journals and records on the wire."""

from thousand.record import Cause, Entry, MatchRecord, Seat, Strike, restore
from thousand.v1 import record_pb2 as pb
from thousand.wire.actions import action_from, action_to
from thousand.wire.errors import WireError
from thousand.wire.results import CAUSE, outcome_to
from thousand.wire.rulesets import ruleset_from, ruleset_to


def entry_to(seq: int, entry: Entry, bank_ms: int = 0, strikes: tuple[Strike, ...] = ()) -> pb.JournalEntry:
    """The message of the journal's entry number `seq`; `strikes`: bad answers to the same decision before it."""
    return pb.JournalEntry(
        seq=seq,
        seat=entry.seat,
        action=action_to(entry.action),
        cause=CAUSE.to[entry.cause],  # type: ignore[arg-type]  # the enum's number
        elapsed_ms=entry.elapsed_ms,
        bank_ms=bank_ms,
        strikes=[strike_to(strike) for strike in strikes],
    )


def entry_from(message: pb.JournalEntry) -> Entry:
    """The entry. Raises WireError."""
    field = f"journal[{message.seq}]"
    cause = CAUSE.read(message.cause, f"{field}.cause")
    return Entry(message.seat, action_from(message.action, f"{field}.action"), cause or Cause.OWN, message.elapsed_ms)


def strike_to(strike: Strike) -> pb.StrikeRecord:
    """The message."""
    return pb.StrikeRecord(
        seat=strike.seat,
        before=strike.before,
        cause=CAUSE.to[strike.cause],  # type: ignore[arg-type]  # the enum's number
        message=strike.message,
    )


def strike_from(message: pb.StrikeRecord) -> Strike:
    """The strike. Raises WireError."""
    cause = CAUSE.read(message.cause, "strike.cause")
    return Strike(message.seat, message.before, cause or Cause.OWN, message.message)


def record_to(record: MatchRecord) -> pb.MatchRecord:
    """The message."""
    return pb.MatchRecord(
        format=record.format,
        match_id=record.match_id,
        ruleset=ruleset_to(record.ruleset),
        preset=record.preset,
        seed=record.seed,
        seats=[pb.SeatRecord(bot_id=seat.bot, version=seat.version) for seat in record.seats],
        journal=[entry_to(seq, entry) for seq, entry in enumerate(record.journal)],
        outcome=outcome_to(
            record.result,
            players=record.ruleset.players,
            strikes=[(strike.seat, strike.cause) for strike in record.strikes],
            forfeits=record.forfeits,
        ),
        strikes=[strike_to(strike) for strike in record.strikes],
        forfeits=record.forfeits,
        first_dealer=record.first_dealer,
        first_hundred=record.first_hundred,
        table=record.table,
    )


def record_from(message: pb.MatchRecord) -> MatchRecord:
    """The record, its result reached by replaying it. Raises WireError, RecordError."""
    ruleset = ruleset_from(message.ruleset)
    journal = tuple(entry_from(entry) for entry in message.journal)
    dealer = message.first_dealer if message.HasField("first_dealer") else None
    hundred = message.first_hundred if message.HasField("first_hundred") else None
    if max(dealer or 0, hundred or 0) >= ruleset.players:
        raise WireError(f"record: first_dealer and first_hundred are seats from 0 to {ruleset.players - 1}")
    return MatchRecord(
        ruleset=ruleset,
        seed=message.seed,
        seats=tuple(Seat(seat.bot_id, seat.version) for seat in message.seats),
        journal=journal,
        result=restore(ruleset, message.seed, journal, first_dealer=dealer, first_hundred=hundred).result,
        match_id=message.match_id,
        preset=message.preset,
        strikes=tuple(strike_from(strike) for strike in message.strikes),
        forfeits=tuple(message.forfeits),
        first_dealer=dealer,
        first_hundred=hundred,
        table=message.table,
        format=message.format,
    )

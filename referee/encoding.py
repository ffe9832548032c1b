"""What a table says, as bytes for a stream: each function returns a PlayResponse of one item.

Serialised PlayResponses put one after another are one PlayResponse with all their items, so a stream's writer joins
whatever is ready into one message without looking into it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from referee.outputs import Dropped, Fate, LastAnswer, Live, Outcome, OutcomeKind, Rejected, Setup
from thousand.bot import Clocks
from thousand.record import Cause, Strike
from thousand.rules import bot_seed
from thousand.v1 import play_pb2 as pb
from thousand.v1 import result_pb2
from thousand.wire import actions_to, clocks_to, event_to, events_to, outcome_to, ruleset_to
from thousand.wire.results import CAUSE

_FATES: Final = {
    Fate.STALE: pb.ANSWER_FATE_STALE,
    Fate.NO_SUCH_MATCH: pb.ANSWER_FATE_NO_SUCH_MATCH,
    Fate.NOT_ALLOWED: pb.ANSWER_FATE_NOT_ALLOWED,
}


def _frame(**item: Any) -> bytes:
    return pb.PlayResponse(items=[pb.PlayResponseItem(**item)]).SerializeToString()


def welcome(bot_id: str, version: int, protocol: int, referee: str) -> bytes:
    """The answer to Hello."""
    return _frame(welcome=pb.Welcome(protocol=protocol, bot_id=bot_id, version=version, referee=referee))


def match_started(setup: Setup, clocks: Clocks, seat: int, resumed: bool) -> bytes:
    """The seat's match."""
    return _frame(
        match_started=pb.MatchStarted(
            match_id=setup.match_id,
            ruleset=ruleset_to(setup.ruleset),
            seat=seat,
            clocks=clocks_to(clocks),
            bot_seed=bot_seed(setup.seed, seat, setup.table),
            resumed=resumed,
            preset=setup.preset,
        )
    )


def rejected(match_id: str, said: Rejected) -> bytes:
    """A bad answer."""
    return _frame(
        answer_rejected=pb.AnswerRejected(
            match_id=match_id,
            decision_id=said.decision_id,
            cause=CAUSE.to[said.cause],  # type: ignore[arg-type]  # the enum's number
            reason=said.reason,
            actions=actions_to(said.actions),
            strikes=said.strikes,
            decision_ms=said.decision_ms or 0,
        )
    )


def dropped(match_id: str, said: Dropped) -> bytes:
    """Something was dropped without harm."""
    return _frame(
        answer_received=pb.AnswerReceived(match_id=match_id, decision_id=said.decision_id, fate=_FATES[said.fate])
    )


def live(match_id: str, said: Live) -> bytes:
    """One event each, so that how they are cut into items tells nothing (field case B74)."""
    return _frame(events=pb.Events(match_id=match_id, events=[event_to(said.event)]))


def match_finished(
    match_id: str, outcome: result_pb2.MatchOutcome, events: Sequence[Any], last: LastAnswer | None
) -> bytes:
    """The match is over for this seat."""
    return _frame(
        match_finished=pb.MatchFinished(
            match_id=match_id, outcome=outcome, events=events_to(events), last_answer=last_answer(last)
        )
    )


def goodbye(reason: str, reconnect: bool) -> bytes:
    """The stream is about to end."""
    return _frame(goodbye=pb.Goodbye(reason=reason, reconnect=reconnect))


def last_answer(last: LastAnswer | None) -> pb.LastAnswer | None:
    """What was measured."""
    return None if last is None else _last_answer(last)


@lru_cache(maxsize=1024)
def _last_answer(last: LastAnswer) -> pb.LastAnswer:
    return pb.LastAnswer(
        decision_id=last.decision_id,
        elapsed_ms=last.elapsed_ms,
        cause=CAUSE.to[last.cause],  # type: ignore[arg-type]  # the enum's number
        strikes=last.strikes,
    )


def outcome(said: Outcome, strikes: Sequence[Strike]) -> result_pb2.MatchOutcome:
    """How a match ended."""
    return outcome_to(
        said.result,
        players=len(said.strikes),
        strikes=[(strike.seat, Cause(strike.cause)) for strike in strikes],
        forfeits=said.forfeits,
        no_shows=said.charged,
        aborted=said.kind is OutcomeKind.ABORTED,
    )

"""Results, conduct and clocks on the wire."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from thousand.clocks import Clocks
from thousand.record import Cause, final_ranking
from thousand.rules.standings import MatchResult
from thousand.v1 import clock_pb2, result_pb2
from thousand.wire.enums import EnumCodec
from thousand.wire.errors import WireError

CAUSE: Final = EnumCodec(Cause, clock_pb2.StrikeCause, name="StrikeCause")


def outcome_to(
    result: MatchResult | None,
    *,
    players: int,
    strikes: Iterable[tuple[int, Cause]] = (),
    forfeits: Sequence[int] = (),
    no_shows: Collection[int] = (),
    aborted: bool = False,
) -> result_pb2.MatchOutcome:
    """The message: finished if there is a result, else a no-show or an infrastructure fault."""
    counts = Counter(strikes)
    outcome = result_pb2.MatchOutcome(
        reason=result_pb2.END_REASON_FINISHED
        if result is not None
        else result_pb2.END_REASON_ABORTED
        if aborted
        else result_pb2.END_REASON_NO_SHOW,
        conduct=[
            result_pb2.Conduct(
                strikes=[
                    result_pb2.StrikeCount(cause=CAUSE.to[cause], count=counts[seat, cause])  # type: ignore[arg-type]
                    for cause in Cause
                    if counts[seat, cause]
                ],
                forfeited=seat in forfeits,
                no_show=seat in no_shows,
            )
            for seat in range(players)
        ],
    )
    if result is not None:
        outcome.scores.extend(result.scores)
        outcome.ranking.extend(final_ranking(result, forfeits))
        outcome.winners.extend(result.winners)
        outcome.settlement.extend(result.settlement)
        outcome.deals = result.deals
        outcome.by_limit = result.by_limit
    return outcome


def result_from(outcome: result_pb2.MatchOutcome, rules_ranking: Sequence[int] | None = None) -> MatchResult:
    """The result of a finished match. `rules_ranking` replaces the ranking, which has forfeits applied.

    Raises WireError for an outcome that is no result.
    """
    if outcome.reason != result_pb2.END_REASON_FINISHED:
        raise WireError("outcome.reason is not FINISHED: there is no result")
    return MatchResult(
        scores=tuple(outcome.scores),
        ranking=tuple(outcome.ranking if rules_ranking is None else rules_ranking),
        winners=tuple(outcome.winners),
        settlement=tuple(outcome.settlement),
        deals=outcome.deals,
        by_limit=outcome.by_limit,
    )


def clocks_to(clocks: Clocks) -> clock_pb2.Clocks:
    """The message."""
    return clock_pb2.Clocks(
        startup_ms=clocks.startup_ms,
        decision_ms=clocks.decision_ms,
        free_ms=clocks.free_ms,
        bank_ms=clocks.bank_ms,
        increment_ms=clocks.increment_ms,
    )


def clocks_from(message: clock_pb2.Clocks) -> Clocks:
    """The clocks."""
    return Clocks(
        startup_ms=message.startup_ms,
        decision_ms=message.decision_ms,
        free_ms=message.free_ms,
        bank_ms=message.bank_ms,
        increment_ms=message.increment_ms,
    )

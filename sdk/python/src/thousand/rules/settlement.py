"""The end of a match: places, and the stakes paid on top of the score (RULES 4 Settlement)."""

from collections.abc import Sequence

from thousand.rules.options import Settlement
from thousand.rules.ruleset import Ruleset
from thousand.rules.standings import MatchResult

FULL_SCORE = 1000  # settlement difference is counted to it, whatever win_score is


def match_result(
    ruleset: Ruleset, scores: Sequence[int], winners: tuple[int, ...], forehand: int, deals: int, by_limit: bool
) -> MatchResult:
    """The result of a match that these seats have won."""
    places = ranking(scores, winners)
    stakes = settle(ruleset, scores, places, forehand)
    return MatchResult(tuple(scores), places, winners, stakes, deals, by_limit)


def ranking(scores: Sequence[int], winners: Sequence[int]) -> tuple[int, ...]:
    """Place by seat: winners first, then by score; equal scores share a place, the next is skipped."""
    keys = [(seat in winners, 0 if seat in winners else score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def settle(ruleset: Ruleset, scores: Sequence[int], places: Sequence[int], forehand: int) -> tuple[int, ...]:
    """Stakes won or lost by seat; they sum to 0."""
    seats = [(forehand + i) % len(scores) for i in range(len(scores))]  # clockwise from forehand
    winners = [seat for seat in seats if places[seat] == 1]
    losers = [seat for seat in seats if places[seat] != 1]
    stakes = [0] * len(scores)
    match ruleset.settlement:
        case Settlement.DIFFERENCE:
            for seat in losers:
                stakes[seat] = -(FULL_SCORE - scores[seat])
        case Settlement.PROPORTIONAL:
            for seat in losers:
                stakes[seat] = -max(0, scores[seat])
        case Settlement.BANK if losers:
            last = [seat for seat in losers if places[seat] == max(places)]
            for seat, part in zip(last, parts(ruleset.bank, len(last)), strict=True):
                stakes[seat] = -part
    for seat, part in zip(winners, parts(-sum(stakes), len(winners)), strict=True):
        stakes[seat] = part
    return tuple(stakes)


def parts(amount: int, count: int) -> list[int]:
    """An amount shared equally in whole points; the first gets the remainder."""
    share = abs(amount) // count * (-1 if amount < 0 else 1)
    return [amount - share * (count - 1), *([share] * (count - 1))]

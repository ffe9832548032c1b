"""What a board means: who held the same cards, how they compare, and what is told while a table still plays it.

Law: a score counts only against the scores of those who held the same cards in the same seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workers.model import ENDED_BLOCKS, Block, BlockState, MatchEnd, MatchReport, Player


@dataclass(frozen=True, slots=True)
class Held:
    """One of those who held the same cards: `place` among them; points more than each of the others who played, summed.

    `deals`: so many comparisons, so that points / deals is the difference to the mean of the others.
    """

    player: Player
    match: MatchReport
    seat: int
    place: int
    points: int = 0
    deals: int = 0


def is_sealed(block: Block, state: BlockState) -> bool:
    """Whether a table of this board may still play: neither cards nor scores nor who shares it may be told."""
    return block.board and state not in ENDED_BLOCKS


def same_cards(matches: Sequence[MatchReport]) -> list[tuple[Held, ...]]:
    """By seat, those who held the same cards and can be compared, in the order of tables; of fewer than two: nobody.

    Who forfeited is last of those who played. Of rated matches that were not played, the absent are last of all, and
    the others first where nobody played.
    """
    counted = [match for match in matches if match.rated]
    if not counted:
        return []
    return [_compared(counted, seat) for seat in range(len(counted[0].seats))]


def _compared(matches: Sequence[MatchReport], seat: int) -> tuple[Held, ...]:
    played = [match for match in matches if match.end is MatchEnd.PLAYED]
    absent = [match for match in matches if match.end is MatchEnd.NO_SHOW and seat in match.faulty]
    came = played or [match for match in matches if match not in absent]
    if len(came) + len(absent) < 2:
        return ()
    keys = {match.match_id: _key(match, seat) for match in (*came, *absent)}
    found = []
    for match in matches:
        if match.match_id in keys:
            place = 1 + sum(other < keys[match.match_id] for other in keys.values())
            others = [m for m in played if m is not match] if match in played else []
            points = sum(match.scores[seat] - other.scores[seat] for other in others)
            found.append(Held(match.seats[seat], match, seat, place, points, match.deals * len(others)))
    return tuple(found)


def _key(match: MatchReport, seat: int) -> tuple[int, int]:
    """Less is better."""
    if match.end is MatchEnd.NO_SHOW:
        return (2 if seat in match.faulty else 0, 0)
    return (1, 0) if seat in match.faulty else (0, -match.scores[seat])

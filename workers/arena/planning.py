"""What a tournament would be, in numbers: for the call of the arena, and as a program of its own where none runs.

`python -m workers.arena.planning` reads a PlanTournamentRequest from standard input and writes the response; a refusal
is a line on standard error, and exit code 2 for a bad request, 1 for any other.
"""

import sys
from collections.abc import Sequence
from typing import Final

from thousand.v1 import arena_pb2 as api
from thousand.v1 import plan_pb2 as pb
from workers.arena.calls import Caller, as_refusal
from workers.arena.entering import entering, rules_from
from workers.arena.errors import BadRequest, NotNow
from workers.arena.tournaments import format_named, format_options
from workers.entrants import entrants_of
from workers.formats import ENTRANTS_MAX, FORMATS, Counts, Plan, outlook
from workers.model import Entrant, Player
from workers.store import Store

SECONDS_PER_MATCH: Final = 5.0
SECONDS_PER_DEAL: Final = 0.5  # what a match of a board takes
SECONDS_MAX: Final = 86_400
AT_ONCE: Final = 16


class PlanCalls:
    """Plans. Blocking: called in a thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def plan(self, caller: Caller, request: api.PlanTournamentRequest) -> api.PlanTournamentResponse:
        """For so many bots, or for these."""
        if request.entrants:
            return planned(request)
        bots = entering(self._store, request.bots, rules_from(request.rules), _seats(request))
        options = format_options(self._store, format_named(request.format), request.options)
        return planned(request, entrants_of(self._store, bots), options)


def planned(
    request: api.PlanTournamentRequest, entrants: Sequence[Entrant] = (), options: dict[str, object] | None = None
) -> api.PlanTournamentResponse:
    """The plan for these entrants, or for as many bots of as many owners as the request says."""
    seats, name = _seats(request), format_named(request.format)
    if request.entrants and (request.bots or request.rules):
        raise BadRequest("entrants: say how many, or who, not both")
    if not request.entrants and not entrants:
        raise BadRequest("entrants: say how many bots, or name them")
    if request.entrants > ENTRANTS_MAX:
        raise NotNow(f"{request.entrants:,} entrants are more than {ENTRANTS_MAX:,}: hold several tournaments")
    entrants = entrants or [Entrant(Player(f"bot-{number}")) for number in range(request.entrants)]
    given = dict(request.options) if options is None else options
    counts = outlook(name, Plan(seats, request.allow_same_owner, given), entrants)
    return api.PlanTournamentResponse(plan=_encoded(request, counts, len(entrants), seats))


def _encoded(request: api.PlanTournamentRequest, counts: Counts, entrants: int, seats: int) -> pb.TournamentPlan:
    usual = SECONDS_PER_DEAL if FORMATS[format_named(request.format)].board else SECONDS_PER_MATCH
    each, at_once = request.seconds_per_match or usual, request.matches_at_once or AT_ONCE
    if not 0 < each <= SECONDS_MAX:
        raise BadRequest(f"seconds_per_match: must be a number above 0 and at most {SECONDS_MAX:,}")
    return pb.TournamentPlan(
        format=request.format,
        options=request.options,
        entrants=entrants,
        seats=seats,
        rounds=counts.rounds,
        blocks=counts.blocks,
        matches=counts.matches,
        min_per_pair=counts.per_pair[0],
        max_per_pair=counts.per_pair[1],
        min_per_bot=counts.per_bot[0],
        max_per_bot=counts.per_bot[1],
        min_per_bot_and_seat=counts.per_bot_and_seat[0],
        max_per_bot_and_seat=counts.per_bot_and_seat[1],
        exact=counts.exact,
        estimated_seconds=max(counts.matches / at_once, counts.per_bot[1]) * each,
        seconds_per_match=each,
        matches_at_once=at_once,
    )


def _seats(request: api.PlanTournamentRequest) -> int:
    if request.seats not in (0, 2, 3, 4):
        raise BadRequest(f"seats: a table has 2, 3 or 4, not {request.seats}")
    return request.seats or 3


def main() -> int:
    """See the module."""
    try:
        answer = planned(api.PlanTournamentRequest.FromString(sys.stdin.buffer.read()))
    except Exception as error:
        refusal = as_refusal(error)
        if refusal is None:
            raise
        print(refusal, file=sys.stderr)
        return 2 if isinstance(refusal, BadRequest) else 1
    sys.stdout.buffer.write(answer.SerializeToString())
    return 0


if __name__ == "__main__":
    sys.exit(main())

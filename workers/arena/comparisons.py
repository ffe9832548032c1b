"""The calls about comparisons: two bots on the same boards, among house bots, until it is known which is better."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from thousand.comparison import sequential_interval
from thousand.rules import Ruleset
from thousand.v1 import comparison_pb2 as pb
from thousand.wire import ruleset_to
from workers.arena import encode
from workers.arena.calls import Caller, idempotency_key
from workers.arena.entering import named_bots
from workers.arena.errors import BadRequest, NoSuchThing, NotAllowed, NotNow
from workers.arena.quotas import OwnerQuotas
from workers.arena.tournaments import TournamentCalls, clocks_of, now_ms, ruleset_of
from workers.entrants import entrants_of
from workers.formats.comparison import BOARDS, OPTIONS, differences
from workers.model import Bot, Tournament
from workers.store import Store

FORMAT: Final = "comparison"
KEPT: Final = 64  # comparisons whose differences are remembered, so that following one reads each entry once


class ComparisonCalls:
    """Comparisons. Blocking: called in a thread."""

    def __init__(self, store: Store, tournaments: TournamentCalls, quotas: OwnerQuotas) -> None:
        self._store, self._tournaments, self._quotas = store, tournaments, quotas
        self._seen: dict[str, tuple[int, tuple[float, ...]]] = {}

    def create(self, caller: Caller, request: pb.CreateComparisonRequest) -> pb.CreateComparisonResponse:
        """Check who takes part, and start it."""
        owner = caller.must_be_owner()
        key = idempotency_key(request)
        once = f"comparison/{key}" if key else ""
        made = self._store.people.known(caller.id, once)
        if self._store.tournaments.get(made) is None:
            described = self._described(request)
            bots = named_bots(self._store, [request.a, request.b, *request.field])
            self._must_be_theirs(caller, bots)
            self._must_be_of_the_house(bots[2:])
            if len(bots) - 2 != described.seats - 1:
                raise NotNow(f"this preset seats {described.seats}: the field needs {described.seats - 1} house bots")
            self._tournaments.must_be_here(bots, described.preset)
            described = replace(described, entrants=entrants_of(self._store, bots))

            def make(tournament_id: str) -> str:
                if not caller.is_organiser():
                    self._quotas.spend_match(owner.owner_id, tournament_id)
                return self._tournaments.start(described, tournament_id)

            made = self._store.people.once(caller.id, once, make)
            self._tournaments.open_blocks(made)
        return pb.CreateComparisonResponse(comparison=self._encoded(self._known(made)))

    def get(self, caller: Caller, request: pb.GetComparisonRequest) -> pb.GetComparisonResponse:
        """As it stands."""
        return pb.GetComparisonResponse(comparison=self._encoded(self._known(request.comparison_id)))

    def cancel(self, caller: Caller, request: pb.CancelComparisonRequest) -> pb.CancelComparisonResponse:
        """Stop it; twice is harmless."""
        found = self._known(request.comparison_id)
        caller.must_be_owner()
        bots = [self._store.people.bot(entrant.player.bot_id) for entrant in found.entrants[:2]]
        self._must_be_theirs(caller, [bot for bot in bots if bot is not None])
        self._store.tournaments.cancel(found.tournament_id)
        return pb.CancelComparisonResponse(comparison=self._encoded(found))

    def _described(self, request: pb.CreateComparisonRequest) -> Tournament:
        """All but who takes part. Raises BadRequest."""
        preset, ruleset = ruleset_of(request)
        most = OPTIONS["boards"].most
        if request.max_boards > most:
            raise BadRequest(f"max_boards: at most {most:,}")
        if not (math.isfinite(request.precision) and 0 <= request.precision <= 1000):
            raise BadRequest("precision: points a deal from 0.1 to 1000; 0: never stop for it")
        options: dict[str, object] = {"boards": request.max_boards or BOARDS}
        if request.precision:
            options["tenths"] = max(1, round(request.precision * 10))
        return Tournament(
            tournament_id="",
            name=FORMAT,
            format=FORMAT,
            options=options,
            seats=ruleset.players,
            preset=preset,
            ruleset=dict(ruleset.to_dict()),
            entrants=(),
            commitment="",
            clocks=clocks_of(request.clock_factor),
            rated=False,
            listed=False,
            owners_may_meet=True,
            created_ms=now_ms(),
        )

    def _must_be_theirs(self, caller: Caller, bots: Sequence[Bot]) -> None:
        owner = caller.must_be_owner()
        if not caller.is_organiser() and all(bot.owner_id != owner.owner_id for bot in bots[:2]):
            raise NotAllowed("neither bot is yours: compare one of your own with another")

    def _must_be_of_the_house(self, field: Sequence[Bot]) -> None:
        for bot in field:
            owner = self._store.people.owner(bot.owner_id)
            if owner is None or not owner.house:
                raise NotAllowed(
                    f"field: {bot.name!r} is no house bot: the field meets every board twice, and must not remember it"
                )

    def _known(self, comparison_id: str) -> Tournament:
        found = self._store.tournaments.get(comparison_id)
        if found is None or found.format != FORMAT:
            raise NoSuchThing(f"there is no comparison {comparison_id!r}")
        return found

    def _encoded(self, it: Tournament) -> pb.Comparison:
        names = self._tournaments.names([entrant.player for entrant in it.entrants])
        a, b, *field = [encode.entrant(entrant.player, names) for entrant in it.entrants]
        state = self._store.tournaments.state(it.tournament_id)
        assert state is not None
        values = self._differences(it)
        shown = pb.Comparison(
            comparison_id=it.tournament_id,
            a=a,
            b=b,
            field=field,
            preset=it.preset,
            ruleset=ruleset_to(Ruleset.from_dict(it.ruleset)),
            state=encode.STATES[state],
            max_boards=int(str(it.options["boards"])),
            boards=len(values),
            deals=2 * len(values),
        )
        if len(values) > 1:
            shown.difference, shown.half = sequential_interval(values)
        return shown

    def _differences(self, it: Tournament) -> tuple[float, ...]:
        """Those of all settled boards; only what has come since the last look is read."""
        read, values = self._seen.get(it.tournament_id, (0, ()))
        places = self._store.tournaments.settled(it.tournament_id)
        if len(places) > read:
            entries = self._store.ledger.of(places[read:])
            values = (*values, *differences(entries, it.entrants))
            self._seen[it.tournament_id] = (len(places), values)
            while len(self._seen) > KEPT:
                self._seen.pop(next(iter(self._seen)), None)
        return values

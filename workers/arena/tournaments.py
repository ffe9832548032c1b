"""The calls about tournaments, and about matches in them or alone."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from thousand.clocks import Clocks
from thousand.rules import PRESETS, Ruleset
from thousand.v1 import arena_pb2 as api
from thousand.v1 import comparison_pb2
from thousand.v1 import tournament_pb2 as pb
from thousand.v1.absence_pb2 import Absence
from thousand.v1.record_pb2 import MatchRecord
from thousand.wire import WireError, ruleset_from
from workers.arena import encode
from workers.arena.calls import Caller, idempotency_key, page, stored_page, the_bot
from workers.arena.entering import entering, named_bots, rules_from
from workers.arena.errors import BadRequest, NoSuchThing, NotAllowed, NotNow
from workers.arena.quotas import OwnerQuotas
from workers.create import create_tournament, leaderboard_id
from workers.entrants import entrants_of
from workers.formats import FORMATS, Kind
from workers.model import Bot, EntrantRule, Player, RuleKind, Seatings, Tournament, TournamentState
from workers.names import clean_name
from workers.store import Store

SPECS: Final = 100  # tournaments remembered
LISTED: Final = 100  # entrants of a tournament in a list
DEFAULT_PRESET: Final = "tournament"
CLOCK_FACTOR_MAX: Final = 1000
ENTRIES: Final = 20_000  # of a journal at once: some 300 kB
POSTPONEMENTS_MAX: Final = 1_000
DAY_MS: Final = 24 * 3600 * 1000


class TournamentCalls:
    """Tournaments and matches. Blocking: called in a thread.

    `plan` opens the first blocks of a tournament; `nudge` has the tick look at once.
    """

    def __init__(
        self, store: Store, quotas: OwnerQuotas, plan: Callable[[str], None], nudge: Callable[[], None]
    ) -> None:
        self._store, self._quotas, self._plan, self._nudge = store, quotas, plan, nudge
        self._names: dict[str, str] = {}
        self._specs: dict[str, Tournament] = {}

    def create(self, caller: Caller, request: api.CreateTournamentRequest) -> api.CreateTournamentResponse:
        """Plan a tournament and start it."""
        caller.must_be_organiser()
        key = idempotency_key(request)
        once = f"tournament/{key}" if key else ""
        made = self._store.people.known(caller.id, once)
        if self._store.tournaments.state(made) in (None, TournamentState.OPEN):
            described = replace(self.described(request), name=clean_name(request.name, "name"))
            rules = rules_from(request.entrants)
            bots = entering(self._store, request.bots, rules, described.seats)
            described = replace(described, entrants=entrants_of(self._store, bots), created_ms=now_ms())
            if rules and FORMATS[described.format].endless:  # they are asked again at every round
                named = [EntrantRule(RuleKind.NAME, bot.name) for bot in named_bots(self._store, request.bots)]
                described = replace(described, rules=(*named, *rules))
            start = partial(self.start, described)
            made = self._store.people.once(caller.id, once, start)
            self.open_blocks(made)
        return api.CreateTournamentResponse(tournament=self.encoded(self.known(made)))

    def described(self, request: api.CreateTournamentRequest) -> Tournament:
        """All that a request says of a tournament but its name and its entrants. Raises BadRequest."""
        preset, ruleset = ruleset_of(request)
        format_name = format_named(request.format)
        return Tournament(
            tournament_id="",
            name="",
            format=format_name,
            options=format_options(self._store, format_name, request.options),
            seats=ruleset.players,
            preset=preset,
            ruleset=dict(ruleset.to_dict()),
            entrants=(),
            commitment="",
            clocks=clocks_of(request.clock_factor),
            public_seed=request.public_seed if request.HasField("public_seed") else None,
            owners_may_meet=request.allow_same_owner,
            **_absence(request.absence),
        )

    def get(self, caller: Caller, request: api.GetTournamentRequest) -> api.GetTournamentResponse:
        """One tournament as it stands."""
        return api.GetTournamentResponse(tournament=self.encoded(self.known(request.tournament_id)))

    def list_all(self, caller: Caller, request: api.ListTournamentsRequest) -> api.ListTournamentsResponse:
        """Newest first."""
        ids, following = stored_page(self._store.tournaments.ids, request.page_size, request.page_token)
        listed = [self.encoded(self.known(tournament_id)) for tournament_id in ids]
        for one in listed:  # or a page of large ones would be larger than a message may be
            del one.entrants[LISTED:]
        return api.ListTournamentsResponse(tournaments=listed, next_page_token=following)

    def cancel(self, caller: Caller, request: api.CancelTournamentRequest) -> api.CancelTournamentResponse:
        """Stop it; twice is harmless."""
        caller.must_be_organiser()
        tournament = self.known(request.tournament_id)
        stopped = self._store.tournaments.cancel(tournament.tournament_id)
        state = self._store.tournaments.state(tournament.tournament_id)
        if not stopped and state is not TournamentState.CANCELLED:
            raise NotNow("this tournament has finished: its results stand")
        return api.CancelTournamentResponse(tournament=self.encoded(tournament))

    def create_match(self, caller: Caller, request: api.CreateMatchRequest) -> api.CreateMatchResponse:
        """One unrated match at once."""
        owner = caller.must_be_owner()
        key = idempotency_key(request)
        once = f"match/{key}" if key else ""
        made = self._store.people.known(caller.id, once)
        if not self._store.tournaments.match_ids(made):
            described = self._described_match(request)
            bots = self._seated(request.bots, described.seats)
            if not caller.is_organiser() and all(bot.owner_id != owner.owner_id for bot in bots):
                raise NotAllowed("none of these bots is yours: name one of your own among them")
            self.must_be_here(bots, described.preset)
            described = replace(described, entrants=entrants_of(self._store, bots))

            def make(tournament_id: str) -> str:
                if not caller.is_organiser():
                    self._quotas.spend_match(owner.owner_id, tournament_id)
                return self.start(described, tournament_id)

            made = self._store.people.once(caller.id, once, make)
            self.open_blocks(made)
        (match_id,) = self._store.tournaments.match_ids(made)
        return api.CreateMatchResponse(match=self.match(match_id, self.known(made)))

    def _described_match(self, request: api.CreateMatchRequest) -> Tournament:
        """A tournament of one match, without its entrants. Raises BadRequest."""
        preset, ruleset = ruleset_of(request)
        return Tournament(
            tournament_id="",
            name="match",
            format="single",
            seats=ruleset.players,
            preset=preset,
            ruleset=dict(ruleset.to_dict()),
            entrants=(),
            commitment="",
            seatings=Seatings.ONE,
            clocks=clocks_of(request.clock_factor),
            rated=False,
            listed=False,
            public_seed=request.public_seed if request.HasField("public_seed") else None,
            owners_may_meet=True,
            created_ms=now_ms(),
        )

    def open_blocks(self, tournament_id: str) -> None:
        """Do not wait for the next tick."""
        self._plan(tournament_id)
        self._nudge()

    def start(self, described: Tournament, tournament_id: str) -> str:
        """Make it under this id, and let it run."""
        made = create_tournament(self._store, replace(described, tournament_id=tournament_id))
        self._store.tournaments.start(made.tournament_id)
        return made.tournament_id

    def get_match(self, caller: Caller, request: api.GetMatchRequest) -> api.GetMatchResponse:
        """One match."""
        return api.GetMatchResponse(match=self.match(request.match_id))

    def list_matches(self, caller: Caller, request: api.ListMatchesRequest) -> api.ListMatchesResponse:
        """In schedule order, as far as they are planned."""
        tournament = self.known(request.tournament_id)
        read = partial(self._store.tournaments.match_ids, tournament.tournament_id)
        ids, following = stored_page(read, request.page_size, request.page_token)
        matches = [match for match_id in ids if (match := self.match(match_id, tournament)).block_id]  # no sealed ones
        return api.ListMatchesResponse(matches=matches, next_page_token=following)

    def get_record(self, caller: Caller, request: api.GetMatchRecordRequest) -> api.GetMatchRecordResponse:
        """The record of a finished match."""
        match = self.match(request.match_id)
        record = self._store.blocks.record(request.match_id)
        if match.state != pb.MATCH_STATE_FINISHED or record is None:
            raise NotNow("this match has not finished (a board: at every table): hands stay secret until then")
        whole = MatchRecord.FromString(record)
        entries, token = page(whole.journal, request.page_size, request.page_token, ENTRIES)
        if not request.page_token and not token:
            return api.GetMatchRecordResponse(record=whole)
        answer = api.GetMatchRecordResponse(record=MatchRecord(journal=entries), next_page_token=token)
        if not request.page_token:
            del whole.journal[:]
            answer.record.MergeFrom(whole)
        return answer

    def encoded(self, tournament: Tournament) -> pb.Tournament:
        """A tournament as it stands."""
        tournament_id = tournament.tournament_id
        progress = self._store.tournaments.progress(tournament_id)
        secret = self._store.tournaments.revealed(tournament_id) or b""
        names = self.names([entrant.player for entrant in tournament.entrants])
        board = leaderboard_id(tournament) if tournament.rated else ""
        return encode.tournament(tournament, progress, secret, names, board)

    def names(self, players: Sequence[Player]) -> dict[str, str]:
        """Names by bot id; a name never changes, so they are remembered."""
        for player in players:
            if player.bot_id not in self._names:
                bot = self._store.people.bot(player.bot_id)
                self._names[player.bot_id] = player.bot_id if bot is None else bot.name
        return {player.bot_id: self._names[player.bot_id] for player in players}

    def match(self, match_id: str, tournament: Tournament | None = None) -> pb.Match:
        """A match as it stands. Raises NoSuchThing."""
        block = self._store.blocks.get(self._store.blocks.block_of(match_id))
        if block is None:
            raise NoSuchThing(f"there is no match {match_id!r}")
        tournament = tournament or self.known(block.tournament_id)
        number = [planned.match_id for planned in block.matches].index(match_id)
        names = self.names(block.players)
        report = self._store.blocks.report(match_id)
        state = self._store.blocks.lease(block.block_id).state
        return encode.match(tournament, block, number, state, report, names)

    def known(self, tournament_id: str) -> Tournament:
        """The tournament of this id; it never changes, so it is remembered. Raises NoSuchThing."""
        known = self._specs.get(tournament_id)
        if known is not None:
            return known
        tournament = self._store.tournaments.get(tournament_id)
        if tournament is None:
            raise NoSuchThing(f"there is no tournament {tournament_id!r}: `thousand tournament list` shows all")
        if len(self._specs) >= SPECS:
            self._specs = {}
        self._specs[tournament_id] = tournament
        return tournament

    def _seated(self, wanted: Sequence[str], seats: int) -> list[Bot]:
        if len(wanted) != seats:
            raise NotNow(f"this preset seats {seats}: name {seats} bots, not {len(wanted)}")
        return named_bots(self._store, wanted)

    def must_be_here(self, bots: Sequence[Bot], preset: str) -> None:
        """Raises NotNow unless one referee has all of them."""
        connected = [
            [instance for instance in referee.instances if not instance.leaving]
            for referee in self._store.presence.everywhere()
            if not referee.draining
        ]
        rooms = [
            {instance.player for instance in room if not instance.presets or preset in instance.presets}
            for room in connected
        ]
        for bot in bots:
            player = Player(bot.bot_id, bot.version)
            if not any(instance.player == player for room in connected for instance in room):
                raise NotNow(f"bot {bot.name!r} version {bot.version} is not connected: start it, then try again")
            if not any(player in room for room in rooms):
                raise NotNow(f"bot {bot.name!r} says it does not play {preset or 'custom rulesets'}")
        if not any(all(Player(bot.bot_id, bot.version) in room for bot in bots) for room in rooms):
            raise NotNow("these bots are connected to different referees: connect them through the arena")


def ruleset_of(
    request: api.CreateTournamentRequest | api.CreateMatchRequest | comparison_pb2.CreateComparisonRequest,
) -> tuple[str, Ruleset]:
    """The preset's name, empty for a custom ruleset, and the ruleset."""
    if request.HasField("ruleset"):
        if request.preset:
            raise BadRequest("preset: name a preset or give a ruleset, not both")
        try:
            return "", ruleset_from(request.ruleset)
        except WireError as error:
            raise BadRequest(str(error)) from error
    name = request.preset or DEFAULT_PRESET
    if name not in PRESETS:
        raise BadRequest(f"preset: there is no {name!r}; `thousand rules list` shows all")
    return name, PRESETS[name]


def format_options(store: Store, format_name: str, given: Mapping[str, str]) -> dict[str, object]:
    """The format's options, bots by id, not yet read."""
    known = FORMATS[format_name].options
    bots = {name for name, option in known.items() if option.kind is Kind.BOT}
    return {n: the_bot(store, v).bot_id if n in bots else v for n, v in given.items()}


def format_named(number: "pb.TournamentFormat.ValueType") -> str:
    """The format of an enum value. Raises BadRequest."""
    name = encode.FORMAT_NAMES.get(number)
    if name is None:
        raise BadRequest(f"format: choose one of {', '.join(encode.FORMATS)}")
    return name


def clocks_of(factor: int) -> Clocks:
    """The usual clocks, so many times. Raises BadRequest."""
    if factor > CLOCK_FACTOR_MAX:
        raise BadRequest(f"clock_factor: at most {CLOCK_FACTOR_MAX}")
    return Clocks().scaled(factor or 1)


def _absence(asked: Absence) -> dict[str, Any]:
    """The fields of a Tournament that say what happens to absent bots; what is not asked for keeps its default."""
    chosen: dict[str, Any] = {}
    if asked.no_show:
        policy = encode.NO_SHOW_NAMES.get(asked.no_show)
        if policy is None:
            raise BadRequest(f"absence.no_show: choose one of {', '.join(encode.NO_SHOWS)}")
        chosen["no_show"] = policy
    if asked.HasField("postponements"):
        if asked.postponements > POSTPONEMENTS_MAX:
            raise BadRequest(f"absence.postponements: at most {POSTPONEMENTS_MAX}: the tournament must come to an end")
        chosen["postponements"] = asked.postponements
    if asked.HasField("postpone_ms"):
        if not 100 <= asked.postpone_ms <= DAY_MS:
            raise BadRequest("absence.postpone_ms: from 100 (a tenth of a second) to 86400000 (a day)")
        chosen["postpone_ms"] = asked.postpone_ms
    return chosen


def now_ms() -> int:
    """When something is made."""
    return time.time_ns() // 1_000_000

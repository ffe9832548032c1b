"""Makes tournaments: checks the description before anything is stored, commits to a secret, gives it a leaderboard."""

from dataclasses import replace

from thousand.rules import Ruleset, one_deal
from workers import seeds
from workers.blocks import ruleset_id
from workers.formats import Plan, format_of, next_round, prepared
from workers.model import Leaderboard, RatingParameters, Scope, Seatings, Tournament
from workers.store import Store

OVERALL = "all"


def plan_of(tournament: Tournament) -> Plan:
    """What its format is given."""
    return Plan(tournament.seats, tournament.owners_may_meet, tournament.options)


def create_tournament(
    store: Store, tournament: Tournament, parameters: RatingParameters | None = None, *, run: str = ""
) -> Tournament:
    """Store it, OPEN; start it with `store.tournaments.start`. Its `commitment` is made here.

    Raises InvalidFormat for what could never be played. The same id again is harmless. `run`: see Tournaments.create.
    """
    plan = prepared(tournament.format, plan_of(tournament), tournament.entrants)
    next_round(tournament.format, plan, tournament.entrants)
    tournament = _as_played(replace(tournament, options=dict(plan.options)))
    public = tournament.public_seed
    secret = seeds.new_secret() if public is None else seeds.public_secret(public)
    made = store.tournaments.create(replace(tournament, commitment=seeds.commitment(secret)), secret, run)
    for board in boards_of(made, parameters or RatingParameters(), len(store.ledger)):
        store.leaderboards.create(board)
    return made


def _as_played(tournament: Tournament) -> Tournament:
    """A board is one deck, and each deal is scored by itself from level scores: so its matches have one deal."""
    if not format_of(tournament.format).board:
        return tournament
    rules = one_deal(Ruleset.from_dict(tournament.ruleset))
    return replace(tournament, seatings=Seatings.BOARD, ruleset=dict(rules.to_dict()))


def leaderboard_id(tournament: Tournament) -> str:
    """Its own leaderboard."""
    return f"tournament-{tournament.tournament_id}"


def boards_of(tournament: Tournament, parameters: RatingParameters, start: int) -> list[Leaderboard]:
    """The leaderboards its results may move; none if it is unrated."""
    if not tournament.rated:
        return []
    own = Leaderboard(
        leaderboard_id(tournament),
        tournament.name,
        Scope.TOURNAMENT,
        tournament.tournament_id,
        parameters,
        start,
        verifiable=tournament.public_seed is None,
    )
    if not tournament.rated_for_the_world:
        return [own]
    ruleset = ruleset_id(tournament)
    return [
        own,
        Leaderboard(f"ruleset-{ruleset}", ruleset, Scope.RULESET, ruleset, parameters),
        Leaderboard(OVERALL, "over all", Scope.ALL, "", parameters),
    ]

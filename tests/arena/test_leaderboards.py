"""Leaderboards as callers and people see them: order, intervals, who is idle, careers, pairs, seats."""

import asyncio
import json
import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from grpc import StatusCode
from typer.testing import CliRunner

from tests.arena.conftest import Refused, Running
from tests.workers import ledgers
from tests.workers.test_store import begun, finish
from thousand.cli import app
from thousand.v1 import arena_pb2 as api
from thousand.v1 import leaderboard_pb2 as boards
from thousand.v1 import statistics_pb2 as pb
from thousand.v1.tournament_pb2 import TOURNAMENT_FORMAT_ROUND_ROBIN
from workers.codec import to_json
from workers.model import Leaderboard, LedgerEntry, Player, RatingParameters, Scope, Unit
from workers.projection import project
from workers.store import keys
from workers.store.leaderboards import IDLE_MS

HOUSE = ("counter", "greedy", "cautious", "random")


def played(arena: Running, rounds: int = 3, **changes: Any) -> list[LedgerEntry]:
    """A ledger of rounds of all triples of the house bots, folded into the leaderboard "all"."""
    draw = random.Random(5)
    triples = [three for _ in range(rounds) for three in combinations(HOUSE, 3)]
    entries = [
        replace(ledgers.block(index, [Player(f"house-{name}") for name in three], draw), **changes)
        for index, three in enumerate(triples)
    ]
    arena.store.connection.client.rpush(keys.LEDGER, *map(to_json, entries))
    fold(arena)
    return entries


def fold(arena: Running) -> None:
    """The leaderboard over all, up to now."""
    project(arena.store, arena.store.leaderboards.create(Leaderboard("all", "over all", Scope.ALL)))


async def shown(arena: Running, **request: Any) -> api.GetLeaderboardResponse:
    """A page of it."""
    return await arena.stub.GetLeaderboard(api.GetLeaderboardRequest(leaderboard_id="all", **request))


async def test_a_row_tells_all_that_is_known_of_a_bot(arena: Running) -> None:
    entries = played(arena)
    told = await shown(arena)
    assert (told.leaderboard.matches, told.leaderboard.cursor) == (72, 12)
    assert [entry.rank for entry in told.entries] == [1, 2, 3, 4]
    assert [e.score for e in told.entries] == sorted((e.score for e in told.entries), reverse=True)
    standings = arena.store.leaderboards.standings("all")
    for row in told.entries:
        standing = standings[f"{row.bot_id}.1"]
        assert row.bot_id == f"house-{row.bot_name}"
        assert (row.mu, row.sigma, row.score) == (standing.mu, standing.sigma, row.mu - 3 * row.sigma)
        assert row.rating_interval.low == pytest.approx(row.mu - 1.96 * row.sigma, abs=1e-3)
        assert row.rating_interval.high == pytest.approx(row.mu + 1.96 * row.sigma, abs=1e-3)
        assert row.points_interval.low < row.points_per_deal < row.points_interval.high
        assert row.points_per_deal == standing.sums.mean
        assert (row.blocks, row.matches, list(row.seat_matches)) == (9, 54, [18, 18, 18])
        assert sum(row.places) == 54
        assert row.strikes == sum(strike.count for strike in row.strikes_by_cause)
        assert row.activity == boards.ACTIVITY_ACTIVE
        assert row.owner_id
    causes = {cause for e in entries for m in e.matches for seat in m.strikes for cause in seat}
    assert len({s.cause for row in told.entries for s in row.strikes_by_cause}) == len(causes) > 1


async def test_pages_join_to_the_whole_and_are_told_afresh_when_anything_moves(arena: Running) -> None:
    entries = played(arena)
    whole = (await shown(arena)).entries
    first = await shown(arena, page_size=3)
    rest = await shown(arena, page_size=3, page_token=first.next_page_token)
    assert [*first.entries, *rest.entries] == list(whole)
    assert rest.next_page_token == ""
    assert (await shown(arena, page_size=3)) == first
    arena.store.connection.client.rpush(keys.LEDGER, to_json(entries[0]))
    fold(arena)
    assert (await shown(arena, page_size=3)).leaderboard.matches == 78
    arena.store.people.retire("house-counter")
    assert {e.bot_name: e.activity for e in (await shown(arena)).entries}["counter"] == boards.ACTIVITY_RETIRED


async def test_the_inactive_are_marked_but_not_in_a_tournament_s_table(arena: Running) -> None:
    entries = played(arena)
    arena.store.people.retire("house-random")
    arena.store.people.add_version("house-greedy")
    long_ago = arena.store.now_ms() - IDLE_MS - 1000
    last_of_cautious = max(
        i for i, e in enumerate(entries) if "house-cautious" in {p.bot_id for p in e.matches[0].seats}
    )
    arena.store.connection.client.zadd(keys.LEDGER_TIMES, {str(last_of_cautious): long_ago})
    told = {e.bot_name: e.activity for e in (await shown(arena)).entries}
    assert told["random"] == boards.ACTIVITY_RETIRED
    assert told["greedy"] == boards.ACTIVITY_SUPERSEDED
    assert told["cautious"] == boards.ACTIVITY_IDLE
    made = await arena.stub.CreateTournament(
        api.CreateTournamentRequest(name="cup", format=TOURNAMENT_FORMAT_ROUND_ROBIN, bots=HOUSE[:3]),
        metadata=arena.organiser,
    )
    cup = arena.store.leaderboards.get(made.tournament.leaderboard_id)
    assert cup is not None
    mine = [replace(e, tournament_id=made.tournament.tournament_id) for e in entries]
    arena.store.connection.client.rpush(keys.LEDGER, *map(to_json, mine))
    project(arena.store, cup)
    table = await arena.stub.GetLeaderboard(api.GetLeaderboardRequest(leaderboard_id=cup.leaderboard_id))
    assert {entry.activity for entry in table.entries} == {boards.ACTIVITY_ACTIVE}


async def test_the_ledger_s_clock_is_kept_once_an_hour_by_who_settles(arena: Running) -> None:
    """What IDLE is decided by: entries hold no times, so that the same play gives the same bytes."""
    for block, fence in begun(arena.store, 4):
        finish(arena.store, block, fence)
        arena.store.tournaments.settle("t1")
    times = arena.store.connection.client.zrange(keys.LEDGER_TIMES, 0, -1, withscores=True)
    assert [place for place, _ in times] == [b"0"]
    assert abs(times[0][1] - arena.store.now_ms()) < 60_000


async def test_a_new_leaderboard_says_what_it_rates_with(arena: Running) -> None:
    other = RatingParameters(unit=Unit.BLOCK, beta=2.0)
    for name, parameters in (("x", RatingParameters()), ("y", other)):
        arena.store.leaderboards.create(Leaderboard(name, name, Scope.ALL, parameters=parameters))
        told = await arena.stub.GetLeaderboard(api.GetLeaderboardRequest(leaderboard_id=name))
        p = told.leaderboard.parameters
        assert (p.mu, p.sigma, p.beta, p.tau) == (parameters.mu, parameters.sigma, parameters.beta, parameters.tau)
        assert p.draw_probability == parameters.draw_probability
        assert p.new_version_sigma == parameters.new_version_sigma
        assert (p.board_noise, p.board_draws) == (parameters.board_noise, parameters.board_draws)
        assert boards.RatingUnit.Name(p.unit) == f"RATING_UNIT_{parameters.unit.name}"
        assert (list(told.entries), told.next_page_token) == ([], "")


async def test_a_career_is_told_version_by_version(arena: Running) -> None:
    entries = played(arena)
    arena.store.people.add_version("house-greedy")
    newer = ledgers.block(
        99, [Player("house-greedy", 2), Player("house-random"), Player("house-counter")], random.Random(1)
    )
    arena.store.connection.client.rpush(keys.LEDGER, to_json(newer))
    fold(arena)
    told = await arena.stub.GetRatingHistory(pb.GetRatingHistoryRequest(leaderboard_id="all", bot="greedy"))
    assert (told.bot_id, told.bot_name) == ("house-greedy", "greedy")
    assert [version.version for version in told.versions] == [1, 2]
    mine = [i for i, e in enumerate(entries) if Player("house-greedy") in e.matches[0].seats]
    assert [point.entry for point in told.versions[0].points] == mine
    assert [point.matches for point in told.versions[0].points] == [6 * (i + 1) for i in range(len(mine))]
    now = arena.store.leaderboards.standings("all")["house-greedy.2"]
    last = told.versions[1].points[-1]
    assert (last.entry, last.mu, last.sigma) == (len(entries), now.mu, now.sigma)
    one = await arena.stub.GetRatingHistory(pb.GetRatingHistoryRequest(leaderboard_id="all", bot="greedy", version=2))
    assert list(one.versions) == [told.versions[1]]


async def test_a_pair_is_told_as_the_better_ranked_sees_it(arena: Running) -> None:
    entries = played(arena)
    told = await arena.stub.GetHeadToHead(pb.GetHeadToHeadRequest(leaderboard_id="all"))
    ranked = [entry.bot_id for entry in (await shown(arena)).entries]
    assert [player.bot_id for player in told.players] == ranked
    assert len(told.cells) == 6
    for cell in told.cells:
        first, second = (Player(told.players[at].bot_id) for at in (cell.first, cell.second))
        both = [m for e in entries for m in e.matches if {first, second} <= set(m.seats)]
        places = [(m.ranking[m.seats.index(first)], m.ranking[m.seats.index(second)]) for m in both]
        points = sum(m.scores[m.seats.index(first)] - m.scores[m.seats.index(second)] for m in both)
        assert cell.first < cell.second
        assert cell.matches == len(both)
        assert cell.first_ahead == sum(one < other for one, other in places)
        assert cell.second_ahead == sum(one > other for one, other in places)
        assert cell.points_per_deal == pytest.approx(points / sum(m.deals for m in both))
        assert cell.points_interval.low < cell.points_per_deal < cell.points_interval.high
    some = await arena.stub.GetHeadToHead(
        pb.GetHeadToHeadRequest(leaderboard_id="all", bots=["random", "house-counter"])
    )
    assert {player.bot_name for player in some.players} == {"random", "counter"}
    assert len(some.cells) == 1


async def test_seats_share_what_there_is(arena: Running) -> None:
    played(arena)
    (table,) = (await arena.stub.GetSeatStatistics(pb.GetSeatStatisticsRequest(leaderboard_id="all"))).tables
    assert table.seats == len(table.by_seat) == len(table.by_distance) == 3
    for rows in (table.by_seat, table.by_distance):
        assert sum(row.share_of_firsts for row in rows) == pytest.approx(1)
        assert all(row.share_interval.low < row.share_of_firsts < row.share_interval.high for row in rows)
    assert {row.matches for row in table.by_seat} == {72}
    assert sum(row.first_deals for row in table.by_seat) == table.by_distance[0].matches


async def test_what_there_is_not_is_refused_by_name(arena: Running, refused: Refused) -> None:
    played(arena)
    arena.store.people.create_bot("house", "idler")
    stub = arena.stub
    for call, says in (
        (stub.GetLeaderboard(api.GetLeaderboardRequest(leaderboard_id="no")), "'no'"),
        (stub.GetRatingHistory(pb.GetRatingHistoryRequest(leaderboard_id="no", bot="greedy")), "'no'"),
        (stub.GetRatingHistory(pb.GetRatingHistoryRequest(leaderboard_id="all", bot="ghost")), "'ghost'"),
        (stub.GetRatingHistory(pb.GetRatingHistoryRequest(leaderboard_id="all", bot="idler")), "no rated match"),
        (stub.GetRatingHistory(pb.GetRatingHistoryRequest(leaderboard_id="all", bot="greedy", version=9)), "version 9"),
        (stub.GetHeadToHead(pb.GetHeadToHeadRequest(leaderboard_id="no")), "'no'"),
        (stub.GetHeadToHead(pb.GetHeadToHeadRequest(leaderboard_id="all", bots=["greedy", "ghost"])), "'ghost'"),
        (stub.GetHeadToHead(pb.GetHeadToHeadRequest(leaderboard_id="all", bots=["greedy", "idler"])), "'idler'"),
        (stub.GetSeatStatistics(pb.GetSeatStatisticsRequest(leaderboard_id="no")), "'no'"),
    ):
        with refused(StatusCode.NOT_FOUND) as told:
            await call
        assert says in (told.value.details() or "")
    for bots, says in ((["greedy"], "2 to 32"), (["greedy"] * 33, "2 to 32"), (["greedy", "house-greedy"], "twice")):
        with refused(StatusCode.INVALID_ARGUMENT) as told:
            await stub.GetHeadToHead(pb.GetHeadToHeadRequest(leaderboard_id="all", bots=bots))
        assert says in (told.value.details() or "")


# the command


def command(arena: Running, *words: str) -> str:
    """What `thousand leaderboard …` prints."""
    ran = CliRunner().invoke(app, ["leaderboard", *words, "--server", arena.address])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


async def told(arena: Running, *words: str) -> str:
    """The same, without stopping this loop, in which the arena lives."""
    return await asyncio.to_thread(command, arena, *words)


async def test_the_commands_show_it_and_say_it_in_json(arena: Running) -> None:
    played(arena)
    order = (await told(arena, "show", "all")).splitlines()
    assert order[0].split()[:3] == ["rank", "bot", "score"]
    assert [line.split()[1] for line in order[1:]] == [e.bot_name for e in (await shown(arena)).entries]
    assert len((await told(arena, "show", "all", "--top", "2")).splitlines()) == 3
    assert len(json.loads(await told(arena, "show", "all", "--top", "2", "--json"))["entries"]) == 2
    assert "▁" in await told(arena, "history", "all", "greedy")
    assert len(json.loads(await told(arena, "history", "all", "greedy", "--json"))["versions"][0]["points"]) == 9
    matrix = await told(arena, "head-to-head", "all", "--bots", "counter,random")
    assert matrix.count("% of 36") == 2
    assert len(json.loads(await told(arena, "head-to-head", "all", "--json"))["cells"]) == 6
    assert "No seat is better than another" in await told(arena, "seats", "all")
    assert json.loads(await told(arena, "seats", "all", "--json"))["tables"][0]["seats"] == 3


def test_b42_the_help_says_that_a_shown_score_may_fall() -> None:
    help_text = CliRunner().invoke(app, ["leaderboard", "show", "--help"]).output
    assert "may fall a little after an expected win" in " ".join(help_text.replace("│", " ").split())

"""From leaderboards and what stands behind them to the messages of ArenaService. Nothing is decided here."""

from collections.abc import Sequence
from typing import Final

from thousand.v1 import leaderboard_pb2, result_pb2
from thousand.v1 import statistics_pb2 as pb
from thousand.v1.clock_pb2 import StrikeCause
from workers import model
from workers.standings import Activity, HistoryPoint, Pair, Ranked, SeatSums, Standing, TableSums
from workers.sums import Sums, share_interval

ACTIVITIES: Final = {
    Activity.ACTIVE: leaderboard_pb2.ACTIVITY_ACTIVE,
    Activity.IDLE: leaderboard_pb2.ACTIVITY_IDLE,
    Activity.RETIRED: leaderboard_pb2.ACTIVITY_RETIRED,
    Activity.SUPERSEDED: leaderboard_pb2.ACTIVITY_SUPERSEDED,
}
UNITS: Final = {
    model.Unit.MATCH: leaderboard_pb2.RATING_UNIT_MATCH,
    model.Unit.BLOCK: leaderboard_pb2.RATING_UNIT_BLOCK,
}


def leaderboard(it: model.Leaderboard, cursor: int, matches: int, pending: int) -> leaderboard_pb2.Leaderboard:
    """A leaderboard and its parameters."""
    p = it.parameters
    return leaderboard_pb2.Leaderboard(
        leaderboard_id=it.leaderboard_id,
        name=it.name,
        parameters=leaderboard_pb2.RatingParameters(
            mu=p.mu,
            sigma=p.sigma,
            beta=p.beta,
            tau=p.tau,
            draw_probability=p.draw_probability,
            unit=UNITS[p.unit],
            new_version_sigma=p.new_version_sigma,
            board_noise=p.board_noise,
            board_draws=p.board_draws,
        ),
        matches=matches,
        cursor=cursor,
        pending_matches=pending,
        unverifiable=not it.verifiable,
    )


def entry(row: Ranked, bot: model.Bot | None, activity: Activity) -> leaderboard_pb2.LeaderboardEntry:
    """A row of a leaderboard; `bot` is None where it is no longer known."""
    it = row.standing
    low, high = it.interval
    return leaderboard_pb2.LeaderboardEntry(
        rank=row.rank,
        bot_id=it.player.bot_id,
        version=it.player.version,
        bot_name=row.name,
        owner_id="" if bot is None else bot.owner_id,
        score=it.score,
        mu=it.mu,
        sigma=it.sigma,
        matches=it.matches,
        places=it.places,
        deals=it.sums.deals,
        points_per_deal=it.sums.mean,
        strikes=sum(it.strikes.values()),
        forfeits=it.forfeits,
        rating_interval=leaderboard_pb2.Interval(low=low, high=high),
        points_interval=_interval(it.sums),
        strikes_by_cause=[
            result_pb2.StrikeCount(cause=StrikeCause.Value(f"STRIKE_CAUSE_{cause.upper()}"), count=count)
            for cause, count in sorted(it.strikes.items())
        ],
        blocks=it.blocks,
        seat_matches=it.seats,
        activity=ACTIVITIES[activity],
    )


def history(standing: Standing, points: Sequence[HistoryPoint]) -> pb.VersionHistory:
    """One version's career."""
    told = [pb.RatingPoint(entry=p.entry, matches=p.matches, mu=p.mu, sigma=p.sigma) for p in points]
    return pb.VersionHistory(version=standing.player.version, points=told)


def head_to_head_player(row: Ranked) -> pb.HeadToHeadPlayer:
    """A row and a column of the matrix."""
    player = row.standing.player
    return pb.HeadToHeadPlayer(bot_id=player.bot_id, version=player.version, bot_name=row.name)


def cell(first: int, second: int, pair: Pair) -> pb.HeadToHeadCell:
    """Two that have met; `pair` is as the first of them sees it."""
    return pb.HeadToHeadCell(
        first=first,
        second=second,
        matches=pair.matches,
        first_ahead=pair.ahead,
        second_ahead=pair.behind,
        points_per_deal=pair.sums.mean,
        points_interval=_interval(pair.sums),
    )


def table(seats: int, sums: TableSums) -> pb.TableStatistics:
    """All matches at tables of one size."""
    return pb.TableStatistics(seats=seats, by_seat=_seats(sums.seats), by_distance=_seats(sums.from_dealer))


def _seats(rows: Sequence[SeatSums]) -> list[pb.SeatStatistics]:
    firsts = sum(row.firsts for row in rows)
    return [_seat(row, firsts) for row in rows]


def _seat(row: SeatSums, firsts: int) -> pb.SeatStatistics:
    told = pb.SeatStatistics(
        matches=row.matches,
        points_per_deal=row.sums.mean,
        points_interval=_interval(row.sums),
        first_deals=row.dealt_first,
    )
    if firsts:
        low, high = share_interval(row.firsts, firsts)
        told.share_of_firsts = row.firsts / firsts
        told.share_interval.CopyFrom(leaderboard_pb2.Interval(low=low, high=high))
    return told


def _interval(sums: Sums) -> leaderboard_pb2.Interval | None:
    half = sums.half
    return None if half is None else leaderboard_pb2.Interval(low=sums.mean - half, high=sums.mean + half)

"""Draws what leaderboards hold: the order, a career as a line, who beats whom, what the seats are worth."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.table import Table
from rich.text import Text

from thousand.cli.common import listed, plural
from thousand.cli.link import enum_word
from thousand.v1 import leaderboard_pb2 as boards
from thousand.v1 import statistics_pb2 as pb
from thousand.v1.clock_pb2 import StrikeCause

PLACES: Final = ("1st", "2nd", "3rd", "4th")
BARS: Final = "▁▂▃▄▅▆▇█"
PICTURE: Final = 48  # columns
Shown = list[Table | str]


def order(entries: Sequence[boards.LeaderboardEntry]) -> Table:
    """The rows of a leaderboard."""
    seats = max((len(entry.places) for entry in entries), default=3)
    table = plain_table("rank", "bot", "score", "mu ± sigma", "95 %", "matches", "/".join(PLACES[:seats]))
    table.add_column("points/deal", justify="right", no_wrap=True)
    table.add_column("strikes", justify="right", overflow="fold")
    for entry in entries:
        table.add_row(
            str(entry.rank),
            Text(bot_name(entry) + activity(entry)),
            f"{entry.score:.2f}",
            f"{entry.mu:.2f} ± {entry.sigma:.2f}",
            f"{entry.rating_interval.low:.1f}…{entry.rating_interval.high:.1f}",
            str(entry.matches),
            "/".join(str(count) for count in entry.places),
            points(entry) if entry.deals else "–",
            ", ".join(f"{enum_word(StrikeCause.DESCRIPTOR, s.cause)} {s.count}" for s in entry.strikes_by_cause) or "0",
        )
    return table


def career(told: pb.GetRatingHistoryResponse) -> Shown:
    """A line of text per version, mu from its first point to its last."""
    table = plain_table("version", "from", "to", "matches")
    table.add_column("mu, block by block")
    low = min(point.mu for version in told.versions for point in version.points)
    high = max(point.mu for version in told.versions for point in version.points)
    for version in told.versions:
        first, last = version.points[0], version.points[-1]
        table.add_row(
            str(version.version),
            f"{first.mu:.2f} ± {first.sigma:.2f}",
            f"{last.mu:.2f} ± {last.sigma:.2f}",
            str(last.matches),
            sparkline([point.mu for point in version.points], low, high),
        )
    return [table, f"The lowest bar is {low:.2f}, the highest {high:.2f}."]


def sparkline(values: Sequence[float], low: float, high: float) -> str:
    """The values as bars; more than fit are averaged, several to a bar."""
    if len(values) > PICTURE:
        cuts = [len(values) * column // PICTURE for column in range(PICTURE + 1)]
        values = [sum(values[a:b]) / (b - a) for a, b in pairwise(cuts)]
    span = high - low or 1.0
    return "".join(BARS[round((value - low) / span * (len(BARS) - 1))] for value in values)


def matrix(told: pb.GetHeadToHeadResponse) -> Shown:
    """Row against column: how often the row was ahead, sharing half of what they shared, and by how many points."""
    names = [bot_name(player) for player in told.players]
    table = plain_table("", *(str(number) for number in range(1, len(names) + 1)), text=0)
    found = {(cell.first, cell.second): cell for cell in told.cells}
    for row, name in enumerate(names):
        cells = [
            Text("·") if row == column else _cell(found.get((min(row, column), max(row, column))), row < column)
            for column in range(len(names))
        ]
        table.add_row(Text(f"{row + 1} {name}"), *cells)
    return [table, "How often the row is ahead of the column, in how many matches; points a deal between them, ± 95 %."]


def _cell(cell: pb.HeadToHeadCell | None, first: bool) -> Text:
    if cell is None:
        return Text("–")
    ahead = cell.first_ahead if first else cell.second_ahead
    shared = cell.matches - cell.first_ahead - cell.second_ahead
    difference = cell.points_per_deal if first else -cell.points_per_deal
    return Text(f"{100 * (ahead + shared / 2) / cell.matches:.0f} % of {cell.matches}\n{difference:+.1f}{_half(cell)}")


def seats(told: pb.TableStatistics) -> Shown:
    """The table by seat, the one by distance from the first dealer, and what they say."""
    by_seat = _seat_table("seat", [str(seat) for seat in range(told.seats)], told.by_seat)
    shown: Shown = [by_seat, verdict("seat", told.by_seat)]
    if any(row.matches for row in told.by_distance):
        names = ["first dealer", *(f"{after} after" for after in range(1, told.seats))]
        shown += [
            _seat_table("place", names, told.by_distance),
            verdict("place after the first dealer", told.by_distance),
        ]
    return shown


def _seat_table(what: str, names: Sequence[str], rows: Sequence[pb.SeatStatistics]) -> Table:
    table = plain_table(what, "matches", "share of firsts", "95 %", "points/deal", "dealt first", text=0)
    for name, row in zip(names, rows, strict=True):
        share = row.share_interval
        table.add_row(
            name,
            str(row.matches),
            f"{100 * row.share_of_firsts:.1f} %",
            f"{100 * share.low:.1f}…{100 * share.high:.1f} %" if row.HasField("share_interval") else "–",
            points(row),
            str(row.first_deals),
        )
    return table


def verdict(what: str, rows: Sequence[pb.SeatStatistics]) -> str:
    """Whether the shares of first places differ from equal ones beyond what chance explains."""
    if not all(row.HasField("share_interval") for row in rows):
        return f"Too few matches to tell one {what} from another."
    equal = 1 / len(rows)
    off = [
        f"{number} ({100 * row.share_of_firsts:.1f} %)"
        for number, row in enumerate(rows)
        if not row.share_interval.low <= equal <= row.share_interval.high
    ]
    if not off:
        return f"No {what} is better than another, as far as {plural(rows[0].matches, 'match')} can tell."
    return f"Not alike: {what} {listed(off)} is outside its 95 % interval around {100 * equal:.1f} %."


def bot_name(it: boards.LeaderboardEntry | pb.HeadToHeadPlayer) -> str:
    """The bot's name, with its version beyond the first."""
    return it.bot_name + (f" v{it.version}" if it.version > 1 else "")


def activity(entry: boards.LeaderboardEntry) -> str:
    """Why no more is to be expected of it; empty for the active."""
    if entry.activity in (boards.ACTIVITY_ACTIVE, boards.ACTIVITY_UNSPECIFIED):
        return ""
    return f" ({enum_word(boards.Activity.DESCRIPTOR, entry.activity)})"


def points(it: boards.LeaderboardEntry | pb.SeatStatistics) -> str:
    """Points per deal with half the width of their interval."""
    return f"{it.points_per_deal:+.1f}{_half(it)}"


def _half(it: boards.LeaderboardEntry | pb.SeatStatistics | pb.HeadToHeadCell) -> str:
    if not it.HasField("points_interval"):
        return ""
    return f" ± {(it.points_interval.high - it.points_interval.low) / 2:.1f}"


def plain_table(*columns: str, text: int = 1) -> Table:
    """A table without lines, numbers to the right; column `text` to the left, folded where it is too long."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        if number == text:
            table.add_column(column, justify="left", overflow="fold")
        else:
            table.add_column(column, justify="right", no_wrap=True)
    return table

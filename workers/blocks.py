"""Makes blocks of tables, and ledger entries of blocks: pure functions."""

import hashlib
import json
from collections.abc import Sequence

from workers import ids, seeds
from workers.formats import Table, seat_orders
from workers.model import (
    Block,
    Entrant,
    LedgerEntry,
    MatchEnd,
    MatchReport,
    NoShow,
    PlannedMatch,
    Player,
    Seatings,
    Tournament,
)


def make_block(
    tournament: Tournament, entrants: Sequence[Entrant], secret: bytes, index: int, number: int, table: Table
) -> Block:
    """The block at place `index` of the schedule, in round `number`; entrants and secret are the round's."""
    board = tournament.seatings is Seatings.BOARD
    orders = seat_orders(tournament.seats, tournament.seatings, len(table))
    players = tuple(dict.fromkeys(table))  # in a comparison the field plays at both tables
    t = tournament.tournament_id
    if board:
        orders = tuple(tuple(players.index(table[i]) for i in order) for order in orders)
    return Block(
        block_id=ids.block_id(t, index),
        tournament_id=t,
        index=index,
        round=number,
        players=tuple(entrants[i].player for i in players),
        matches=tuple(PlannedMatch(seeds.match_id(secret, t, index, n), order) for n, order in enumerate(orders)),
        board=board,
    )


def matches_of(tournament: Tournament, table: Table) -> int:
    """How many matches the block of such a table has."""
    return len(seat_orders(tournament.seats, tournament.seatings, len(table)))


def no_show(match_id: str, seats: Sequence[Player], absent: Sequence[int], policy: NoShow) -> MatchReport:
    """A match that was not played, since these seats' bots never came."""
    came = len(seats) - len(absent)
    ranking = tuple(1 + came if seat in absent else 1 for seat in range(len(seats)))
    return MatchReport(
        match_id=match_id,
        seats=tuple(seats),
        end=MatchEnd.NO_SHOW,
        ranking=ranking,
        scores=(0,) * len(seats),
        strikes=({},) * len(seats),
        faulty=tuple(sorted(absent)),
        rated=policy is NoShow.LAST and came > 0,
    )


def ruleset_id(tournament: Tournament) -> str:
    """Names the ruleset on leaderboards: the preset's name, or a hash of the values."""
    if tournament.preset:
        return tournament.preset + ("-boards" if tournament.seatings is Seatings.BOARD else "")
    values = json.dumps(tournament.ruleset, sort_keys=True, separators=(",", ":"))
    return "custom-" + hashlib.sha256(values.encode()).hexdigest()[:16]


def entry_of(tournament: Tournament, block: Block, reports: Sequence[MatchReport]) -> LedgerEntry:
    """The ledger's entry of a finished block."""
    return LedgerEntry(
        tournament_id=block.tournament_id,
        index=block.index,
        round=block.round,
        block_id=block.block_id,
        ruleset=ruleset_id(tournament),
        world=tournament.rated_for_the_world,
        matches=tuple(reports),
        board=block.board,
    )

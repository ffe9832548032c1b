"""How a block ends: with all its results, or without those who never came.

Law: the ledger's entry is made of what the store has accepted, never of what somebody meant to report.
"""

import logging
from collections.abc import Sequence

from workers import blocks
from workers.model import Block, NoShow, Player, Tournament
from workers.store import Committed, Store

log = logging.getLogger("workers.ending")


def finish(store: Store, tournament: Tournament, block: Block, fence: int) -> bool:
    """All its matches are committed: give the seats back, and put the entry behind the tournament's front."""
    reports = [report for match in block.matches if (report := store.blocks.report(match.match_id)) is not None]
    if len(reports) != len(block.matches):
        raise RuntimeError(f"block {block.block_id}: {len(block.matches) - len(reports)} matches have no result")
    return store.blocks.finish(block, fence, blocks.entry_of(tournament, block, reports))


def finish_without(store: Store, tournament: Tournament, block: Block, fence: int, absent: Sequence[Player]) -> bool:
    """End a block whose postponements are spent; matches played before keep their results.

    A match that had begun is not voided, whatever the policy: who stays away from it is last.
    """
    for number, planned in enumerate(block.matches):
        if store.blocks.report(planned.match_id) is None:
            seats = block.seats(number)
            faulty = [seat for seat, player in enumerate(seats) if player in absent]
            policy = NoShow.LAST if store.blocks.journal(planned.match_id) else tournament.no_show
            report = blocks.no_show(planned.match_id, seats, faulty, policy)
            if store.blocks.commit(block.block_id, fence, report, b"") is Committed.FENCED:
                return False
    log.warning("block %s ends without %s", block.block_id, ", ".join(p.key for p in absent))
    return finish(store, tournament, block, fence)

"""The RQ job: `play_block(block_id, fence)`. Ids only; everything else is read from the store.

The job's surroundings come as environment variables, set by `workers.worker` before it forks.
"""

import logging
import os
import secrets
from typing import Final

from workers.ending import finish, finish_without
from workers.model import Block, Lease, Tournament
from workers.store import Store

log = logging.getLogger("workers.jobs")
REDIS_URL: Final = "THOUSAND_REDIS_URL"
SERVICE_TOKEN: Final = "THOUSAND_SERVICE_TOKEN"
WORKER_NAME: Final = "THOUSAND_WORKER"
PATIENCE_S: Final = 300.0  # a finished match waits this long for a store that is away (field case B22)


def play_block(block_id: str, fence: int) -> str:
    """Play this block under this fence, if it still holds; what came of it, in one word."""
    store = Store(os.environ[REDIS_URL], patience=PATIENCE_S)
    try:
        return _play(store, block_id, fence, os.environ.get(SERVICE_TOKEN, ""), os.environ.get(WORKER_NAME, "worker"))
    finally:
        store.close()


def _play(store: Store, block_id: str, fence: int, token: str, worker: str) -> str:
    claimant = f"{worker}/{os.getpid()}/{secrets.token_hex(4)}"
    if not store.blocks.claim(block_id, fence, claimant):
        log.info("block %s: fence %d is not the newest, or somebody holds it", block_id, fence)
        return "stale"
    block, lease = store.blocks.get(block_id), store.blocks.lease(block_id)
    tournament = None if block is None else store.tournaments.get(block.tournament_id)
    if block is None or tournament is None:
        return "unknown"
    try:
        return _host(store, tournament, block, lease, claimant, token, worker)
    except BaseException:
        store.presence.start_failed(worker)
        store.blocks.hand_back(block_id, fence, not_before_ms=store.now_ms() + 1_000)
        raise


def _host(
    store: Store, tournament: Tournament, block: Block, lease: Lease, claimant: str, token: str, worker: str
) -> str:
    # Imported here, so that whoever only needs the names above loads no gRPC; a worker has it loaded before it forks,
    # and uses it in jobs only (field case B57).
    from workers.hosting import Ending, Hosting, run_block

    referee = store.presence.referee(lease.referee_id)
    if referee is None:  # forgotten since the block was seated: that is not this worker's fault
        store.blocks.hand_back(block.block_id, lease.fence, not_before_ms=store.now_ms() + 500)
        return Ending.UNREACHABLE.value
    address = referee.service
    outcome = run_block(lambda: Hosting(store, tournament, block, lease, claimant, token, address))
    if outcome.hosted:
        store.presence.started(worker)
    if outcome.ending is Ending.DONE:
        finish(store, tournament, block, lease.fence)
    elif outcome.ending is Ending.ABSENT:
        _postpone(store, tournament, block, lease, outcome.absent)
    else:
        if outcome.ending is Ending.UNREACHABLE and not outcome.hosted:
            store.presence.start_failed(worker)
        store.blocks.hand_back(block.block_id, lease.fence, not_before_ms=store.now_ms() + 500)
    return outcome.ending.value


def _postpone(store: Store, tournament: Tournament, block: Block, lease: Lease, absent: tuple[str, ...]) -> None:
    """Try again later; or, when it was tried often enough and the referee named who never came, end it."""
    missing = [p for p in block.players if p.bot_id in absent]
    if missing and lease.postponements >= tournament.postponements:
        finish_without(store, tournament, block, lease.fence, missing)
        return
    later = store.now_ms() + tournament.postpone_ms
    store.blocks.hand_back(block.block_id, lease.fence, not_before_ms=later, postponed=bool(missing))

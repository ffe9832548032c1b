"""A referee that hosts match after match, with bots that come and go, stays as it is."""

import asyncio
import sys
from pathlib import Path

import grpc
import psutil
import pytest

from tests.referee.test_server import write_key
from tests.support.referees import LONG, Court, court, short_rules
from tests.support.scripted_bot import first
from workers.cli.processes import start

LANES = 6  # matches at once
AGAIN = 5  # matches after which the bots of a lane connect again
MIB = 1 << 20


async def lane(here: Court, number: int, matches: int) -> None:
    """One match after the other; the streams are cut and opened again in between."""
    names = [f"bot{number}-{seat}" for seat in range(3)]
    rules = short_rules()
    for played in range(matches):
        if played % AGAIN == 0:
            bots = [await here.bot(name, choose=first) for name in names]
        match_id = f"match-{number}-{id(bots)}-{played}"
        hosted = await here.host(bots=names, match_id=match_id, block_id=match_id, ruleset=rules, clocks=LONG)
        assert hosted.record is not None, hosted.details
        if played % AGAIN == AGAIN - 1:
            while bots:  # gRPC keeps a connection as long as anybody holds its call
                bot = bots.pop()
                await bot.close()
                await bot.ended.wait()
                here.bots.remove(bot)
            del bot
            here.tasks[:] = [task for task in here.tasks if not task.done()]


async def play(here: Court, matches: int) -> None:
    """So many matches on all lanes together."""
    await asyncio.gather(*(lane(here, number, matches // LANES) for number in range(LANES)))


async def holds(referee: psutil.Process) -> tuple[int, int, int]:
    """Its descriptors, threads and bytes once the bots' connections are closed, a moment after their calls."""

    def connected() -> int:
        return sum(open_.status != psutil.CONN_LISTEN for open_ in referee.net_connections())

    async with asyncio.timeout(20):
        while connected() > 1:  # noqa: ASYNC110 - the host's own stays; nobody tells
            await asyncio.sleep(0.05)
    return referee.num_fds(), referee.num_threads(), referee.memory_info().rss


@pytest.mark.parametrize(
    ("warm_up", "matches"),
    [(60, 120), pytest.param(5_100, 2_010, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])],
)
async def test_b65_match_after_match_leaves_nothing_behind(tmp_path: Path, warm_up: int, matches: int) -> None:
    write_key(tmp_path / "public_key.pem")
    command = [sys.executable, "-m", "referee", "--public-key", str(tmp_path / "public_key.pem"), "--unattended"]
    child = start("referee", command, log=tmp_path / "log", ready=True)
    try:
        told = await asyncio.to_thread(child.first_json)
        async with court() as here:  # its channel and helpers, its referee replaced
            await here.channel.close()
            here.channel = grpc.aio.insecure_channel(told["service"])
            here.referee.bots_address = told["bots"]
            seen = psutil.Process(child.pid)
            await play(here, warm_up)
            before = await holds(seen)
            await play(here, matches)
            after = await holds(seen)
            assert after[0] <= before[0] + 2
            assert after[1] <= before[1] + 2
            if matches < 1_000:
                return  # what is remembered (finished matches, tricks, events) is full after some thousand matches
            grown = (after[2] - before[2]) / matches
            assert grown < 1536, f"{grown / 1024:.1f} KiB a match: {before} {after}"
    finally:
        child.kill()

"""Bots of every language of the SDK at one table, on a real referee: a whole match without a strike."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from tests.support.referees import bot_token, court
from thousand.bot import Bot, Clocks
from thousand.bots.counter import CounterBot
from thousand.client import serve
from thousand.record import Cause, replay
from thousand.rules import PRESETS
from thousand.v1 import result_pb2
from thousand.wire import record_from

NODE_BOT = Path(__file__).parents[2] / "sdk/node"
CLOCKS = Clocks(startup_ms=30_000, decision_ms=20_000, free_ms=10_000, bank_ms=120_000)


class Several(CounterBot):
    """A bot of the SDK that plays several matches at once."""

    max_matches = 4


@pytest.mark.skipif(
    shutil.which("node") is None or not (NODE_BOT / "node_modules").is_dir(),
    reason="no node, or its packages are not installed: make setup does it where npm is",
)
@pytest.mark.parametrize("bot", [CounterBot, Several])
async def test_a_node_bot_and_bots_of_the_sdk_play_a_whole_match(bot: type[Bot]) -> None:
    async with court() as here:
        address = here.referee.bots_address
        environ = {**os.environ, "THOUSAND_SERVER": address, "THOUSAND_TOKEN": bot_token("a")}
        node = await asyncio.create_subprocess_exec("node", "bot.mjs", cwd=NODE_BOT, env=environ)
        try:
            here.tasks += [asyncio.create_task(serve(bot, address, bot_token(name))) for name in "bc"]
            await here.until(lambda: sum(i.session is not None for i in here.referee.services.instances) == 3, 20)
            hosted = await here.host(ruleset=PRESETS["tournament"], clocks=CLOCKS)
        finally:
            node.kill()
            await node.wait()
        assert hosted.record is not None, (hosted.code, hosted.details)
        assert hosted.record.outcome.reason == result_pb2.END_REASON_FINISHED
        record = record_from(hosted.record)
        assert replay(record).result is not None
        assert not record.strikes
        assert {entry.cause for entry in record.journal} == {Cause.OWN}

"""Matches over real gRPC: the good case, then every misbehaviour, each charged to its own seat."""

from tests.support.referees import SHORT, court
from thousand.record import replay
from thousand.v1 import clock_pb2, result_pb2
from thousand.wire import record_from


async def test_three_bots_play_a_match_and_all_are_told() -> None:
    async with court() as here:
        bots = await here.three()
        hosted = await here.host()
        assert hosted.record is not None, (hosted.code, hosted.details)
        assert hosted.record.outcome.reason == result_pb2.END_REASON_FINISHED
        assert [e.seq for e in hosted.entries] == list(range(len(hosted.entries)))
        assert len(hosted.record.journal) == len(hosted.entries)
        assert all(e.cause == clock_pb2.STRIKE_CAUSE_OWN for e in hosted.entries)
        assert replay(record_from(hosted.record)).result is not None
        await here.until(lambda: all(bot.finished for bot in bots))
        for bot in bots:
            (finished,) = bot.finished.values()
            assert finished.outcome == hosted.record.outcome
        assert SHORT.bank_ms >= hosted.entries[-1].bank_ms > 0

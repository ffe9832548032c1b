"""A record replays to its own result, or says why not."""

import json
from dataclasses import replace

import pytest

from tests.support.matches import short_record
from thousand.record import (
    Cause,
    Entry,
    MatchRecord,
    RecordError,
    Seat,
    Strike,
    final_ranking,
    from_dict,
    replay,
    restore,
    to_dict,
)
from thousand.rules import PRESETS, MatchResult, decision
from thousand.rules.actions import PASS


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return short_record("tournament")


@pytest.mark.parametrize("preset", PRESETS)
def test_replay_reaches_the_recorded_result(preset: str) -> None:
    record = short_record(preset, deals=3)
    assert replay(record).result == record.result


def test_json_round_trip(record: MatchRecord) -> None:
    told = replace(
        record,
        match_id="abc",
        strikes=(Strike(1, 3, Cause.ILLEGAL, 'said "play SA"\n'),),
        forfeits=(1,),
        journal=(record.journal[0]._replace(cause=Cause.TIMEOUT, elapsed_ms=5000), *record.journal[1:]),
        table=2,
    )
    data = json.loads(json.dumps(to_dict(told)))
    assert from_dict(data) == told
    del data["table"]  # records written before there were boards
    assert from_dict(data) == replace(told, table=0)


def test_another_result_is_found_out(record: MatchRecord) -> None:
    assert record.result is not None
    false = replace(record, result=replace(record.result, scores=(1000, 0, 0)))
    with pytest.raises(RecordError, match="replay ends with"):
        replay(false)


def test_a_missing_entry_is_found_out(record: MatchRecord) -> None:
    with pytest.raises(RecordError):
        replay(replace(record, journal=record.journal[:-1]))


def test_an_illegal_entry_is_named(record: MatchRecord) -> None:
    asked = decision(restore(record.ruleset, record.seed, ()))
    assert asked is not None
    journal = (Entry((asked.seat + 1) % 3, PASS), *record.journal)
    with pytest.raises(RecordError, match="entry 0"):
        restore(record.ruleset, record.seed, journal)


def test_an_unfinished_match_has_no_ranking(record: MatchRecord) -> None:
    half = replace(record, journal=record.journal[:40], result=None)
    assert half.ranking is None
    assert replay(half).result is None


@pytest.mark.parametrize(
    ("change", "told"),
    [({"seed": b"short"}, "32 bytes"), ({"seats": (Seat("a"),)}, "seats 3"), ({"format": 2}, "format 2")],
)
def test_what_makes_no_record(record: MatchRecord, change: dict[str, object], told: str) -> None:
    with pytest.raises(RecordError, match=told):
        replace(record, **change)  # type: ignore[arg-type]


@pytest.mark.parametrize("change", [{"seed": "xyz"}, {"journal": [["a", "pass", "own", 0]]}, {"seats": None}])
def test_what_is_no_record_as_json(record: MatchRecord, change: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="no match record"):
        from_dict(to_dict(record) | change)


def result(*ranking: int) -> MatchResult:
    return MatchResult((0,) * len(ranking), ranking, (), (0,) * len(ranking), 1, False)


@pytest.mark.parametrize(
    ("ranking", "forfeits", "expected"),
    [
        ((1, 2, 3), (), (1, 2, 3)),
        ((1, 2, 3), (0,), (3, 1, 2)),
        ((2, 1, 3), (0,), (3, 1, 2)),
        ((1, 1, 3), (2,), (1, 1, 3)),
        ((1, 2, 3), (0, 1), (2, 2, 1)),
        ((1, 2, 3), (0, 1, 2), (1, 1, 1)),
    ],
)
def test_who_forfeits_is_last(ranking: tuple[int, ...], forfeits: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert final_ranking(result(*ranking), forfeits) == expected

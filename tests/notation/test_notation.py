"""Text notation: it reads back exactly, and what it derives is checked."""

from dataclasses import replace

import pytest

from tests.support.matches import short_record
from thousand.notation import parse, write
from thousand.record import Cause, MatchRecord, RecordError, Strike
from thousand.rules import PRESETS
from thousand.rules.errors import NotationError


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return short_record("tournament")


@pytest.fixture(scope="module")
def text(record: MatchRecord) -> str:
    return write(record)


@pytest.mark.parametrize("preset", PRESETS)
def test_round_trip(preset: str) -> None:
    record = short_record(preset, seed=2, deals=3)
    assert parse(write(record)) == record


def test_everything_a_record_holds_round_trips(record: MatchRecord) -> None:
    full = replace(
        record,
        preset="",
        match_id="Кубок 1",
        seats=(replace(record.seats[0], bot='a "b" [c] · d', version=7), *record.seats[1:]),
        journal=(record.journal[0]._replace(cause=Cause.TIMEOUT, elapsed_ms=5001), *record.journal[1:]),
        strikes=(Strike(0, 0, Cause.TIMEOUT, "line\nbreak"),),
        forfeits=(0, 2),
        table=1,
    )
    assert parse(write(full)) == full


def test_an_unfinished_match_round_trips(record: MatchRecord) -> None:
    for length in (0, 1, 7, 30):
        half = replace(record, journal=record.journal[:length], result=None)
        assert parse(write(half)) == half


def test_it_reads_like_a_match(text: str) -> None:
    lines = text.splitlines()
    assert lines[0] == "[Thousand 1]"
    assert '[Seat 0 "counter" 0]' in lines
    assert any(line.startswith("deal 1 dealer ") for line in lines)
    assert any(line.startswith("  trick 8 ") for line in lines)
    assert sum(line.startswith("  hand 0 ") for line in lines) == 4


def test_comments_and_blank_lines_are_skipped(record: MatchRecord, text: str) -> None:
    assert parse("; a fine match\n\n" + text.replace("\ndeal 2", "\n\n  ; the second\ndeal 2")) == record


def _replaced(text: str, start: str, line: str) -> str:
    lines = text.splitlines()
    number = next(i for i, old in enumerate(lines) if old.startswith(start))
    lines[number] = line
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("start", "line", "told"),
    [
        ("  hand 0", "  hand 0   SA", "the match has"),
        ("  score", "  score    0 0 0", "the match has"),
        ("[Seed", "[Seed 00]", "32 bytes"),
        ("[Seed", "[Seed zz]", "make no match"),
        ("[Thousand", "[Thousand 9]", "first line"),
        ("[Scores", "[Scores 1 2 3]", "cannot be played"),
        ("  auction", "  auction  0 hello", "'hello'"),
        ("  auction", "  chat     0 pass", "no line of a match"),
        ("[Option", "[Option golden_goose 1]", "golden_goose"),
    ],
)
def test_what_is_wrong_is_named(text: str, start: str, line: str, told: str) -> None:
    with pytest.raises((NotationError, RecordError, Exception), match=told) as caught:
        parse(_replaced(text, start, line))
    assert "Traceback" not in str(caught.value)

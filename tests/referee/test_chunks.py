"""Decisions put together from pieces are those that `thousand.wire` writes, under every preset."""

import random

import pytest

from referee import chunks, encoding, frames, views
from referee.outputs import Ask, Journalled, LastAnswer
from tests.support.referees import short_rules
from thousand.record import Cause, Entry, Strike
from thousand.rules import PRESETS, apply, decision, opened, seed_from_int, view, visible
from thousand.rules.actions import ANNOUNCES, PASS, PLAYS
from thousand.v1 import match_pb2, play_pb2, view_pb2
from thousand.wire import actions_to, entry_to, events_to, view_to


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_chunks_and_wire_agree(preset: str) -> None:
    choice = random.Random(preset).choice
    match, events = opened(short_rules(preset, deals=6), seed_from_int(7))
    known = views.Views(match)
    while (asked := decision(match)) is not None:
        seat = asked.seat
        seen = view(match, seat)
        for other in range(match.ruleset.players):
            assert view_pb2.View.FromString(known.of(other)) == view_to(view(match, other))
        told = tuple(e for event in events if (e := visible(event, seat)) is not None)
        last = LastAnswer(3, 40, Cause.TIMEOUT, 2) if seen.decision % 2 else None
        ask = Ask(seat, seen.decision, known.of(seat), asked.actions, told, 5000, 120_000, last)
        (item,) = play_pb2.PlayResponse.FromString(frames.decision_frame("m" * 16, ask)).items
        assert item.decision == play_pb2.Decision(
            match_id="m" * 16,
            decision_id=ask.decision_id,
            view=view_to(seen),
            actions=actions_to(asked.actions),
            events=events_to(told),
            decision_ms=5000,
            bank_ms=120_000,
            last_answer=encoding.last_answer(last),
        )
        events = apply(match, choice(asked.actions))


@pytest.mark.parametrize("size", [0, 1, 127, 128, 16_383, 16_384, 100_000])
def test_lengths_are_varints(size: int) -> None:
    hello = play_pb2.Hello(client="x" * size)
    assert chunks.field(b"\x1a", b"x" * size) == (hello.SerializeToString() or b"\x1a\x00")


def test_journal_entries_agree_with_wire() -> None:
    strike = Strike(1, 4, Cause.ILLEGAL, "no")
    for said in (
        Journalled(0, Entry(0, PASS), (), 120_000, True),
        Journalled(5, Entry(2, PLAYS[3], Cause.TIMEOUT, 5010), (strike,), 0, False),
        Journalled(300, Entry(1, ANNOUNCES[3], Cause.OWN, 40), (), 7, False),
    ):
        (entry,) = match_pb2.JournalBatch.FromString(frames.journal_entry(said)).entries
        expected = entry_to(said.seq, said.entry, said.bank_ms, said.strikes)
        expected.early = said.early
        assert entry == expected

"""Secrecy of what a watcher is told: no card that is not open to the whole table."""

import random
from typing import Any

import pytest

from tests.support.walks import ALL_PRESETS, likely
from thousand.record import Entry
from thousand.rules import (
    PRESETS,
    Card,
    Match,
    apply,
    decision,
    new_match,
    ruleset_from,
    seed_from_int,
    view,
)
from thousand.rules.events import (
    BottomSeen,
    CardPassed,
    CardPlayed,
    DealScored,
    DealStarted,
    Event,
    HandDealt,
    TalonTaken,
)
from thousand.v1 import tournament_pb2 as pb
from thousand.wire import event_from
from thousand.wire.records import entry_to
from workers.arena import watching
from workers.model import (
    Block,
    BlockState,
    Following,
    PlannedMatch,
)
from workers.store import Store


class Nothing(Store):
    """A store that has no results."""

    def __init__(self) -> None:
        self.blocks: Any = self

    def report(self, match_id: str) -> None:
        """There is none."""


def open_cards(match: Match) -> set[Card]:
    """What every seat of the table sees of this deal."""
    seen: list[set[Card]] = []
    for seat in range(match.ruleset.players):
        it = view(match, seat)
        cards = {card for trick in it.tricks for card in trick.cards if card is not None}
        cards |= {*(it.talon or ()), *(card for _, _, card in it.given)}
        seen.append(cards)
    return set.intersection(*seen)


def named(event: Event) -> set[Card]:
    """The cards that an event tells."""
    found = {CardPlayed: "card", CardPassed: "card", TalonTaken: "cards", DealScored: "hidden"}.get(type(event))
    told = getattr(event, found) if found else ()
    return {card for card in (told if isinstance(told, tuple) else (told,)) if card is not None}


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_b74_a_watcher_is_told_no_card_that_is_not_open_to_the_whole_table(preset: str) -> None:
    """Whole matches by chance, told entry by entry; seats' own views say what is open."""
    ruleset = ruleset_from(PRESETS[preset], {"max_deals": 6})
    block = Block("b1", "t1", 0, 1, (), (PlannedMatch("m1", ()),))
    feed = watching.Feed(pb.Match(match_id="m1"), ruleset, seed_from_int(1), block)
    match = new_match(ruleset, seed_from_int(1))
    chance, told = random.Random(preset), 0
    known: set[Card] = set()
    while (asked := decision(match)) is not None:
        entry = Entry(asked.seat, likely(chance, asked))
        apply(match, entry.action, entry.seat)
        raw = entry_to(feed.entries, entry).SerializeToString()
        feed.look(Nothing(), Following(BlockState.RUNNING, False, (raw,)), lambda match_id: feed.match)
        for event in map(event_from, feed.events[told:]):
            assert not isinstance(event, HandDealt | BottomSeen)
            if isinstance(event, DealStarted):
                known = set()
            if not isinstance(event, DealScored):
                known |= named(event)
        told = len(feed.events)
        if decision(match) is not None:
            assert known <= open_cards(match), (preset, entry)
    assert told > 20

"""Everything that crosses the wire comes back as it was; what says nothing legal is refused by field (B66)."""

import random
from dataclasses import replace

import pytest

from thousand.record import Cause, Entry, MatchRecord, Seat
from thousand.rules import PRESETS, Match, apply, decision, opened, seed_from_int, view, visible
from thousand.rules.events import Event
from thousand.v1 import action_pb2, card_pb2, ruleset_pb2
from thousand.wire import (
    WireError,
    action_from,
    action_to,
    event_from,
    event_to,
    record_from,
    record_to,
    ruleset_from,
    ruleset_to,
    view_from,
    view_to,
)
from thousand.wire.events import EVENT_TYPES


def walk(preset: str, seed: int, steps: int) -> tuple[Match, list[Event], list[Entry]]:
    rng = random.Random(seed)
    match, first = opened(PRESETS[preset], seed_from_int(seed))
    events: list[Event] = list(first)
    journal: list[Entry] = []
    while len(journal) < steps and (asked := decision(match)) is not None:
        action = rng.choice(asked.actions)
        journal.append(Entry(asked.seat, action, Cause.OWN, len(journal)))
        events += apply(match, action)
    return match, events, journal


@pytest.mark.parametrize("preset", PRESETS)
def test_rulesets_views_actions_and_events_come_back_as_they_were(preset: str) -> None:
    assert (
        ruleset_from(ruleset_pb2.Ruleset.FromString(ruleset_to(PRESETS[preset]).SerializeToString())) == PRESETS[preset]
    )
    for steps in range(0, 60, 7):
        match, events, _ = walk(preset, 3, steps)
        asked = decision(match)
        assert asked is not None
        for action in asked.actions:
            assert action_from(action_to(action)) == action
        for seat in range(match.ruleset.players):
            seen = view(match, seat)
            assert view_from(view_to(seen), match.ruleset) == seen
            for event in events:
                known = visible(event, seat)
                if known is not None:
                    back = event_from(event_to(known))
                    assert back == known
                    assert type(back) is type(known)


def test_every_kind_of_event_is_met_and_encoded() -> None:
    met: set[type] = set()
    for preset in PRESETS:
        for seed in range(12):
            for event in walk(preset, seed, 800)[1]:
                if type(event) not in met:
                    met.add(type(event))
                    assert event_from(event_to(event)) == event
    assert {kind.__name__ for kind in set(EVENT_TYPES) - met} <= {
        "MatchEnded",
        "Fined",
        "AceMarriageAnnounced",
        "Revoked",
    }


def test_a_record_comes_back_and_replays() -> None:
    match, _, journal = walk("tournament", 5, 100_000)
    seats = tuple(Seat(name, 1) for name in "abc")
    record = MatchRecord(match.ruleset, match.seed, seats, tuple(journal), match.result, "m1", "tournament")
    assert record_from(record_to(record)) == record
    at_another = replace(record, table=1)
    assert record_from(record_to(at_another)) == at_another


@pytest.mark.parametrize(("dealer", "hundred"), [(0, None), (None, 0), (2, 1)])
def test_a_later_match_of_a_series_keeps_who_dealt_and_who_held_the_forced_bid(
    dealer: int | None, hundred: int | None
) -> None:
    rules = PRESETS["tournament"]
    seats = tuple(Seat(name, 1) for name in "abc")
    record = MatchRecord(rules, bytes(32), seats, (), first_dealer=dealer, first_hundred=hundred)
    assert record_from(record_to(record)) == record
    message = record_to(record)
    message.first_dealer = 3
    with pytest.raises(WireError, match="seats from 0 to 2"):
        record_from(message)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (action_pb2.Action(), "action.kind is not set"),
        (action_pb2.Action(kind=99), "unknown value 99"),  # type: ignore[arg-type]
        (action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY), "action.card is not set"),
        (action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY, card=25), "unknown value 25"),  # type: ignore[arg-type]
        (action_pb2.Action(kind=action_pb2.ACTION_KIND_GIVE), "gives has 0 cards"),
        (
            action_pb2.Action(kind=action_pb2.ACTION_KIND_GIVE, gives=[action_pb2.Give(card=card_pb2.CARD_SPADES_ACE)]),
            "to is not set",
        ),
        (action_pb2.Action(kind=action_pb2.ACTION_KIND_PASS, card=card_pb2.CARD_SPADES_ACE), "only play has a card"),
    ],
)
def test_b66_what_says_nothing_is_refused_by_field(message: action_pb2.Action, words: str) -> None:
    with pytest.raises(WireError, match=words):
        action_from(message)


def test_b66_seat_0_and_amount_0_are_values() -> None:
    given = action_pb2.Action(
        kind=action_pb2.ACTION_KIND_GIVE, gives=[action_pb2.Give(card=card_pb2.CARD_SPADES_NINE, seat=0)]
    )
    assert str(action_from(given)) == "give S9>0"
    assert str(action_from(action_pb2.Action(kind=action_pb2.ACTION_KIND_CHOOSE))) == "choose 0"


def test_b66_an_empty_ruleset_is_refused() -> None:
    with pytest.raises(WireError, match="ruleset"):
        ruleset_from(ruleset_pb2.Ruleset())

"""Golden wire forms: one example of every action, event and preset, for clients in other languages too."""

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from tests.conftest import Golden
from thousand.rules import PRESETS, Action, ActionKind, Card, Row, RowKind, Suit, apply, decision, seed_from_int, view
from thousand.rules import events as ev
from thousand.rules.events import RedealReason
from thousand.rules.match import new_match
from thousand.v1 import action_pb2, event_pb2, ruleset_pb2, view_pb2
from thousand.wire import action_from, action_to, event_from, event_to, ruleset_from, ruleset_to, view_from, view_to
from thousand.wire.events import EVENT_TYPES

EXAMPLES = Path(__file__).parents[2] / "proto/conformance/wire.json"
ACTIONS = (
    "cut 7", "recut", "tuck", "redeal", "accept", "look", "bid 110", "blind 120", "pass", "choose 0", "choose 1",
    "give D9>talon SA>0 C9>2", "write_off", "contract 125", "play S9", "play HQ!",
)  # fmt: skip
HAND = tuple(map(Card.parse, ("SA", "ST", "H9")))
EVENTS: tuple[ev.Event, ...] = (
    ev.DealStarted(1, 2, 0, (0, 1, 2), golden=True),
    ev.Cut(1, 12),
    ev.BottomSeen(2, Card.parse("S9")),
    ev.Fined(1, RowKind.CUT_FINE, -120),
    ev.HandDealt(0, HAND),
    ev.Looked(0),
    ev.Redealt(0, RedealReason.FOUR_NINES),
    ev.Bid(0, 100, blind=False, forced=True),
    ev.Passed(1, forced=False),
    ev.AuctionWon(0, 120, blind=False),
    ev.TalonChosen(0, 0),
    ev.TalonTaken(0, HAND),
    ev.TalonTaken(0, None),
    ev.CardPassed(0, 1, Card.parse("S9")),
    ev.CardPassed(0, -1, None),
    ev.ContractSet(0, 130),
    ev.WrittenOff(0),
    ev.CardPlayed(0, Card.parse("HQ"), announced=True),
    ev.CardPlayed(2, None, announced=False),
    ev.MarriageAnnounced(0, Suit.HEARTS, 100),
    ev.AceMarriageAnnounced(0, 200),
    ev.Revoked(2),
    ev.TrickWon(0, 0),
    ev.DealScored(
        deal_number=3, points=(100, 20, 0), rows=(Row(0, RowKind.CONTRACT, -100), Row(1, RowKind.POINTS, 20)),
        scores=(-100, 880, 5), bolts=(0, 0, 1), barrel_tries_left=(None, 0, 3), falls=(0, 1, 0), hidden=(HAND[0],),
    ),
    ev.MatchEnded((1000, 500, -120), (1, 2, 3), (0,), (0, 0, 0)),
)  # fmt: skip


def _settled() -> tuple[ev.Event, ...]:
    return tuple(ev.CutSettled(0, kind) for kind in (ActionKind.ACCEPT, ActionKind.RECUT, ActionKind.TUCK))


def _example(name: str, message: Message) -> dict[str, Any]:
    return {
        "name": name,
        "message": message.DESCRIPTOR.full_name,
        "fields": MessageToDict(message, preserving_proto_field_name=True),
        "hex": message.SerializeToString(deterministic=True).hex(),
    }


def _views() -> list[tuple[str, Any]]:
    """A seat's view at the first decision of every phase of a deal, and in its third trick."""
    match = new_match(PRESETS["tournament"], seed_from_int(7))
    found: dict[str, Any] = {}
    while "third trick" not in found and (asked := decision(match)) is not None:
        seen = view(match, asked.seat)
        found.setdefault(asked.phase.value, seen)
        if len(seen.tricks) == 3 and len(seen.tricks[-1].cards) == 2:
            found["third trick"] = seen
        asks_redeal = asked.actions[0].kind is ActionKind.REDEAL
        apply(match, asked.actions[1 if asks_redeal else 0])
    return list(found.items())


def test_every_kind_has_an_example() -> None:
    assert {Action.parse(text).kind for text in ACTIONS} == set(ActionKind)
    assert {type(event) for event in (*EVENTS, *_settled())} == set(EVENT_TYPES)


def test_the_wire_forms_are_those_published(golden: Golden) -> None:
    examples = [
        *(_example(text, action_to(Action.parse(text))) for text in ACTIONS),
        *(_example(type(event).__name__, event_to(event)) for event in (*EVENTS, *_settled())),
        *(_example(name, ruleset_to(ruleset)) for name, ruleset in sorted(PRESETS.items())),
        *(_example(f"view, {phase}", view_to(seen)) for phase, seen in _views()),
    ]
    lines = ",\n".join(json.dumps(example, ensure_ascii=False) for example in examples)
    golden.check(EXAMPLES, f"[\n{lines}\n]\n")


@pytest.mark.parametrize("event", [*EVENTS, *_settled()], ids=lambda e: type(e).__name__)
def test_an_event_comes_back_from_its_bytes(event: ev.Event) -> None:
    back = event_from(event_pb2.Event.FromString(event_to(event).SerializeToString()))
    assert (type(back), back) == (type(event), event)


@pytest.mark.parametrize("text", ACTIONS)
def test_an_action_comes_back_from_its_bytes(text: str) -> None:
    action = Action.parse(text)
    assert action_from(action_pb2.Action.FromString(action_to(action).SerializeToString())) == action


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_comes_back_from_its_bytes(name: str) -> None:
    data = ruleset_to(PRESETS[name]).SerializeToString()
    assert ruleset_from(ruleset_pb2.Ruleset.FromString(data)) == PRESETS[name]


def test_a_view_comes_back_from_its_bytes() -> None:
    for _, seen in _views():
        data = view_to(seen).SerializeToString()
        assert view_from(view_pb2.View.FromString(data), seen.ruleset) == seen


@pytest.mark.parametrize("field", [f.name for f in ruleset_pb2.Ruleset.DESCRIPTOR.fields if f.enum_type])
def test_b66_no_enumerated_option_may_be_unset_or_unknown(field: str) -> None:
    for number in (0, 99):
        message = ruleset_pb2.Ruleset.FromString(ruleset_to(PRESETS["tournament"]).SerializeToString())
        descriptor = message.DESCRIPTOR.fields_by_name[field]
        if descriptor.is_repeated:
            getattr(message, field)[:] = [number]
        else:
            setattr(message, field, number)
        with pytest.raises(Exception, match=field):
            ruleset_from(message)

"""The engine's values as protobuf messages and back; decoding is strict and names the field that is wrong."""

from thousand.wire.actions import action_from, action_to, actions_from, actions_to
from thousand.wire.errors import WireError
from thousand.wire.events import event_from, event_to, events_to
from thousand.wire.records import entry_from, entry_to, record_from, record_to
from thousand.wire.results import clocks_from, clocks_to, outcome_to, result_from
from thousand.wire.rulesets import ruleset_from, ruleset_to
from thousand.wire.views import view_from, view_to

__all__ = [
    "WireError", "action_from", "action_to", "actions_from", "actions_to", "clocks_from", "clocks_to", "entry_from",
    "entry_to", "event_from", "event_to", "events_to", "outcome_to", "record_from", "record_to", "result_from",
    "ruleset_from", "ruleset_to", "view_from", "view_to",
]  # fmt: skip

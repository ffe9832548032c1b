"""Views on the wire; the ruleset travels once, in MatchStarted."""

from typing import Any, Final

from thousand.rules.phases import Phase
from thousand.rules.ruleset import Ruleset
from thousand.rules.view import TrickView, View
from thousand.v1 import view_pb2 as pb
from thousand.v1.card_pb2 import Cards
from thousand.wire.actions import action_from, action_to
from thousand.wire.cards import (
    card_from,
    cards_from,
    cards_to,
    maybe_card_from,
    maybe_card_to,
    maybe_suit_from,
    suit_from,
    suit_to,
)
from thousand.wire.enums import EnumCodec

PHASE: Final = EnumCodec(Phase, pb.Phase)
_PLAIN: Final = (
    "seat", "decision", "deal_number", "dealer", "hundred", "active", "golden", "scores", "bolts", "bolt_runs", "falls",
    "write_offs", "golden_made", "to_speak", "high_bid", "high_bidder", "passed", "looked", "declarer", "contract",
    "factor", "talon_chosen", "tricks_won", "points", "revoked",
)  # fmt: skip
_LISTS: Final = frozenset(
    ("active", "scores", "bolts", "bolt_runs", "falls", "write_offs", "golden_made", "passed", "looked", "tricks_won",
     "points", "revoked")
)  # fmt: skip
_MAYBE: Final = frozenset(("to_speak", "high_bidder", "declarer", "talon_chosen"))


def view_to(view: View) -> pb.View:
    """The message."""
    fields: dict[str, Any] = {name: getattr(view, name) for name in _PLAIN}
    return pb.View(
        phase=PHASE.to[view.phase],  # type: ignore[arg-type]  # the enum's number
        barrel_tries_left=[-1 if tries is None else tries for tries in view.barrel_tries_left],
        hand=None if view.hand is None else Cards(cards=cards_to(view.hand)),
        bottom=maybe_card_to(view.bottom),
        auction=[pb.Word(seat=seat, action=action_to(action)) for seat, action in view.auction],
        talon=None if view.talon is None else Cards(cards=cards_to(view.talon)),
        given=[pb.PassedCard(from_seat=s, to=to, card=card + 1) for s, to, card in view.given],  # type: ignore[arg-type]
        trump=suit_to(view.trump),
        marriages=[pb.SeatSuit(seat=seat, suit=suit_to(suit)) for seat, suit in view.marriages],
        tricks=[_trick_to(trick) for trick in view.tricks],
        **fields,
    )


def _trick_to(trick: TrickView) -> pb.TrickView:
    return pb.TrickView(
        leader=trick.leader,
        seats=trick.seats,
        cards=[maybe_card_to(card) for card in trick.cards],
        winner=trick.winner,
        marriage=suit_to(trick.marriage),
    )


def view_from(message: pb.View, ruleset: Ruleset) -> View:
    """The view under the match's ruleset. Raises WireError."""
    fields: dict[str, Any] = {}
    for name in _PLAIN:
        value: Any = getattr(message, name)
        if name in _LISTS:
            value = tuple(value)
        elif name in _MAYBE and not message.HasField(name):  # type: ignore[arg-type]
            value = None
        fields[name] = value
    phase = PHASE.read(message.phase, "view.phase")
    assert phase is not None
    return View(
        ruleset=ruleset,
        phase=phase,
        barrel_tries_left=tuple(None if tries < 0 else tries for tries in message.barrel_tries_left),
        hand=cards_from(message.hand.cards, "view.hand") if message.HasField("hand") else None,
        bottom=maybe_card_from(message.bottom, "view.bottom"),
        auction=tuple((word.seat, action_from(word.action, "view.auction")) for word in message.auction),
        talon=cards_from(message.talon.cards, "view.talon") if message.HasField("talon") else None,
        given=tuple((p.from_seat, p.to, card_from(p.card, "view.given")) for p in message.given),
        trump=maybe_suit_from(message.trump, "view.trump"),
        marriages=tuple((m.seat, suit_from(m.suit, "view.marriages")) for m in message.marriages),
        tricks=tuple(_trick_from(trick) for trick in message.tricks),
        **fields,
    )


def _trick_from(message: pb.TrickView) -> TrickView:
    return TrickView(
        leader=message.leader,
        seats=tuple(message.seats),
        cards=tuple(maybe_card_from(card, "view.tricks.cards") for card in message.cards),
        winner=message.winner if message.HasField("winner") else None,
        marriage=maybe_suit_from(message.marriage, "view.tricks.marriage"),
    )

"""Actions on the wire. Legal ones are few and encoded once each."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from thousand.rules.actions import TALON, Action, ActionKind, Give, give
from thousand.v1 import action_pb2 as pb
from thousand.wire.cards import card_from, maybe_card_from, maybe_card_to
from thousand.wire.enums import EnumCodec
from thousand.wire.errors import WireError

KIND: Final = EnumCodec(ActionKind, pb.ActionKind)
MAX_GIVES: Final = 4


@lru_cache(maxsize=65_536)  # every pass of two cards between four seats is under 10,000
def action_to(action: Action) -> pb.Action:
    """The message; shared, so not to be changed."""
    message: Any = pb.Action(
        kind=KIND.to[action.kind],  # type: ignore[arg-type]  # the enum's number
        amount=action.amount,
        card=maybe_card_to(action.card),
        announce=action.announce,
        gives=[
            pb.Give(card=g.card + 1, talon=True) if g.to == TALON else pb.Give(card=g.card + 1, seat=g.to)  # type: ignore[arg-type]
            for g in action.gives
        ],
    )
    return message  # type: ignore[no-any-return]


def actions_to(actions: Iterable[Action]) -> list[pb.Action]:
    """The messages of some actions, in order."""
    return [action_to(action) for action in actions]


def action_from(message: pb.Action, field: str = "action") -> Action:
    """The action. Raises WireError naming the field that is unset, unknown or out of place."""
    kind = KIND.read(message.kind, f"{field}.kind")
    assert kind is not None
    if kind is ActionKind.GIVE:
        if not 1 <= len(message.gives) <= MAX_GIVES:
            raise WireError(f"{field}.gives has {len(message.gives)} cards: give 1 to {MAX_GIVES}")
        return give(*(_give_from(g, f"{field}.gives[{i}]") for i, g in enumerate(message.gives)))
    if kind is ActionKind.PLAY:
        return Action(kind, card=card_from(message.card, f"{field}.card"), announce=message.announce)
    if maybe_card_from(message.card, f"{field}.card") is not None:
        raise WireError(f"{field}.card is set: only play has a card")
    return Action(kind, amount=message.amount)


def _give_from(message: pb.Give, field: str) -> Give:
    card = card_from(message.card, f"{field}.card")
    if message.WhichOneof("to") == "talon" and message.talon:
        return Give(card, TALON)
    if message.WhichOneof("to") != "seat" or message.seat > 3:
        raise WireError(f"{field}.to is not set: it must be a seat 0..3 or talon")
    return Give(card, message.seat)


def actions_from(messages: Iterable[pb.Action]) -> tuple[Action, ...]:
    """The actions, in order. Raises WireError."""
    return tuple(action_from(message, f"actions[{i}]") for i, message in enumerate(messages))

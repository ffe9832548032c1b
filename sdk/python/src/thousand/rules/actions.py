"""What a seat may answer: one small frozen value per action, interned, with its text (`bid 110`, `play HQ!`)."""

from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from thousand.rules.cards import CARDS, Card
from thousand.rules.enums import plain
from thousand.rules.errors import NotationError

TALON: Final = -1  # destination of a card discarded into the talon left over


@plain
class ActionKind(StrEnum):
    """The verb of an action; its value is the first word of the notation."""

    CUT = "cut"  # amount = cards taken from the top, 1..23
    RECUT = "recut"
    TUCK = "tuck"
    REDEAL = "redeal"
    ACCEPT = "accept"  # declines a redeal, or keeps the bottom card at the cut
    LOOK = "look"
    BID = "bid"  # amount = points
    BLIND = "blind"  # amount = points
    PASS = "pass"
    CHOOSE = "choose"  # amount = talon 0 or 1
    GIVE = "give"
    WRITE_OFF = "write_off"
    CONTRACT = "contract"  # amount = points
    PLAY = "play"


class Give(NamedTuple):
    """One passed card: `to` is a seat, or TALON."""

    card: Card
    to: int


class Action(NamedTuple):
    """An action. Build it with the functions below or `Action.parse`; equal actions compare equal."""

    kind: ActionKind
    amount: int = 0
    card: Card | None = None
    announce: bool = False  # play: announce the marriage (or the ace marriage) with this card
    gives: tuple[Give, ...] = ()  # sorted by (to, card)

    def __str__(self) -> str:
        match self.kind:
            case ActionKind.PLAY:
                return f"play {self.card}{'!' if self.announce else ''}"
            case ActionKind.GIVE:
                return "give " + " ".join(f"{g.card}>{'talon' if g.to == TALON else g.to}" for g in self.gives)
            case ActionKind.CUT | ActionKind.BID | ActionKind.BLIND | ActionKind.CHOOSE | ActionKind.CONTRACT:
                return f"{self.kind.value} {self.amount}"
            case _:
                return self.kind.value

    @classmethod
    def parse(cls, text: str) -> "Action":
        """The action written like `bid 110`, `give SA>1 D9>2`, `play HQ!`. Raises NotationError."""
        words = text.split()
        known = _WORDS.get(" ".join(words))
        if known is not None:
            return known
        try:
            kind = ActionKind(words[0]) if words else None
        except ValueError:
            kind = None
        if kind in _WITH_AMOUNT and len(words) == 2 and words[1].isascii() and words[1].isdigit() and len(words[1]) < 6:
            return cls(kind, amount=int(words[1]))
        if kind is ActionKind.GIVE and len(words) > 1:
            return give(*(_parse_give(word, text) for word in words[1:]))
        raise NotationError(f"{text!r} is no action: write e.g. 'bid 110', 'pass', 'give SA>1 D9>2', 'play HQ!'")


def _parse_give(word: str, text: str) -> Give:
    card, arrow, to = word.partition(">")
    if arrow and to == "talon":
        return Give(Card.parse(card), TALON)
    if arrow and to in {"0", "1", "2", "3"}:
        return Give(Card.parse(card), int(to))
    raise NotationError(f"{word!r} in {text!r} gives no card: write CARD>SEAT or CARD>talon, e.g. SA>1")


_WITH_AMOUNT: Final = {ActionKind.CUT, ActionKind.BID, ActionKind.BLIND, ActionKind.CHOOSE, ActionKind.CONTRACT}
PASS: Final = Action(ActionKind.PASS)
LOOK: Final = Action(ActionKind.LOOK)
REDEAL: Final = Action(ActionKind.REDEAL)
ACCEPT: Final = Action(ActionKind.ACCEPT)
WRITE_OFF: Final = Action(ActionKind.WRITE_OFF)
RECUT: Final = Action(ActionKind.RECUT)
TUCK: Final = Action(ActionKind.TUCK)
PLAYS: Final = tuple(Action(ActionKind.PLAY, card=card) for card in CARDS)  # by card
ANNOUNCES: Final = tuple(Action(ActionKind.PLAY, card=card, announce=True) for card in CARDS)  # by card
BIDS: Final = {n: Action(ActionKind.BID, amount=n) for n in (*range(5, 605, 5), 121)}
BLINDS: Final = {n: Action(ActionKind.BLIND, amount=n) for n in range(5, 605, 5)}
CONTRACTS: Final = {n: Action(ActionKind.CONTRACT, amount=n) for n in (*range(5, 605, 5), 121)}
CUTS: Final = tuple(Action(ActionKind.CUT, amount=n) for n in range(24))  # by amount; 0 is never legal
CHOICES: Final = (Action(ActionKind.CHOOSE, amount=0), Action(ActionKind.CHOOSE, amount=1))
_WORDS: Final = {
    str(action): action
    for action in (
        *(PASS, LOOK, REDEAL, ACCEPT, WRITE_OFF, RECUT, TUCK, *PLAYS, *ANNOUNCES, *CUTS[1:], *CHOICES),
        *(*BIDS.values(), *BLINDS.values(), *CONTRACTS.values()),
    )
}


def bid(points: int) -> Action:
    """A bid of this many points."""
    return BIDS.get(points) or Action(ActionKind.BID, amount=points)


def contract(points: int) -> Action:
    """The contract the declarer plays for, at least the winning bid."""
    return CONTRACTS.get(points) or Action(ActionKind.CONTRACT, amount=points)


def play(card: Card, *, announce: bool = False) -> Action:
    """Play a card, announcing its marriage or not."""
    return (ANNOUNCES if announce else PLAYS)[card]


def give(*gives: Give) -> Action:
    """Pass cards; the order of the arguments does not matter."""
    return Action(ActionKind.GIVE, gives=tuple(sorted(gives, key=lambda g: (g.to, g.card))))


@cache
def give_one(to: int) -> tuple[Action, ...]:
    """The actions that pass one card to `to`, by card."""
    return tuple(give(Give(card, to)) for card in CARDS)


@cache
def give_two(one: int, other: int) -> tuple[tuple[Action, ...], ...]:
    """The actions that pass a card to `one` and a card to `other`, by first card and second card."""
    return tuple(tuple(give(Give(a, one), Give(b, other)) for b in CARDS) for a in CARDS)

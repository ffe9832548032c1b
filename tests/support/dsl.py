"""Deals as short texts, so that a test of the rules reads like the game.

table = deal("browser", hands="SA ... | ... | ...", talon="DT DQ HQ")
play(table, "bid 110", "pass", "pass")        # the seat in turn speaks; "2: pass" speaks out of turn
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from thousand.rules import (
    Action,
    Event,
    Illegal,
    IllegalAction,
    Match,
    Standings,
    apply,
    decision,
    hand_of,
    parse_cards,
    position,
    ruleset_from,
    view,
)

# Three hands and a talon nobody minds: seat 2 holds no marriage, seat 0 and 1 one card of several.
HANDS = "SQ CQ CJ DA DK HT HJ | SK S9 CT C9 DJ HA HK | SA ST SJ CA CK D9 H9"
TALON = "DT DQ HQ"


def deal(
    preset: str = "browser",
    *,
    hands: str = HANDS,
    talon: str = TALON,
    deck: str | None = None,
    dealer: int = 0,
    number: int = 12,
    scores: Sequence[int] | None = None,
    tries: Mapping[int, int] | None = None,
    write_offs: Sequence[int] | None = None,
    **options: Any,
) -> Match:
    """A deal about to begin; hands by seat and talons separated by `|`, an empty hand for who sits out."""
    ruleset = ruleset_from(preset, options)
    sheet = Standings.start(ruleset.players)
    sheet.scores = list(scores or sheet.scores)
    sheet.write_offs = list(write_offs or sheet.write_offs)
    for seat, left in (tries or {}).items():
        sheet.barrel_tries_left[seat] = left
    if deck is not None:
        return position(ruleset, dealer=dealer, deal_number=number, standings=sheet, deck=parse_cards(deck))
    return position(
        ruleset,
        dealer=dealer,
        deal_number=number,
        standings=sheet,
        hands=[hand_of(parse_cards(part)) for part in hands.split("|")],
        talons=[hand_of(parse_cards(part)) for part in talon.split("|")],
    )


def play(match: Match, *words: str) -> tuple[Event, ...]:
    """Apply these actions, each by the seat in turn unless it says `SEAT: action`; what the last one did."""
    events: tuple[Event, ...] = ()
    for word in words:
        speaker, colon, text = word.rpartition(":")
        events = apply(match, Action.parse(text), int(speaker) if colon else None)
    return events


def legal(match: Match) -> set[str]:
    """The texts of what the seat in turn may do."""
    asked = decision(match)
    assert asked is not None
    return {str(action) for action in asked.actions}


def in_turn(match: Match) -> tuple[int, str]:
    """Who is to act, and in which phase."""
    asked = decision(match)
    assert asked is not None
    return asked.seat, asked.phase.value


def refused(match: Match, word: str) -> Illegal:
    """The code with which this action is refused; the match must stay as it is."""
    before = fingerprint(match)
    with pytest.raises(IllegalAction) as caught:
        play(match, word)
    assert fingerprint(match) == before
    return caught.value.code


def sees(match: Match, seat: int) -> set[str]:
    """Every card this seat's view shows anywhere."""
    seen = view(match, seat)
    cards = [*(seen.hand or ()), *(seen.talon or ()), *(card for _, _, card in seen.given)]
    cards += [card for trick in seen.tricks for card in trick.cards if card is not None]
    if seen.bottom is not None:
        cards.append(seen.bottom)
    return {str(card) for card in cards}


def fields_of(thing: object) -> tuple[str, ...]:
    """The names a match or a deal stores values under, compiled or not."""
    kind = type(thing)
    names: tuple[str, ...] = getattr(kind, "__slots__", None) or kind.__mypyc_attrs__  # type: ignore[attr-defined]
    return names


def fingerprint(match: Match) -> str:
    """Everything a match holds, as text: equal texts, equal matches."""
    decision(match)  # cached
    own = {name: getattr(match, name) for name in fields_of(match) if name not in ("deal", "last_deal", "ruleset")}
    dealt = {name: getattr(match.deal, name) for name in fields_of(match.deal)}
    return f"{own}\n{dealt}"

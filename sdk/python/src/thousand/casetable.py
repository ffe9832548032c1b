"""A worked case at the table: a match set up as the case says, acted on by texts, asked for facts by name.

What a finished deal was (trump, declarer, points) is read from its events: the match has gone on by then.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from thousand.rules.actions import Action
from thousand.rules.cards import Card, cards_of, hand_of, parse_cards
from thousand.rules.errors import RulesError
from thousand.rules.events import (
    AuctionWon,
    ContractSet,
    DealScored,
    DealStarted,
    Event,
    MarriageAnnounced,
    MatchEnded,
    Redealt,
)
from thousand.rules.match import apply, decision
from thousand.rules.ruleset import Ruleset
from thousand.rules.setup import position
from thousand.rules.standings import Standings
from thousand.rules.state import Match
from thousand.rules.view import View, view


@dataclass(slots=True)
class CaseTable:
    """The match of one case, and what its events told."""

    match: Match
    told: dict[str, object] = field(default_factory=dict)
    ended: str = ""  # scored, redealt, over: the case's deal has ended

    @classmethod
    def set_up(
        cls, ruleset: Ruleset, standings: Standings, deal_number: int, dealer: int, *,
        hands: Sequence[str | None] | None, talon: str | None, deck: str | None,
    ) -> "CaseTable":  # fmt: skip
        """The match at the beginning of the case's deal."""
        match = position(
            ruleset, standings=standings, deal_number=deal_number, dealer=dealer,
            hands=None if hands is None else [hand_of(parse_cards(hand or "")) for hand in hands],
            talons=() if talon is None else [hand_of(parse_cards(part)) for part in talon.split("|")],
            deck=None if deck is None else parse_cards(deck),
        )  # fmt: skip
        return cls(match)

    def act(self, seat: int, text: str) -> str:
        """Apply an action; why it was refused, or nothing."""
        try:
            events = apply(self.match, Action.parse(text), seat)
        except RulesError as error:
            return str(error)
        for event in events:
            self._note(event)
        return ""

    def refuses(self, text: str, seat: int | None) -> bool:
        """Whether a seat, the one in turn if None, may not do this now."""
        try:
            apply(self.match.clone(), Action.parse(text), seat)
        except RulesError:
            return True
        return False

    def legal(self) -> list[str]:
        """The texts of all legal actions of the seat in turn."""
        asked = decision(self.match)
        return [] if asked is None else [str(action) for action in asked.actions]

    def seen_by(self, seat: int) -> set[Card]:
        """Every card a seat's view shows."""
        seen = view(self.match, seat)
        cards: set[Card] = {*(seen.hand or ()), *(seen.talon or ())}
        cards |= {card for _, _, card in seen.given}
        cards |= {card for trick in seen.tricks for card in trick.cards if card is not None}
        return cards if seen.bottom is None else cards | {seen.bottom}

    def written(self, cards: str | Sequence[str | None]) -> object:
        """Cards as a case writes them, in one order."""
        if isinstance(cards, str):
            return [sorted(part.split()) for part in cards.split("|")]
        return [sorted((hand or "").split()) for hand in cards]

    def fact(self, what: str) -> object:
        """A fact by the name a case uses."""
        if what in self.told:
            return self.told[what]
        match self.ended, what:
            case _, "to_act":
                asked = decision(self.match)
                return None if asked is None else asked.seat
            case _, "phase":
                return self.ended or self.match.phase.value
            case _, "hands":
                return [[str(c) for c in sorted(cards_of(hand), key=str)] for hand in self.match.deal.hands]
            case _, "talon":
                return [[str(c) for c in sorted(cards_of(talon), key=str)] for talon in self.match.deal.talons]
            case _, "scores" | "bolts" | "bolt_runs" | "barrel_tries_left" | "falls" | "write_offs":
                return list(getattr(self.match.standings, what))
            case "", "trump":
                trump = self._view().trump
                return None if trump is None else trump.letter
            case _, "trump":
                return None  # none was announced
            case "", _:
                return getattr(self._view(), what)
        return "nothing known"

    def _view(self) -> View:
        return view(self.match, 0)

    def _note(self, event: Event) -> None:
        match event:
            case DealStarted() if self.ended:
                self.told["next_dealer"] = event.dealer
            case AuctionWon():
                self.told |= {"declarer": event.seat, "contract": event.amount}
            case ContractSet():
                self.told["contract"] = event.amount
            case MarriageAnnounced():
                self.told["trump"] = event.suit.letter
            case Redealt():
                self.ended = "redealt"
            case DealScored():
                self.ended = "scored"
                self.told["points"] = list(event.points)
                for what in ("scores", "bolts", "barrel_tries_left", "falls"):
                    self.told[what] = list(getattr(event, what))
            case MatchEnded():
                self.ended = "over"
                self.told |= {"ranking": list(event.ranking), "winner": list(event.winners),
                              "settlement": list(event.settlement)}  # fmt: skip

"""The rules of Thousand: deterministic, without I/O. Its verbs: `legal_actions`, `decision`, `apply`, `view`."""

from thousand.rules.actions import TALON, Action, ActionKind, Give, bid, contract, give, play
from thousand.rules.cards import CARDS, Card, Suit, cards_of, hand_of, parse_cards
from thousand.rules.caretaker import caretaker
from thousand.rules.errors import Illegal, IllegalAction, InvalidRuleset, NotationError, RulesError
from thousand.rules.events import Event, RedealReason, Row, RowKind
from thousand.rules.match import apply, decision, legal_actions, new_match, opened
from thousand.rules.phases import Decision, Phase
from thousand.rules.presets import PRESETS, one_deal, preset, ruleset_from
from thousand.rules.ruleset import Ruleset
from thousand.rules.scoring import score_deal
from thousand.rules.seeds import bot_seed, seed_from_int
from thousand.rules.series import next_match
from thousand.rules.setup import position
from thousand.rules.standings import DealOutcome, MatchResult, ScoredDeal, Standings
from thousand.rules.state import Match
from thousand.rules.view import TrickView, View, public, view, visible

__all__ = [
    "CARDS", "PRESETS", "TALON", "Action", "ActionKind", "Card", "DealOutcome", "Decision", "Event", "Give", "Illegal",
    "IllegalAction", "InvalidRuleset", "Match", "MatchResult", "NotationError", "Phase", "RedealReason", "Row",
    "RowKind", "RulesError", "Ruleset", "ScoredDeal", "Standings", "Suit", "TrickView", "View", "apply", "bid",
    "bot_seed", "cards_of", "caretaker", "contract", "decision", "give", "hand_of", "legal_actions", "new_match",
    "next_match", "one_deal", "opened", "parse_cards", "play", "position", "preset", "public", "ruleset_from",
    "score_deal", "seed_from_int", "view", "visible",
]  # fmt: skip

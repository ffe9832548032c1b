"""One match of a person against bots, as a dialogue: what to say and how to ask come in as functions.

Law: the person is told what `visible` lets that seat know, nothing else; a match is its journal, so going back to the
beginning of a deal, saving and resuming are all the same thing: replaying a part of it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from thousand.bot import Bot, MatchStart
from thousand.bots.loading import load_bot
from thousand.cli import wording
from thousand.cli.common import listed
from thousand.cli.wording import PERSON
from thousand.record import Entry, MatchRecord, restore, to_dict
from thousand.rules import Match, apply, decision, view, visible
from thousand.rules.actions import TALON, Action, ActionKind, Give, give
from thousand.rules.cards import Card
from thousand.rules.errors import RulesError
from thousand.rules.events import DealScored, DealStarted, Event
from thousand.rules.seeds import bot_seed
from thousand.rules.view import View
from thousand.simulator import BotFault

HELP: Final = (
    "  a number, or words like `bid 110`, `HQ`, `HQ!` (announcing)\n"
    "  s: score sheet · l: log of the auction · h: your cards and the table\n"
    "  again: this deal again, same cards · save: save the match · quit: save it and stop"
)


class Stop(Exception):
    """The person leaves."""


class Again(Exception):
    """The person wants the current deal again."""


@dataclass(slots=True)
class Game:
    """The match at the table, and the person's side of it."""

    record: MatchRecord
    file: Path  # where it is saved
    ask: Callable[[str], str]
    say: Callable[[str], None]

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        names = [seat.bot for seat in self.record.seats]
        me = names.index(PERSON)
        self.say(f"You sit at seat {me}: {', '.join(names)}. `?` helps.")
        while True:
            table = _Table(self, names, me)
            try:
                table.play()
            except Again:
                self.record = replace(self.record, journal=self.record.journal[: table.deal_began])
                self.say("\nThe same cards again.")
                continue
            except Stop:
                self.save()
            return

    def save(self) -> None:
        """Write the record so far, all or nothing."""
        draft = self.file.with_name(self.file.name + ".part")
        try:
            draft.write_text(json.dumps(to_dict(self.record)) + "\n", encoding="utf-8")
            draft.replace(self.file)
        except OSError as error:  # an evening's match is not lost for a full disk: the person may make room
            self.say(f"Not saved: {self.file}: {error.strerror}")
            return
        self.say(f"Saved. Go on with: thousand play --resume {self.file}")


class _Table:
    """The match from the journal's end on."""

    def __init__(self, game: Game, names: Sequence[str], me: int) -> None:
        self.game = game
        self.names = wording.table_names(names)
        self.me = me
        record = game.record
        self.match: Match = restore(
            record.ruleset,
            record.seed,
            record.journal,
            first_dealer=record.first_dealer,
            first_hundred=record.first_hundred,
        )
        self.bots = {seat: self._seated(seat) for seat in range(len(names)) if seat != me}
        self.deal_began = _deal_began(record)

    def _seated(self, seat: int) -> Bot:
        record = self.game.record
        bot = load_bot(record.seats[seat].bot)()
        bot.start = MatchStart(
            record.ruleset,
            seat,
            bot_seed(record.seed, seat, record.table),
            preset=record.preset,
            resumed=bool(record.journal),
        )
        bot.on_start()
        return bot

    def play(self) -> None:
        """Ask seat after seat until the match is over."""
        self._show_table(view(self.match, self.me))
        while (asked := decision(self.match)) is not None:
            if asked.seat == self.me:
                self._act(self.me, self._choose(asked.actions))
            else:
                seen = view(self.match, asked.seat)
                answer = self.bots[asked.seat].decide(seen, asked.actions)
                if not isinstance(answer, Action):
                    raise BotFault(f"{self.names[asked.seat]}: an async bot cannot play at this table")
                self._act(asked.seat, answer)
        result = self.match.result
        assert result is not None  # nothing to decide: the match is over
        self.game.record = replace(self.game.record, result=result)
        winners = listed([self.names[seat] for seat in result.winners])
        self.game.say(f"\nThe match is over after {result.deals} deals. Won by {winners}.")
        for name, score in zip(self.names, result.scores, strict=True):
            self.game.say(f"  {name}: {score}")

    def _act(self, seat: int, action: Action) -> None:
        before = len(self.game.record.journal)
        events = apply(self.match, action, seat)
        self.game.record = replace(self.game.record, journal=(*self.game.record.journal, Entry(seat, action)))
        scored = False
        for event in events:
            if isinstance(event, DealScored) and decision(self.match) is not None:
                scored = True
            if isinstance(event, DealStarted) and scored:
                self._between_deals()
            self._tell(event)
            if isinstance(event, DealStarted):
                self.deal_began = before + 1

    def _between_deals(self) -> None:
        self._command_loop("Enter for the next deal, or `again`: ")

    def _command_loop(self, prompt: str) -> None:
        while True:
            text = self.game.ask(prompt).strip()
            if not text:
                return
            if not self._command(text):
                self.game.say(HELP)

    def _tell(self, event: Event) -> None:
        if isinstance(event, DealScored):
            self.game.say(wording.sheet_text(self.names, event))
            return
        shown = visible(event, self.me, self.match)
        line = None if shown is None else wording.event_text(shown, self.names)
        if line is not None:
            self.game.say(line)

    def _choose(self, actions: Sequence[Action]) -> Action:
        seen = view(self.match, self.me)
        self._show_hand(seen)
        gives = [action for action in actions if action.kind is ActionKind.GIVE]
        others = [action for action in actions if action.kind is not ActionKind.GIVE]
        labels = [wording.action_text(action) for action in others]
        if gives:
            labels.append("pass cards")
        for number, label in enumerate(labels, 1):
            self.game.say(f"  {number}) {label}")
        while True:
            text = self.game.ask("Your choice: ").strip()
            if text.isdecimal() and 1 <= int(text) <= len(labels):
                if int(text) <= len(others):
                    return others[int(text) - 1]
                given = self._pass_cards(seen, gives)
                if given is not None:
                    return given
                continue
            action = _spoken(text, actions)
            if action is not None:
                return action
            if not self._command(text):
                self.game.say(f"  Write a number from 1 to {len(labels)}, or ? for help.")

    def _pass_cards(self, seen: View, gives: Sequence[Action]) -> Action | None:
        """Ask card by card; an empty answer goes back to the choices."""
        hand = list(seen.hand or ())
        chosen: list[Give] = []
        for _, to in gives[0].gives:
            self.game.say("  " + "  ".join(f"{number}) {card.pretty}" for number, card in enumerate(hand, 1)))
            where = "the talon" if to == TALON else "the dummy" if to >= len(self.names) else self.names[to]
            card = None
            while card is None:
                text = self.game.ask(f"Card for {where}: ").strip()
                if not text:
                    return None
                card = _card(text, hand)
                if card is None and not self._command(text):
                    self.game.say(f"  Write a number from 1 to {len(hand)}, or nothing to go back.")
            hand.remove(card)
            chosen.append(Give(card, to))
        action = give(*chosen)
        if action in gives:
            return action
        self.game.say("  These cards may not be passed so.")
        return None

    def _command(self, text: str) -> bool:
        """Carry out what is no choice; whether it was such a command."""
        seen = view(self.match, self.me)
        match text.lower():
            case "?" | "help":
                self.game.say(HELP)
            case "s" | "score":
                self.game.say(wording.standings_text(seen, self.names))
            case "l" | "log":
                self.game.say(wording.auction_text(seen, self.names))
            case "h" | "hand":
                self._show_table(seen)
            case "again":
                raise Again
            case "save":
                self.game.save()
            case "q" | "quit":
                raise Stop
            case _:
                return False
        return True

    def _show_hand(self, seen: View) -> None:
        hand = "not looked at yet" if seen.hand is None else wording.cards_text(seen.hand)
        trump = f"   trump {seen.trump.symbol}" if seen.trump is not None else ""
        contract = ""
        if seen.declarer is not None and seen.contract:
            contract = f"   {wording.does(self.names, seen.declarer, 'play')} for {seen.contract}"
        self.game.say(f"\nYour cards: {hand}{trump}{contract}")

    def _show_table(self, seen: View) -> None:
        self.game.say(f"\nDeal {seen.deal_number}: {wording.does(self.names, seen.dealer, 'deal')}")
        self.game.say(wording.standings_text(seen, self.names))
        self._show_hand(seen)
        if seen.tricks and seen.tricks[-1].winner is None:
            trick = seen.tricks[-1]
            played = [
                f"{self.names[seat] if seat < len(self.names) else 'the dummy'} {'??' if card is None else card.pretty}"
                for seat, card in zip(trick.seats, trick.cards, strict=False)
            ]
            self.game.say("On the table: " + ", ".join(played))


def _deal_began(record: MatchRecord) -> int:
    """How many entries of the journal came before the deal being played."""
    match = restore(
        record.ruleset, record.seed, (), first_dealer=record.first_dealer, first_hundred=record.first_hundred
    )
    began = 0
    for number, entry in enumerate(record.journal, 1):
        if any(isinstance(event, DealStarted) for event in apply(match, entry.action, entry.seat)):
            began = number
    return began


def _spoken(text: str, actions: Sequence[Action]) -> Action | None:
    """The legal action written in words: `bid 110`, `play HQ!`, and for a card just `hq`."""
    for words in (text, text.lower(), f"play {text.upper()}"):
        try:
            action = Action.parse(words)
        except RulesError:
            continue
        if action in actions:
            return action
    return None


def _card(text: str, hand: Sequence[Card]) -> Card | None:
    if text.isdecimal() and 1 <= int(text) <= len(hand):
        return hand[int(text) - 1]
    return next((card for card in hand if text.upper() in (str(card), card.pretty)), None)

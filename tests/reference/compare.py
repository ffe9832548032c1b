"""Plays random deals on the engine and on the reference at once, and says where they first differ."""

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.reference import draw
from tests.reference.compare_scoring import Differs, compare_sheets, random_ruleset, same, standings_of
from tests.reference.pack import Rules
from tests.reference.scoring import EndOfDeal, Outcome
from tests.reference.table import Deal, canonical
from tests.reference.tricks import Question
from thousand.rules import Action, Card, Decision, Match, apply, decision, position, seeds


@dataclass
class Summary:
    """What has been compared."""

    deals: int = 0
    questions: int = 0
    redeals: int = 0
    matches_ended: int = 0
    written_off: int = 0
    by_preset: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return (
            f"reference: {self.deals} random deals under {len(self.by_preset)} presets with random options, "
            f"{self.questions} questions, {self.redeals} redeals, {self.written_off} written off, "
            f"{self.matches_ended} matches ended: 0 differences"
        )


class DealComparison:
    """One deal from a drawn score sheet, played on both by the same random choices."""

    def __init__(self, chance: random.Random, summary: Summary) -> None:
        self.chance = chance
        self.summary = summary
        self.name, self.changed, self.ruleset = random_ruleset(chance)
        self.rules: Rules = self.ruleset.to_dict()
        self.sheet = draw.sheet(chance, self.rules)
        self.seed = chance.randbytes(32)
        self.first_deck = draw.deck(chance, self.rules, self.sheet.dealer)
        self.spoken: list[tuple[int, str]] = []

    def start(self) -> Match:
        """The engine's match, about to play the deal that the reference plays."""
        return position(
            self.ruleset,
            dealer=self.sheet.dealer,
            deal_number=self.sheet.deal_number,
            hundred=self.sheet.hundred,
            standings=standings_of(self.sheet),
            deck=[Card.parse(card) for card in self.first_deck],
            seed=self.seed,
        )

    def deck(self, redeals: int) -> list[str]:
        if redeals == 0:
            return self.first_deck
        return [str(card) for card in seeds.deck(self.seed, 0, redeals)]

    def dummy_order(self, redeals: int, hand: list[str]) -> list[str]:
        cards = [Card.parse(card) for card in hand]
        return [str(card) for card in seeds.dummy_order(self.seed, 0, redeals, cards)]

    def told(self) -> str:
        lines = [f"  preset {self.name} {self.changed}", f"  before {self.before}", f"  seed {self.seed.hex()}"]
        lines.append(f"  deck {' '.join(self.first_deck)}")
        return "\n".join([*lines, "  " + " · ".join(f"{seat} {text}" for seat, text in self.spoken)])

    def choose(self, question: Question) -> tuple[int, str]:
        """An answer: mostly ones that lead to a played deal, now and then what only an option allows."""
        rare = self.early_pass(question) or self.revoke(question) or self.plain_form(question)
        if rare is not None:
            return rare
        legal = sorted(question.legal)
        for word in ("redeal", "write_off"):  # one among a hundred ways to pass cards
            if word in question.legal and question.phase == "pass_cards" and self.chance.random() < 0.15:
                return question.seat, word
        for word, likely in (("pass", 0.6), ("accept", 0.7), ("look", 0.5)):
            if word in question.legal and len(legal) > 1 and self.chance.random() < likely:
                return question.seat, word
        if question.phase in ("auction", "contract") and self.chance.random() < 0.7:
            spoken = [text for text in legal if text[-1].isdigit()]
            if spoken:
                return question.seat, min(spoken, key=lambda text: int(text.split()[1]))
        often = [text for text in legal if text not in ("redeal", "write_off") or self.chance.random() < 0.25]
        return question.seat, self.chance.choice(often or legal)

    def early_pass(self, question: Question) -> tuple[int, str] | None:
        if self.rules["early_pass"] == "off" or question.phase != "auction" or self.chance.random() > 0.3:
            return None
        deal = self.deal
        free = [s for s in deal.active if s not in deal.passed and s not in (question.seat, deal.high_bidder)]
        return (self.chance.choice(free), "pass") if free else None

    def revoke(self, question: Question) -> tuple[int, str] | None:
        if self.rules["revoke"] == "reject" or question.phase != "play" or self.chance.random() > 0.05:
            return None
        plain = {"play " + card for card in self.deal.hands[question.seat]}
        listed = {text.removesuffix("!") for text in question.legal}
        against = sorted(plain - listed)
        return (question.seat, self.chance.choice(against)) if against else None

    def plain_form(self, question: Question) -> tuple[int, str] | None:
        """Where announcing is automatic only the `!` form is listed; the plain form means the same."""
        bare = [t[:-1] for t in sorted(question.legal) if t.endswith("!") and t[:-1] not in question.legal]
        return (question.seat, bare[0]) if bare and self.chance.random() < 0.3 else None

    def run(self) -> None:
        self.before = f"{self.sheet}"
        match = self.start()
        self.deal = Deal(self.rules, self.sheet, self.deck, self.dummy_order)
        asking = self.deal.run()
        question = next(asking)
        try:
            while True:
                asked = decision(match)
                self.compare_question(asked, question)
                seat, text = self.choose(question)
                self.spoken.append((seat, text))
                apply(match, Action.parse(text), seat=seat)
                self.summary.questions += 1
                question = asking.send((seat, text))
        except StopIteration as stop:
            outcome: Outcome = stop.value
        self.compare_end(match, EndOfDeal(self.rules, self.sheet, outcome))
        self.summary.deals += 1
        self.summary.redeals += self.deal.redeals
        self.summary.written_off += outcome.written_off
        self.summary.by_preset[self.name] += 1

    def compare_question(self, asked: Decision | None, question: Question) -> None:
        if asked is None:
            raise Differs(f"engine is over, reference asks {question}\n{self.told()}")
        same("seat in turn", (asked.seat, asked.phase.value), (question.seat, question.phase), self.told)
        texts = [canonical(str(action)) for action in asked.actions]
        same("legal twice", len(texts), len(set(texts)), self.told)
        if set(texts) != question.legal:
            only = sorted(set(texts) - question.legal), sorted(question.legal - set(texts))
            same(f"legal for {question.seat} in {question.phase} (only one has)", only[0], only[1], self.told)

    def compare_end(self, match: Match, ours: EndOfDeal) -> None:
        compare_sheets(match.standings, ours.sheet, self.told)
        same("match over", match.result is not None, ours.result is not None, self.told)
        if match.result is not None and ours.result is not None:
            self.summary.matches_ended += 1
            same("winners", sorted(match.result.winners), ours.result.winners, self.told)
            same("ranking", list(match.result.ranking), ours.result.ranking, self.told)
            same("settlement", list(match.result.settlement), ours.result.settlement, self.told)
        elif match.result is None:
            same("next dealer", match.deal.dealer, ours.sheet.dealer, self.told)
            same("next hundred", match.deal.hundred, ours.sheet.hundred, self.told)
            same("next deal number", match.deal.number, ours.sheet.deal_number, self.told)

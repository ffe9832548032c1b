"""What a seat cannot see changes no byte sent to it, until the first event that may differ (field case B74).

Two matches are played by the same bots. The second one's cards are those of the first, but for what one seat cannot
see, which is dealt anew. All that the referee writes to that seat's stream is compared, times masked.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from referee.auth import BotToken
from referee.hosts import Host
from referee.instances import Instances
from referee.limits import Limits
from referee.outputs import Setup
from referee.sessions import Session
from thousand.bot import Clocks
from thousand.record import Seat
from thousand.rules import PRESETS, Ruleset, cards_of, hand_of, new_match, seed_from_int
from thousand.rules import seeds as engine_seeds
from thousand.rules.cards import CARDS, Card
from thousand.v1 import action_pb2 as a
from thousand.v1 import event_pb2
from thousand.v1 import play_pb2 as pb

LIMITS = Limits(unasked_burst=10**9)
# Events by which a seat learns of cards, or of what others made of cards it cannot see.
TELLING = {
    "redealt", "bid", "passed", "auction_won", "talon_taken", "card_passed", "contract_set", "written_off",
    "card_played", "marriage_announced", "ace_marriage_announced", "trick_won", "deal_scored", "cut", "cut_settled",
    "fined", "looked", "talon_chosen", "revoked", "bottom_seen",
}  # fmt: skip
Choose = Callable[[pb.Decision], int]


def by_view(decision: pb.Decision) -> int:
    """A choice that depends on everything the bot sees; redeals are refused, so that asking for one leaves no trace."""
    view = decision.view.SerializeToString()
    order = list(range(len(decision.actions)))
    random.Random(view).shuffle(order)
    quiet = [i for i in order if decision.actions[i].kind != a.ACTION_KIND_REDEAL]
    return quiet[0] if quiet else order[0]


class Wire:
    """A match hosted without a network: every byte for each seat's stream is kept."""

    def __init__(self, ruleset: Ruleset, live: bool, bad_answers: bool) -> None:
        self.now = 0
        self.bad_answers = bad_answers
        self.sent: list[list[pb.PlayResponseItem]] = [[] for _ in range(ruleset.players)]
        instances = Instances(LIMITS, unattended=True)
        self.sessions = [
            Session(BotToken(f"bot{seat}", 1, 0, ""), instances, LIMITS, lambda: self.now, lambda: None)
            for seat in range(ruleset.players)
        ]
        for session in self.sessions:
            self._say(session, hello=pb.Hello(protocol_min=1, protocol_max=1, instance_id="x", live_events=live))
        seats = tuple(Seat(f"bot{seat}", 1) for seat in range(ruleset.players))
        setup = Setup("match-0123456789ab", ruleset, seed_from_int(1), seats, "")
        held = [session.instance for session in self.sessions]
        self.host = Host(setup, Clocks(), [i for i in held if i is not None], instances, LIMITS, lambda: self.now)

    def _say(self, session: Session, **item: object) -> None:
        message = pb.PlayRequest(items=[pb.PlayRequestItem(**item)])  # type: ignore[arg-type]
        session.receive(message.SerializeToString(), self.now)

    async def play(self, choose: Choose, most: int = 400) -> list[list[pb.PlayResponseItem]]:
        """Play to the end, or so many decisions."""
        self.host.open(())
        while most > 0 and (session := next((s for s in self.sessions if s._out), None)) is not None:
            seat = self.sessions.index(session)
            data = await session.ready()
            session.writing_since = None
            assert data is not None
            for item in pb.PlayResponse.FromString(data).items:
                self.sent[seat].append(masked(item))
                kind = item.WhichOneof("item")
                if kind == "match_started":
                    self._say(session, ready=pb.Ready(match_id=item.match_started.match_id))
                elif kind == "decision":
                    most -= 1
                    self.now += 3
                    self._answer(session, item.decision, choose)
        return self.sent

    def _answer(self, session: Session, decision: pb.Decision, choose: Choose) -> None:
        answer = pb.Answer(match_id=decision.match_id, decision_id=decision.decision_id)
        if self.bad_answers and decision.decision_id in (0, 7):  # error texts are bytes, too
            answer.action.kind = a.ACTION_KIND_CHOOSE if decision.decision_id else a.ACTION_KIND_PLAY
            answer.action.card = 0 if decision.decision_id else 1  # type: ignore[assignment]
            self._say(session, answer=answer)
        answer.index = choose(decision)
        self._say(session, answer=answer)


def masked(item: pb.PlayResponseItem) -> pb.PlayResponseItem:
    """Without times."""
    item = pb.PlayResponseItem.FromString(item.SerializeToString())
    kind = item.WhichOneof("item")
    if kind == "decision":
        item.decision.decision_ms = item.decision.bank_ms = item.decision.last_answer.elapsed_ms = 0
    elif kind == "answer_rejected":
        item.answer_rejected.decision_ms = 0
    elif kind == "match_finished":
        item.match_finished.last_answer.elapsed_ms = 0
    elif kind == "match_started":
        item.match_started.bot_seed = 0
    return item


def hidden_redealt(ruleset: Ruleset, deck: list[Card], seat: int, draw: random.Random) -> list[Card]:
    """The deck with what this seat is dealt left in place, and the rest in another order."""
    own = dealt_to(ruleset, seat)
    places = [i for i in range(24) if i not in own]
    cards = [deck[i] for i in places]
    draw.shuffle(cards)
    new = list(deck)
    for place, card in zip(places, cards, strict=True):
        new[place] = card
    return new


def dealt_to(ruleset: Ruleset, seat: int) -> set[int]:
    """Which places of the deck this seat gets in the first deal, found by dealing."""
    match = new_match(ruleset, seed_from_int(1))
    deck = engine_seeds.deck(seed_from_int(1), 0, 0)
    hand = match.deal.hands[seat] if seat < len(match.deal.hands) else 0
    return {place for place, card in enumerate(deck) if hand >> card & 1}


@pytest.mark.parametrize("live", [True, False], ids=["live", "asked"])
@pytest.mark.parametrize("preset", ["tournament", "online-full", "sailors-full", "bank", "sailors", "club", "headon"])
@pytest.mark.parametrize("trial", range(4))
async def test_b74_nothing_hidden_is_told(preset: str, live: bool, trial: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = replace(PRESETS[preset], max_deals=3)
    draw = random.Random(f"{preset}/{trial}")
    seat = trial % ruleset.players
    base = engine_seeds.deck(seed_from_int(1), 0, 0)
    if trial == 3:  # a hand that is asked whether it wants a redeal, in one of the two matches only
        base = with_nines_hidden(ruleset, base, seat)
    runs = []
    for again in (False, True):
        deck = hidden_redealt(ruleset, base, seat, draw) if again else base

        def dealt(seed: bytes, index: int, count: int, deck: list[Card] = deck) -> list[Card]:
            if (index, count) == (0, 0):
                return list(deck)
            order = list(CARDS)
            random.Random(f"{index}/{count}").shuffle(order)
            return order

        with monkeypatch.context() as patch:
            patch.setattr(engine_seeds, "deck", dealt)
            runs.append((await Wire(ruleset, live, bad_answers=trial == 0).play(by_view))[seat])
    check(runs[0], runs[1], live)


def with_nines_hidden(ruleset: Ruleset, deck: list[Card], seat: int) -> list[Card]:
    """All nines to one other seat."""
    other = (seat + 1) % ruleset.players
    theirs = sorted(dealt_to(ruleset, other))
    new = list(deck)
    for place, nine in zip(theirs[:4], (0, 6, 12, 18), strict=True):
        at = new.index(CARDS[nine])
        new[at], new[place] = new[place], new[at]
    assert hand_of(new) == hand_of(CARDS)
    return new


def check(first: list[pb.PlayResponseItem], second: list[pb.PlayResponseItem], live: bool) -> None:
    """The first difference, if there is one, is an event that may differ."""
    for one, two in zip(first, second, strict=False):
        if one.SerializeToString() == two.SerializeToString():
            continue
        if live:
            kinds = {item.events.events[0].WhichOneof("event") for item in (one, two) if item.HasField("events")}
            assert kinds, (one, two)
            assert kinds <= TELLING, kinds
        else:
            told = [difference(one, two), difference(two, one)]
            assert any(told), (one, two)
            assert {kind for kind in told if kind} <= TELLING
        return


def difference(one: pb.PlayResponseItem, two: pb.PlayResponseItem) -> str:
    """The first event in one decision that the other does not have at its place."""
    ours, theirs = events(one), events(two)
    for number, event in enumerate(ours):
        if number >= len(theirs) or event != theirs[number]:
            return str(event.WhichOneof("event"))
    return ""


def events(item: pb.PlayResponseItem) -> list[event_pb2.Event]:
    """The events of an item."""
    return list(item.decision.events if item.HasField("decision") else item.match_finished.events)


def test_cards_are_shown_sorted() -> None:
    """The order of cards in a message tells nothing of the deck."""
    match = new_match(PRESETS["tournament"], seed_from_int(5))
    for hand in match.deal.hands[:3]:
        keys = [(card // 6, -(card % 6)) for card in cards_of(hand)]
        assert all(x < y for x, y in pairwise(keys))

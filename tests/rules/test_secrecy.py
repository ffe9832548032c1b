"""What a seat cannot see changes nothing it is told: two deals that differ in hidden cards alone, played side by side.

Until the first event that may differ, the seat's views, its visible events and its legal actions are equal, a redeal
asked of somebody else included; and nobody's refusals tell more.
"""

import random
from dataclasses import dataclass, field

import pytest

from tests.support.walks import every_ruleset, ruleset_named, soak_under
from thousand.rules import (
    CARDS,
    Action,
    Card,
    Decision,
    Event,
    IllegalAction,
    Match,
    Phase,
    Ruleset,
    Standings,
    apply,
    cards_of,
    decision,
    hand_of,
    position,
    preset,
    public,
    ruleset_from,
    seed_from_int,
    view,
    visible,
)
from thousand.rules.actions import ACCEPT, PASS
from thousand.rules.events import Bid, RedealReason, Redealt, TalonTaken

DEALS = 12
OPEN_QUESTIONS = {  # every question that must not show, at once
    "redeal_four_nines": ["before_auction", "after_pass"],
    "redeal_low_hand": ["before_auction", "after_pass"],
    "redeal_three_nines_on_hundred": "on",
}


@dataclass
class World:
    """One of the two matches, as one seat is told of it."""

    match: Match
    seat: int
    told: list[Event] = field(default_factory=list)
    public: list[Event] = field(default_factory=list)

    def apply(self, action: Action, seat: int | None = None) -> None:
        for event in apply(self.match, action, seat):
            seen = visible(event, self.seat, self.match)
            if seen is not None:
                self.told.append(seen)
            shown = public(event)
            if shown is not None:
                self.public.append(shown)

    def settle(self) -> Decision | None:
        """Answer the questions that are none of this seat's business."""
        asked = decision(self.match)
        while asked is not None and asked.phase is Phase.REDEAL and asked.seat != self.seat:
            self.apply(ACCEPT)
            asked = decision(self.match)
        return asked


def dealt(chance: random.Random, ruleset: Ruleset, dealer: int) -> tuple[list[int], list[int]]:
    """Random hands by seat and talons, as this ruleset deals them."""
    deck = list(CARDS)
    chance.shuffle(deck)
    seat_cards, talons = {
        "talon_2": (11, [2]),
        "talon_4": (10, [4]),
        "two_talons_of_2": (10, [2, 2]),
        "two_talons_of_3": (9, [3, 3]),
    }.get(str(ruleset.two_player), (7, [3]))
    seats = 3 if ruleset.two_player == "dummy" else ruleset.players
    hands = [0] * seats
    for seat in range(seats):
        if ruleset.players < 4 or seat != dealer:
            hands[seat] = hand_of(deck.pop() for _ in range(seat_cards))
    return hands, [hand_of(deck.pop() for _ in range(size)) for size in talons]


def reshuffled(
    chance: random.Random, hands: list[int], talons: list[int], seat: int, *, keep_talon: bool
) -> tuple[list[int], list[int]]:
    """The same for this seat, the rest dealt anew."""
    piles = [hand if i != seat else 0 for i, hand in enumerate(hands)] + ([] if keep_talon else talons)
    hidden: list[Card] = [card for pile in piles for card in cards_of(pile)]
    chance.shuffle(hidden)
    again = [hand_of(hidden.pop() for _ in range(pile.bit_count())) for pile in piles]
    again[seat] = hands[seat]
    return again[: len(hands)], talons if keep_talon else again[len(hands) :]


def standings(chance: random.Random, ruleset: Ruleset) -> Standings:
    """Now and then somebody on the barrel or under the floor."""
    sheet = Standings.start(ruleset.players)
    for seat in range(ruleset.players):
        sheet.scores[seat] = chance.choice((0, 0, 300, -125, 500))
        if ruleset.barrel_at is not None and chance.random() < 0.15:
            sheet.scores[seat], sheet.barrel_tries_left[seat] = ruleset.barrel_at, 2
    return sheet


def play_both(chance: random.Random, one: World, other: World, seat: int) -> int:
    """Play the same common actions on both until none is left or the deal is over; how many were compared."""
    steps = 0
    while True:
        asked, twin = one.settle(), other.settle()
        if shown_talon(one) != shown_talon(other):
            return steps  # from here on they may differ
        assert one.told == other.told
        assert one.public == other.public
        assert view(one.match, seat) == view(other.match, seat)
        if asked is None or twin is None or len(one.told) > 200:
            assert asked is twin is None or len(one.told) > 200
            return steps
        assert (asked.seat, asked.phase) == (twin.seat, twin.phase)
        if asked.seat == seat:
            assert asked == twin
            same_refusals(one.match, other.match, asked)
        legal_there = set(twin.actions)
        common = [action for action in asked.actions if action in legal_there and str(action) != "redeal"]
        if not common or one.match.deal_number != 12:
            return steps
        action = PASS if PASS in common and chance.random() < 0.5 else chance.choice(common)
        one.apply(action)
        other.apply(action)
        steps += 1


def shown_talon(world: World) -> tuple[Card, ...] | None:
    """The talon, once the seat has seen it."""
    return next((event.cards for event in world.told if isinstance(event, TalonTaken)), None)


def same_refusals(one: Match, other: Match, asked: Decision) -> None:
    """B74: texts of refusals tell no more either."""
    for text in ("play SA", "play H9", "bid 115", "give SA>0", "redeal"):
        action = Action.parse(text)
        if action in asked.actions:
            continue
        errors = []
        for match in (one.clone(), other.clone()):
            try:
                apply(match, action)
                errors.append("accepted")
            except IllegalAction as error:
                errors.append(f"{error.code} {error}")
        assert errors[0] == errors[1]


def compare(ruleset: Ruleset, chance: random.Random, *, keep_talon: bool) -> int:
    """One deal from the eyes of each seat; decisions compared."""
    steps = 0
    for seat in range(ruleset.players):
        dealer = chance.randrange(ruleset.players)
        hands, talons = dealt(chance, ruleset, dealer)
        sheet = standings(chance, ruleset)
        worlds = []
        for cards in (hands, talons), reshuffled(chance, hands, talons, seat, keep_talon=keep_talon):
            log: list[Event] = []
            match = position(
                ruleset,
                dealer=dealer,
                standings=sheet,
                hands=cards[0],
                talons=cards[1],
                seed=seed_from_int(1),
                events=log,
            )
            seen = [e for event in log if (e := visible(event, seat, match)) is not None]
            worlds.append(World(match, seat, seen, [e for event in log if (e := public(event)) is not None]))
        steps += play_both(chance, worlds[0], worlds[1], seat)
    return steps


@every_ruleset
def test_b74_what_a_seat_cannot_see_changes_nothing_it_is_told(name: str) -> None:
    chance = random.Random(name)
    steps = sum(compare(ruleset_named(name), chance, keep_talon=number % 3 > 0) for number in range(DEALS))
    assert steps > DEALS * 6


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_b74_secrecy_under_a_thousand_drawn_rulesets(part: int) -> None:
    for name in soak_under(part):
        compare(ruleset_named(name), random.Random(name), keep_talon=True)


@pytest.mark.parametrize("name", ["browser", "online-full", "preferans-2", "sailors-4", "club"])
def test_b74_a_redeal_asked_of_another_seat_does_not_show(name: str) -> None:
    ruleset = ruleset_from(name, {**OPEN_QUESTIONS, "max_deals": 50})
    chance = random.Random(name)
    for number in range(3 * DEALS):
        compare(ruleset, chance, keep_talon=number % 2 > 0)


def test_a_secret_question_counts_for_its_own_seat_alone() -> None:
    nines = [hand_of(map(Card.parse, text.split())) for text in (
        "SA S9 CA C9 DA D9 H9", "SQ SJ CK DT DK HK HJ", "ST CT CQ CJ DQ HA HT",
    )]  # fmt: skip
    talon = [hand_of(map(Card.parse, ("SK", "DJ", "HQ")))]
    match = position(preset("preferans"), dealer=2, hands=nines, talons=talon)
    asked = decision(match)
    assert asked is not None
    assert asked.phase is Phase.REDEAL
    assert apply(match, ACCEPT) == (Bid(0, 100, blind=False, forced=True),)  # and not a word of the question
    assert [view(match, seat).decision for seat in range(3)] == [1, 0, 0]
    assert view(match, 1).phase is Phase.AUCTION


def test_a_demanded_redeal_is_public_with_its_reason() -> None:
    event = Redealt(1, RedealReason.TALON)
    assert visible(event, 0) == public(event) == event

"""Corners of the rules that only a wrong program would turn: each was found by a mutant that lived."""

import random
from typing import Any

import pytest

from tests.rules.test_legality import play, said, table, turn
from thousand.rules import Action, Match, apply, decision, new_match, position, ruleset_from, seed_from_int
from thousand.rules.cards import hand_of, parse_cards
from thousand.rules.events import (
    AceMarriageAnnounced,
    CardPassed,
    CardPlayed,
    Event,
    MarriageAnnounced,
    TalonTaken,
    TrickWon,
)
from thousand.rules.standings import Standings
from thousand.rules.state import DUMMY

HANDS = ("S9 SJ SQ SK ST SA C9", "CJ CQ CK CT CA D9 DJ", "DQ DK DT H9 HJ HQ HK")
TALON = "DA HT HA"


def dealt(preset: str, dealer: int, barrel: tuple[int, ...] = (), number: int = 12, **options: object) -> Match:
    """A deal about to begin; these seats sit on the barrel."""
    rules = ruleset_from(preset, options)
    sheet = Standings.start(rules.players)
    assert rules.barrel_at is not None
    for seat in barrel:
        sheet.scores[seat], sheet.barrel_tries_left[seat] = rules.barrel_at, 3
    hands = [hand_of(parse_cards(text)) for text in HANDS]
    talon = hand_of(parse_cards(TALON))
    return position(rules, dealer=dealer, deal_number=number, standings=sheet, hands=hands, talons=[talon])


def words(match: Match) -> set[str]:
    """What the seat in turn may say."""
    asked = decision(match)
    assert asked is not None
    return {str(action) for action in asked.actions}


# the barrel and the auction


def test_of_two_on_the_barrel_the_next_from_the_hundred_takes_the_talon() -> None:
    match = dealt("classic", dealer=1, barrel=(0, 1), cut_ritual="off", forced_bidder="dealer")
    assert match.deal.hundred == 1
    assert match.deal.declarer == 1, "the dealer holds the hundred, and seat 0 comes after him"


def test_the_right_of_the_dealer_speaks_first_though_the_dealer_holds_the_hundred() -> None:
    match = dealt("classic", dealer=1, cut_ritual="off", forced_bidder="dealer", first_speaker="right_of_dealer")
    assert match.deal.turn == 0
    after = dealt("classic", dealer=1, cut_ritual="off", forced_bidder="dealer")
    assert after.deal.turn == 2


BLIND: dict[str, Any] = {"blind": "opening", "cut_ritual": "off"}


def test_a_blind_bid_is_offered_unless_somebody_takes_the_talon_by_the_barrel() -> None:
    nobody = dealt("classic", dealer=2, **BLIND)
    assert words(nobody) == {"look", "blind 120"}
    taken = dealt("classic", dealer=2, barrel=(1,), **BLIND)
    assert taken.deal.declarer == 1
    assert taken.deal.looked == [True, True, True]


def test_all_may_bid_blind_over_the_barrels_own_bid_and_the_next_of_who_holds_it_speaks_first() -> None:
    match = dealt("classic", dealer=2, barrel=(2,), blind="progressive", cut_ritual="off", barrel_auction="auto")
    assert match.deal.high_bidder == 2
    assert match.deal.turn == 0, "the next of the barrel player, not of the hundred"
    assert match.deal.looked == [False, False, False]
    assert "look" in words(match)


# talon and passing


def test_three_nines_on_the_hundred_are_a_right_of_their_own() -> None:
    hands = ("S9 C9 D9 SA ST SK SQ", "SJ CJ DJ HJ CQ DQ HQ", "CA CT CK DA DT DK H9")
    options: dict[str, Any] = {"redeal_three_nines_on_hundred": True, "redeal_four_nines": [], "redeal_low_hand": []}
    deal = table("tournament", hands, "HA HT HK", **options)
    assert turn(deal) == ("redeal", 0)


def test_a_poor_talon_taken_for_more_than_the_hundred_is_kept() -> None:
    hands = ("SA ST SK SQ CA CT CK", "CQ DA DT DK DQ HA HT", "HK HQ D9 H9 CJ HJ SJ")
    options: dict[str, Any] = {
        "redeal_talon": "below_5",
        "redeal_talon_when": "forced",
        "bid_cap": "none",
        "cut_ritual": "off",
    }
    for bids, may in ((("pass", "pass"), True), (("bid 105", "pass", "pass"), False)):
        deal = table("tournament", hands, "S9 C9 DJ", **options)
        play(deal, *bids)
        assert ("redeal" in words(deal.match)) is may, bids


def test_the_hundred_of_a_doubled_golden_deal_is_forced_like_any_other() -> None:
    options: dict[str, Any] = {"talon_shown": "unless_forced", "golden": "double", "cut_ritual": "off"}
    deal = table("tournament", HANDS, TALON, **options)
    deal.match.deal.golden = True
    play(deal, "pass")
    (taken,) = [event for event in said(deal, "pass") if isinstance(event, TalonTaken)]
    assert not taken.shown


def test_a_golden_deal_is_given_up_where_that_costs_something() -> None:
    options: dict[str, Any] = {"golden": "double", "write_off": "half", "write_off_golden": "forbidden_if_free"}
    for cost, may in (("always", True), ("free", False)):
        match = dealt("tournament", dealer=2, number=1, cut_ritual="off", write_off_cost=cost, **options)
        for text in ("pass", "pass"):
            apply(match, Action.parse(text))
        assert ("write_off" in words(match)) is may, cost


def test_a_card_passed_to_the_dummy_is_shown_to_nobody() -> None:
    match = new_match(ruleset_from("intro-dummy", {"pass_shown": True, "cut_ritual": "off"}), seed_from_int(4))
    passed: list[CardPassed] = []
    while not passed:
        asked = decision(match)
        assert asked is not None
        wanted = next((a for a in asked.actions if str(a) == "pass"), asked.actions[0])
        passed = [event for event in apply(match, wanted) if isinstance(event, CardPassed)]
    assert {event.to == DUMMY: event.shown for event in passed} == {True: False, False: True}


# the play


def test_whoever_leads_a_first_ace_announces_it() -> None:
    hands = ("SA CA DA HA ST CT DT", "S9 SJ SQ SK C9 CJ CQ", "D9 DJ DQ DK H9 HJ HQ")
    deal = table("tournament", hands, "HK HT CK", ace_marriage="first_ace", cut_ritual="off")
    play(deal, "pass", "pass", "give ST>1 CT>2", "contract 100")
    aces = {word for word in words(deal.match) if "A" in word}
    assert aces == {"play SA!", "play CA!", "play DA!", "play HA!"}


def tally(match: Match, actor: random.Random, deals: int, prefer_announcing: bool) -> int:
    """Plays deals; after each card, what the deal holds is what the events told. How many aces were announced."""
    aces = 0
    for _ in range(deals):
        number, shown, laid = match.deal, [0] * 4, 0
        while match.deal is number and (asked := decision(match)) is not None:
            announcing = [action for action in asked.actions if action.announce]
            action = actor.choice(announcing if prefer_announcing and announcing else asked.actions)
            events = apply(match, action)
            aces += any(isinstance(event, AceMarriageAnnounced) for event in events)
            laid = seen(events, shown, laid)
            if match.deal is number:
                assert number.played == laid
                assert number.shown_points == shown
                assert number.has_dummy or number.points == shown
    return aces


def seen(events: tuple[Event, ...], shown: list[int], laid: int) -> int:
    """Adds what the events tell to the points; the cards laid face up."""
    for event in events:
        if isinstance(event, CardPlayed) and event.card is not None:
            laid |= 1 << event.card
        elif isinstance(event, (TrickWon, MarriageAnnounced, AceMarriageAnnounced)):
            shown[event.seat] += event.points
    return laid


@pytest.mark.parametrize("preset", ["tournament", "intro-dummy"])
def test_cards_laid_and_points_are_what_the_events_told(preset: str) -> None:
    options: dict[str, Any] = {
        "marriage_scored": "at_once",
        "ace_marriage": "lead",
        "write_off": "off",
        "cut_ritual": "off",
    }
    match = new_match(ruleset_from(preset, options), seed_from_int(1))
    tally(match, random.Random(1), 30, prefer_announcing=True)


def test_the_ace_marriage_adds_to_the_points_of_the_tricks() -> None:
    hands = ("SA CA DA HA ST CT DT", "S9 SJ SQ SK C9 CJ CQ", "D9 DJ DQ DK H9 HJ HQ")
    rules = ruleset_from("tournament", {"ace_marriage": "lead", "write_off": "off", "cut_ritual": "off"})
    packs, talon = [hand_of(parse_cards(text)) for text in hands], hand_of(parse_cards("HK HT CK"))
    found = 0
    for seed in range(20):
        match = position(rules, dealer=2, hands=packs, talons=[talon])
        found += tally(match, random.Random(seed), 1, prefer_announcing=seed % 2 == 0)
    assert found

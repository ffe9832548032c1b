"""The auction beyond the worked cases: blind bids, passes out of turn, the floor, the barrel's bids."""

from typing import Any

from tests.support.dsl import deal, in_turn, legal, play, refused, sees
from thousand.rules import Illegal, view
from thousand.rules.events import AuctionWon, Bid, HandDealt, Passed

NINES = "SA S9 CA C9 DA D9 H9 | SQ SJ CK DT DK HK HJ | ST CT CQ CJ DQ HA HT"


def test_a_pass_out_of_turn_is_for_who_neither_speaks_nor_leads() -> None:
    match = deal("club")
    assert refused(match, "1: pass") is Illegal.AGAINST_RULES  # he must open
    play(match, "0: pass", "bid 80")
    assert in_turn(match) == (2, "auction")
    assert refused(match, "1: pass") is Illegal.NOT_YOUR_TURN  # the highest bidder
    assert refused(match, "0: pass") is Illegal.NOT_YOUR_TURN  # has passed
    assert refused(match, "0: bid 85") is Illegal.NOT_YOUR_TURN
    play(match, "pass")
    assert in_turn(match) == (1, "pass_cards")


def test_without_early_pass_nobody_speaks_out_of_turn() -> None:
    assert refused(deal("browser"), "0: pass") is Illegal.NOT_YOUR_TURN


def test_an_early_pass_is_no_decision() -> None:
    match = deal("club")
    play(match, "0: pass")
    assert [view(match, seat).decision for seat in range(3)] == [0, 0, 0]


def test_the_referee_passes_for_who_is_below_the_floor() -> None:
    match = deal("online", bid_floor=-120, scores=[0, -125, -120])
    assert in_turn(match) == (2, "auction")
    assert view(match, 0).passed == (1,)
    events = play(deal("online", bid_floor=-120, scores=[0, 0, -200]), "pass")
    assert Passed(2, forced=True) in events


def test_a_forced_bid_below_the_floor_stands_and_is_not_asked() -> None:
    match = deal("bank", bid_floor=-120, scores=[0, -125, 0])
    assert in_turn(match) == (2, "auction")
    assert view(match, 2).high_bid == 100
    assert AuctionWon(1, 100, blind=False) in play(match, "pass", "pass")


def test_progressive_blind_bids_go_on_unseen() -> None:
    match = deal("preferans-full")
    assert legal(match) == {"look", "pass", "blind 105", "blind 110", "blind 115", "blind 120"}
    play(match, "blind 105", "blind 110", "pass")
    assert sees(match, 0) == sees(match, 2) == set()
    assert sees(match, 1)  # has passed
    assert legal(match) == {"look", "pass", "blind 115", "blind 120"}
    play(match, "look")
    assert "bid 115" in legal(match)
    assert "blind 115" not in legal(match)


def test_exact_steps_never_bind_a_blind_120() -> None:
    assert legal(deal("sailors")) == {"look", "pass", "blind 105", "blind 120"}


def test_a_blind_bid_without_a_cap_goes_up_to_the_highest() -> None:
    assert "blind 300" in legal(deal("sailors", raise_step="multiple"))


def test_a_blind_win_doubles_and_a_forced_bid_never_does() -> None:
    match = deal("preferans-full")
    events = play(match, "blind 120", "pass", "pass")
    assert AuctionWon(2, 120, blind=True) in events
    assert view(match, 0).factor == 2
    match = deal("preferans-full")
    assert AuctionWon(1, 100, blind=False) in play(match, "pass", "pass")
    assert view(match, 0).factor == 1


def test_a_redeal_is_a_first_word_only() -> None:
    match = deal("preferans-full", hands=NINES, talon="SK DJ HQ", dealer=1)
    assert in_turn(match)[0] == 0
    twin = match.clone()
    play(twin, "look")
    assert "redeal" in legal(twin)
    assert refused(twin, "accept") is Illegal.WRONG_PHASE
    play(match, "blind 105", "blind 110", "pass", "look")
    assert in_turn(match)[0] == 0
    assert "redeal" not in legal(match)


def test_against_a_blind_bid_one_needs_a_marriage_and_to_know_it() -> None:
    match = deal("sailors", blind_outbid="needs_marriage")
    play(match, "blind 105")
    assert legal(match) == {"look", "pass"}
    play(match, "look")
    assert legal(match) == {"pass"}


def test_the_barrel_player_s_automatic_bid_leaves_no_room_for_a_blind_120() -> None:
    match = deal("sailors-full", tries={1: 2}, scores=[0, 880, 0])
    assert in_turn(match) == (2, "auction")
    assert sees(match, 2)
    assert view(match, 2).high_bid == 121
    assert legal(match) == {"pass", "bid 125"}


def test_the_automatic_bid_may_be_raised_by_its_holder_unopposed() -> None:
    match = deal("sailors", blind="off", tries={1: 2}, scores=[0, 880, 0])
    play(match, "pass", "pass", "give SK>2 S9>0")
    assert {"contract 121", "contract 125", "contract 300"} <= legal(match)
    assert "contract 120" not in legal(match)


def test_golden_deals_suspend_the_barrel_s_auction() -> None:
    match = deal("sailors-full", tries={2: 2}, scores=[0, 0, 880], number=2)
    assert in_turn(match) == (1, "pass_cards")
    assert view(match, 0).contract == 120


def test_the_forced_bid_is_told_as_forced_and_hands_to_their_seats() -> None:
    match = deal("online-full", bid_cap="none")
    assert view(match, 2).auction[0][1].amount == 100
    events = play(match, "blind 120", "bid 125")
    assert Bid(2, 125, blind=False, forced=False) in events
    assert [event.seat for event in events if isinstance(event, HandDealt)] == [1]  # outbid, he sees his cards


def test_the_cap_counts_marriages_and_aces_as_dealt() -> None:
    hands = "ST CT CK DT HT HQ H9 | SQ SJ CQ CJ DK DJ HK | SA S9 CA C9 DA D9 HA"
    assert "bid 300" in legal(deal("browser", hands=hands, talon="SK DQ HJ", ace_marriage="lead"))
    assert "bid 125" not in legal(deal("browser", hands=hands, talon="SK DQ HJ"))


def test_who_may_only_pass_or_was_forced_to_open_is_not_asked_to_bid_blind() -> None:
    blind: dict[str, Any] = {"blind": "opening", "bid_floor": -120}
    assert "blind 120" in legal(deal("browser", scores=[0, 0, 0], **blind))
    below = deal("browser", scores=[0, 0, -125], **blind)  # seat 2 would speak first
    assert (in_turn(below), "look" in legal(below)) == ((0, "auction"), False)
    opened = deal("browser", scores=[0, -125, 0], opening="at_least", **blind)  # seat 1 holds the hundred
    assert (in_turn(opened), "look" in legal(opened)) == ((2, "auction"), False)

"""Redeals: who is asked, in which order, what stays."""

from typing import Any

from tests.support.dsl import deal, in_turn, legal, play
from thousand.rules import decision, view
from thousand.rules.events import RedealReason, Redealt

NINES = "SA S9 CA C9 DA D9 H9 | SQ SJ CK DT DK HK HJ | ST CT CQ CJ DQ HA HT"
LOW = "ST SQ CT CK CQ CJ DK | SK SJ S9 C9 DQ D9 HK | CA DA DT DJ HA HT HQ"


def test_a_redeal_is_no_deal() -> None:
    match = deal("preferans", hands=NINES, talon="SK DJ HQ", dealer=2, scores=[100, 200, 300])
    before = match.deal_number, match.deal.index, match.dealer, match.hundred
    assert play(match, "redeal")[0] == Redealt(0, RedealReason.FOUR_NINES)
    assert (match.deal_number, match.deal.index, match.dealer, match.hundred) == before
    assert match.deal.redeals == 1
    assert match.standings.scores == [100, 200, 300]


def test_with_redeal_dealer_next_dealer_and_hundred_move() -> None:
    match = deal("preferans", hands=NINES, talon="SK DJ HQ", dealer=2, redeal_dealer="next")
    play(match, "redeal")
    assert (match.dealer, match.hundred, match.deal_number) == (0, 1, 12)


def test_three_nines_count_on_the_hundred_alone() -> None:
    hands = "SA S9 CA C9 DA D9 HA | ST SK SQ CJ DK DQ H9 | SJ CT CK CQ HK HQ HJ"
    match = deal("preferans", hands=hands, talon="DT DJ HT", dealer=2)
    assert in_turn(match) == (0, "redeal")
    assert play(match, "redeal")[0] == Redealt(0, RedealReason.THREE_NINES_ON_HUNDRED)


def test_a_low_hand_of_13() -> None:
    match = deal("bank", hands=LOW, talon="SA HJ H9")
    assert play(match, "redeal")[0] == Redealt(1, RedealReason.LOW_HAND)


def test_several_are_asked_clockwise_from_forehand_and_nobody_else_hears_of_it() -> None:
    hands = "S9 SJ C9 CJ DQ DJ HJ | SQ SK CQ CK D9 H9 HQ | SA CA DA HA ST CT DT"  # 12, 17 and 74 points
    match = deal("bank", hands=hands, talon="DK HK HT", dealer=2, redeal_four_nines="none")
    assert in_turn(match) == (0, "redeal")
    assert play(match, "accept") == ()
    assert in_turn(match) == (0, "auction")


def test_the_declarer_too_may_hold_four_nines_after_passing() -> None:
    hands = "SA S9 CA C9 DA D9 HA | CT CK DT DK HK HQ H9 | ST SJ CQ CJ DQ HT HJ"
    match = deal("browser", hands=hands, talon="SK SQ DJ", dealer=2)
    play(match, "pass", "pass")
    assert in_turn(match) == (0, "pass_cards")
    play(match, "give SA>1 CA>2")
    assert in_turn(match) == (0, "contract")  # three nines only


def test_a_talon_that_must_be_redealt_leaves_nothing_else() -> None:
    hands = "SQ CK CQ DT DK HJ H9 | ST CA CJ D9 HA HT HQ | SA SK SJ CT DA DQ DJ"
    match = deal("preferans", hands=hands, talon="S9 C9 HK", redeal_talon_mode="must", write_off="half")
    play(match, "pass", "pass")
    assert legal(match) == {"redeal"}
    match = deal("preferans", hands=hands, talon="S9 C9 HK", write_off="half")
    play(match, "pass", "pass")
    assert {"redeal", "write_off"} < legal(match)
    assert play(match, "redeal")[0] == Redealt(1, RedealReason.TALON)


def test_the_talon_of_a_taken_barrel_or_a_forced_golden_deal() -> None:
    hands = "SQ CK CQ DT DK HJ H9 | ST CA CJ D9 HA HT HQ | SA SK SJ CT DA DQ DJ"
    rules: dict[str, Any] = {"redeal_talon": "below_5", "redeal_talon_when": "any"}
    taken = deal("classic", hands=hands, talon="S9 C9 HK", tries={1: 3}, scores=[0, 880, 0], **rules)
    assert "redeal" not in legal(taken)
    golden = deal("bank-golden", hands=hands, talon="S9 C9 HK", number=1)
    assert "redeal" in legal(golden)
    forced = deal("bank-golden", hands=hands, talon="S9 C9 HK", number=1, redeal_talon_when="forced")
    assert "redeal" not in legal(forced)


def test_the_sitting_dealer_is_never_asked() -> None:
    match = deal("preferans-4", hands=" | " + NINES, talon="SK DJ HQ")
    assert in_turn(match) == (1, "redeal")
    asked = decision(match)
    assert asked is not None
    assert view(match, 0).hand is None

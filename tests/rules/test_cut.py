"""The ritual of the cut."""

from tests.support.dsl import deal, in_turn, legal, play, refused, sees
from thousand.rules import Illegal, view

DECK = "SA ST SK SQ SJ S9 CA CT CK CQ CJ C9 DA DT DK DQ DJ D9 HA HT HK HQ HJ H9"
NINE, PLAIN, JACK = "cut 6", "cut 3", "cut 17"


def test_the_third_nine_costs_once_whatever_follows() -> None:
    match = deal("classic", deck=DECK, dealer=2)
    play(match, NINE, "recut", NINE, "recut", NINE)
    assert match.standings.scores == [0, -120, 0]
    play(match, "recut", NINE, "recut", NINE, "accept")
    assert match.standings.scores == [0, -120, 0]
    assert in_turn(match)[1] == "auction"


def test_a_redeal_cuts_again_and_counts_on() -> None:
    forehand = dict(zip((0, 3, 7, 11, 15, 18, 21), ["S9", "C9", "D9", "SA", "CA", "DA", "HA"], strict=True))
    others = iter([card for card in DECK.split() if card not in forehand.values() and card != "H9"])
    cut = [forehand[i] if i in forehand else "H9" if i == 23 else next(others) for i in range(24)]
    match = deal("preferans", deck=" ".join(cut[-5:] + cut[:-5]), dealer=2)
    play(match, "cut 5", "accept")
    assert in_turn(match) == (0, "redeal")
    play(match, "redeal")
    assert in_turn(match) == (1, "cut")
    assert (match.deal_number, match.deal.nines) == (12, 1)


def test_the_fine_is_doubled_where_golden_deals_double_all() -> None:
    match = deal("bank-golden", deck=DECK, dealer=2, number=1, cut_ritual="may")
    play(match, NINE, "recut", NINE, "recut", NINE)
    assert match.standings.scores == [0, -240, 0]


def test_a_fine_at_the_cut_and_a_fall_in_the_same_deal_cost_both() -> None:
    match = deal(
        "intro", deck=DECK, dealer=2, scores=[0, 880, 0], tries={1: 3},
        barrel_turn="every_deal", write_off="half", write_off_barrel="allowed",
    )  # fmt: skip
    play(match, NINE, "recut", NINE, "recut", NINE, "recut", PLAIN)
    assert (match.standings.scores, in_turn(match)) == ([0, 760, 0], (1, "pass_cards"))  # he took the talon
    play(match, "write_off")
    assert match.standings.scores[1] == 640
    assert match.standings.barrel_tries_left[1] is None


def test_only_the_dealer_sees_the_bottom() -> None:
    match = deal("classic", deck=DECK, dealer=2)
    play(match, NINE)
    assert sees(match, 2) == {"S9"}
    assert sees(match, 0) == sees(match, 1) == set()
    play(match, "recut")
    assert view(match, 2).bottom is None


def test_a_plain_bottom_is_settled_at_once() -> None:
    match = deal("intro", deck=DECK, dealer=2)
    play(match, PLAIN)
    assert in_turn(match)[1] == "auction"


def test_what_must_be_done_must() -> None:
    match = deal("intro", deck=DECK, dealer=2)
    play(match, JACK)
    assert legal(match) == {"tuck"}
    assert refused(match, "accept") is Illegal.AGAINST_RULES
    assert refused(match, "cut 3") is Illegal.AGAINST_RULES
    assert refused(match, "play SA") is Illegal.WRONG_PHASE


def test_two_players_cut_for_each_other_and_four_have_the_right_neighbour() -> None:
    assert in_turn(deal("classic-2", deck=DECK, dealer=0)) == (1, "cut")
    assert in_turn(deal("classic-4", deck=DECK, dealer=0)) == (3, "cut")

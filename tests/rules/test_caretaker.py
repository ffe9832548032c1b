"""B08: what is done for a seat that gives no answer."""

from typing import Any

import pytest

from tests.support.dsl import deal, play
from thousand.rules import Match, caretaker

CARDS: dict[str, Any] = {
    "hands": "SA ST SJ CA CT D9 H9 | S9 CK C9 DA DT HA HK | SK CQ CJ DQ DJ HT HJ",
    "talon": "SQ DK HQ",
}


def does(match: Match) -> str:
    return str(caretaker(match))


def test_b08_the_nine_under_the_ten() -> None:
    hands = "HT SA ST SK CA CT CK | H9 HA S9 CJ D9 DJ DQ | SQ SJ CQ C9 DA DT HJ"
    match = deal("browser", hands=hands, talon="DK HK HQ", dealer=2)
    play(match, "pass", "pass", "give SK>2 CK>1", "contract 100", "play HT")
    assert does(match) == "play H9"


def test_b08_in_the_auction_a_pass_or_the_forced_bid() -> None:
    assert does(deal("browser", **CARDS)) == "pass"
    assert does(deal("club", **CARDS)) == "bid 80"
    assert does(deal("online-full", **CARDS)) == "look"
    assert does(deal("preferans-full", **CARDS)) == "pass"


def test_b08_passing_the_two_lowest_that_break_no_marriage() -> None:
    match = deal("browser", **CARDS)
    play(match, "pass", "pass")
    assert does(match) in {"give S9>0 C9>2", "give S9>2 C9>0", "give C9>0 S9>2"}
    hands = "SA ST SJ CA CT D9 H9 | SK SQ CK CQ DK HK HA | S9 C9 CJ DQ DJ HT HJ"
    match = deal("browser", hands=hands, talon="DT DA HQ")
    play(match, "pass", "pass")
    assert set(does(match).replace(">0", "").replace(">2", "").split()) == {"give", "DK", "DT"}


def test_b08_on_the_contract_the_bid() -> None:
    match = deal("browser", **CARDS)
    play(match, "pass", "pass", "give S9>2 C9>0")
    assert does(match) == "contract 100"


def test_b08_on_a_redeal_question_no() -> None:
    hands = "SA S9 CA C9 DA D9 H9 | SQ SJ CK DT DK HK HJ | ST CT CQ CJ DQ HA HT"
    assert does(deal("preferans", hands=hands, talon="SK DJ HQ", dealer=2)) == "accept"


def test_b08_what_must_be_done_is_done() -> None:
    hands = "SQ CK CQ DT DK HJ H9 | ST CA CJ D9 HA HT HQ | SA SK SJ CT DA DQ DJ"
    match = deal("preferans", hands=hands, talon="S9 C9 HK", redeal_talon_mode="must")
    play(match, "pass", "pass")
    assert does(match) == "redeal"


def test_there_is_nothing_to_do_when_the_match_is_over() -> None:
    match = deal("browser", **CARDS, number=5, max_deals=5)
    play(match, "pass", "pass", "write_off")
    with pytest.raises(ValueError, match="over"):
        caretaker(match)

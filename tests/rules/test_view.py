"""What a seat may see, phase by phase; that nothing else matters is in test_secrecy."""

from typing import Any

from tests.support.dsl import deal, play, sees
from thousand.rules import public, view, visible
from thousand.rules.events import CardPassed, HandDealt, TalonTaken

CARDS: dict[str, Any] = {
    "hands": "SA ST SJ CA CT D9 H9 | S9 CK C9 DA DT HA HK | SK CQ CJ DQ DJ HT HJ",
    "talon": "SQ DK HQ",
}
TALON = {"SQ", "DK", "HQ"}
GIVE = ("pass", "pass", "give S9>2 C9>0")
TWO: dict[str, Any] = {
    "hands": "SA ST SK SQ CA CT CK DK DQ | CQ DA DT DJ HA HT HK HQ HJ",
    "talon": "CJ C9 D9 | SJ S9 H9",
    "dealer": 1,
}


def test_a_talon_won_at_the_opening_bid_is_the_declarer_s_alone_where_agreed() -> None:
    match = deal("preferans", **CARDS)
    events = play(match, "pass", "pass")
    taken = next(event for event in events if isinstance(event, TalonTaken))
    assert sees(match, 0) & TALON == sees(match, 2) & TALON == set()
    assert visible(taken, 0) == public(taken) == taken._replace(cards=None)
    assert visible(taken, 1) == taken
    raised = deal("preferans", **CARDS)
    play(raised, "bid 105", "pass", "pass")
    assert sees(raised, 0) >= TALON


def test_passed_cards_are_known_to_giver_and_receiver_unless_shown() -> None:
    match = deal("browser", **CARDS)
    events = play(match, *GIVE)
    given = [event for event in events if isinstance(event, CardPassed)]
    assert [visible(event, 0) for event in given] == [given[0], given[1]._replace(card=None)]
    assert [visible(event, 1) for event in given] == given
    assert public(given[0]) == given[0]._replace(card=None)
    open_match = deal("browser", pass_shown="on", **CARDS)
    play(open_match, *GIVE)
    assert {"S9", "C9"} <= sees(open_match, 0) & sees(open_match, 2)


def test_a_blind_deal_hides_talon_and_pass_as_agreed() -> None:
    rules: dict[str, Any] = {"blind": "progressive", "pass_shown": "on"}
    match = deal("browser", **CARDS, **rules)
    play(match, "pass", "pass", "give S9>2 C9>0")
    assert {"S9", "C9"} <= sees(match, 0)  # the forced bid is never blind
    for hides, talon_seen, pass_seen in (("talon", False, True), ("pass", True, False)):
        match = deal("browser", **CARDS, **rules, blind_hides=[hides])
        play(match, "blind 105", "pass", "pass", "give SK>1 CQ>0")
        assert (sees(match, 0) >= TALON) is talon_seen
        assert ("SK" in sees(match, 0)) is pass_seen


def test_a_hand_is_told_to_its_seat_alone() -> None:
    event = HandDealt(1, ())
    assert visible(event, 1) == event
    assert visible(event, 0) is visible(event, 2) is public(event) is None


def test_the_sitting_dealer_sees_what_the_table_sees() -> None:
    match = deal(
        "classic-4", hands=" | S9 CJ DT HA HT HQ HJ | SQ CT CQ C9 DA DQ HK | SA ST SJ CA CK D9 H9", talon="SK DK DJ"
    )
    assert sees(match, 0) == set()
    assert view(match, 0).active == (1, 2, 3)
    play(match, "pass", "pass")
    assert sees(match, 0) == {"SK", "DK", "DJ"}


def test_talons_left_over_and_cards_put_into_them_stay_hidden() -> None:
    match = deal("headon", **TWO)
    play(match, "pass")
    assert sees(match, 1).isdisjoint({"CJ", "C9", "D9", "SJ", "S9", "H9"})
    play(match, "choose 0", "give D9>0 DA>talon")
    assert view(match, 0).talon_chosen == 0
    assert "DA" in sees(match, 1)
    assert "DA" not in sees(match, 0)
    assert sees(match, 1).isdisjoint({"SJ", "S9", "H9"})


def test_numbers_count_per_seat() -> None:
    match = deal("browser", **CARDS)
    play(match, *GIVE, "contract 100", "play HA")
    assert [view(match, seat).decision for seat in range(3)] == [1, 3, 1]


def test_nothing_of_a_hand_is_left_when_the_match_is_over() -> None:
    match = deal("browser", **CARDS, number=5, max_deals=5)
    play(match, "pass", "pass", "write_off")
    assert match.result is not None
    assert all(view(match, seat).hand is None for seat in range(3))

"""The tricks beyond the worked cases: revokes, the dummy, aces, write-offs before the first card."""

from tests.support.dsl import deal, in_turn, legal, play, refused, sees
from thousand.rules import Illegal, Suit, view
from thousand.rules.events import AceMarriageAnnounced, CardPlayed, DealScored, MarriageAnnounced, Revoked, TrickWon

HANDS = "SA SK SQ DJ HA HT HK | ST SJ S9 CA CT CK DK | CJ DA DT DQ HQ HJ H9"
TALON = "CQ C9 D9"
START = ("pass", "pass", "give D9>1 C9>2", "contract 100")
ACES = "SA SK CA C9 DA HA H9 | ST SQ SJ S9 CT CK CQ | DT DK DQ HT HK HQ HJ"
DUMMY = "SA SK SQ SJ C9 DA D9 | CK CQ CJ DK DQ HK HQ | CA CT DT DJ HT HJ H9"


def test_the_declarer_may_write_off_until_his_first_card() -> None:
    match = deal("browser", hands=HANDS, talon=TALON, dealer=2)
    play(match, *START)
    assert "write_off" in legal(match)
    play(match, "play SA", "play S9", "play H9")
    assert "write_off" not in legal(match)


def test_where_forehand_leads_the_declarer_gives_up_with_the_contract_or_never() -> None:
    match = deal("browser", hands=HANDS, talon=TALON, dealer=0, first_lead="forehand")
    play(match, "bid 105", "pass", "pass", "give CJ>0 H9>1")
    assert "write_off" in legal(match)
    play(match, "contract 105")
    assert in_turn(match) == (1, "play")
    assert "write_off" not in legal(match)


def test_codes_of_refusal() -> None:
    match = deal("browser", hands=HANDS, talon=TALON, dealer=2)
    play(match, *START, "play SA")
    assert refused(match, "play CA") is Illegal.AGAINST_RULES
    assert refused(match, "play HA") is Illegal.NOT_IN_HAND
    assert refused(match, "bid 110") is Illegal.WRONG_PHASE
    assert refused(match, "2: play HQ") is Illegal.NOT_YOUR_TURN
    assert refused(match, "7: play HQ") is Illegal.NOT_YOUR_TURN


def test_a_revoke_is_told_and_its_card_is_not() -> None:
    match = deal("club", hands=HANDS, talon=TALON, dealer=2)
    play(match, "bid 100", *START, "play SA")
    assert play(match, "play CA") == (Revoked(1), CardPlayed(1, match.deal.trick[1], False))
    assert "S9" in sees(match, 0)
    assert view(match, 0).revoked == (1,)
    assert refused(match, "play CA!") is Illegal.NOT_IN_HAND


def test_a_card_of_another_hand_is_no_revoke() -> None:
    match = deal("club", hands=HANDS, talon=TALON, dealer=2)
    play(match, "bid 100", *START, "play SA")
    assert refused(match, "play HA") is Illegal.NOT_IN_HAND
    assert refused(match, "play DK!") is Illegal.AGAINST_RULES


def test_leading_trumps_against_the_duty_is_a_revoke() -> None:
    hands = "SA SK SQ CA C9 D9 HJ | ST SJ S9 DT HA HK HQ | CT CQ DA DK DQ HT H9"
    match = deal("club", hands=hands, talon="CK CJ DJ", dealer=2)
    play(match, "bid 100", "pass", "pass", "give CK>1 CJ>2", "contract 100")
    play(match, "play SA", "play S9", "play H9", "play SQ!", "play ST", "play HT")
    assert "play SJ" not in legal(match)
    events = play(match, "play SJ")
    assert events[0] == Revoked(1)
    assert str(match.deal.trick[0]) == "HQ"  # the lowest legal card, unannounced
    assert view(match, 0).trump is Suit.SPADES


def test_the_plain_form_announces_where_announcing_is_automatic() -> None:
    match = deal("intro", hands=HANDS, talon=TALON, dealer=2)
    play(match, *START, "play SA", "play S9", "play H9")
    assert "play SK" not in legal(match)
    assert MarriageAnnounced(0, Suit.SPADES, 40) in play(match, "play SK")


def test_the_first_ace_counts_in_any_position() -> None:
    match = deal("online", hands=ACES, talon="CJ DJ D9", dealer=0, ace_marriage="first_ace")
    play(match, "bid 105", "pass", "pass", "give CJ>0 DJ>2", "contract 105", "play ST", "play HJ")
    assert legal(match) == {"play SA!", "play SK"}
    assert AceMarriageAnnounced(0, 200) in play(match, "play SA")
    assert view(match, 1).points[0] == 200 + 11 + 10 + 2
    assert view(match, 1).trump is None


def test_a_marriage_that_takes_no_trick_is_lost_where_it_needs_one() -> None:
    match = deal("club", hands=HANDS, talon=TALON, dealer=2)
    play(match, "bid 100", *START)
    play(match, "play SQ!", "play ST", "play H9")
    assert view(match, 0).points == (0, 13, 0)
    assert view(match, 0).trump is Suit.SPADES


def test_the_dummy_lays_face_down_and_never_wins() -> None:
    match = deal("intro-dummy", hands=DUMMY, talon="ST S9 HA", dealer=1)
    play(match, "pass", "give C9>1 D9>2", "contract 120")
    events = play(match, "play SA")
    assert events[1] == CardPlayed(2, None, False)
    assert view(match, 1).tricks[0].cards[1] is None
    events = play(match, "play CK")
    assert TrickWon(0, 15) in events  # 11 and 4: what was shown
    assert view(match, 0).points == (15, 0)
    assert sees(match, 0) & {"CA", "CT", "DT", "DJ", "HT", "HJ", "H9"} == set()


def test_the_dummy_s_cards_are_shown_when_the_deal_is_scored() -> None:
    match = deal("intro-dummy", hands=DUMMY, talon="ST S9 HA", dealer=1)
    play(match, "pass", "give C9>1 D9>2", "contract 120", "play SA", "play CK")
    events = play(match, "play ST", "play DK", "play SQ!", "play DQ", "play SK", "play CJ")
    events = play(match, "play SJ", "play C9", "play S9", "play HK", "play HA", "play HQ", "play DA", "play CQ")
    scored = next(event for event in events if isinstance(event, DealScored))
    assert set(map(str, scored.hidden)) == {"CA", "CT", "DT", "DJ", "HT", "HJ", "H9", "D9"}
    assert scored.points == (160, 0)

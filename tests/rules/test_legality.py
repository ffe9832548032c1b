"""What the worked cases do not reach: fines at the cut, who is asked for a redeal, what a revoke plays, the tables."""

import pytest

from thousand.casetable import CaseTable
from thousand.rules import Action, Match, apply, decision, playing, position, ruleset_from
from thousand.rules.cards import CARDS, RANKS, hand_of, parse_cards
from thousand.rules.events import Bid, Event, Fined, RedealReason, Redealt, Revoked, RowKind, WrittenOff
from thousand.rules.standings import Standings

# Seat 1 may win the trick in which seat 0 announces hearts, and has a heart left to lead.
TRUMP_LED = ("HK HQ S9 SJ C9 CJ D9", "HA HT SQ CQ DQ SA CA", "H9 HJ SK CK DK ST CT")


def table(preset: str, hands: tuple[str, ...], talon: str, dealer: int = 2, **options: object) -> CaseTable:
    """A deal about to begin."""
    ruleset = ruleset_from(preset, options)
    sheet = Standings.start(ruleset.players)
    return CaseTable.set_up(ruleset, sheet, 12, dealer, hands=hands, talon=talon, deck=None)


def play(deal: CaseTable, *words: str) -> None:
    """Let whoever is in turn say these words."""
    for text in words:
        asked = decision(deal.match)
        assert asked is not None
        assert deal.act(asked.seat, text) == "", text


def said(deal: CaseTable, text: str) -> tuple[Event, ...]:
    """What a word of the seat in turn makes happen."""
    asked = decision(deal.match)
    assert asked is not None
    return apply(deal.match, Action.parse(text), asked.seat)


def turn(deal: CaseTable) -> tuple[str, object]:
    """Phase and seat in turn."""
    return str(deal.fact("phase")), deal.fact("to_act")


# the cut


NINES_BELOW = "S9 C9 D9 H9 HA"  # cutting 23 cards puts the one above the last to the bottom: H9, D9, C9, S9


def cut_thrice(number: int = 12, **options: object) -> tuple[Match, list[Event]]:
    """Three nines at the bottom in one deal, cut by seat 1; the dealer 2 is to have it cut again."""
    cards = [str(card) for card in CARDS if str(card) not in NINES_BELOW.split()]
    deck = parse_cards(" ".join(cards) + " " + NINES_BELOW)
    match = position(ruleset_from("intro", options), dealer=2, deal_number=number, deck=deck)
    events: list[Event] = []
    for text in ("cut 23", "recut", "cut 23", "recut", "cut 23"):
        events += apply(match, Action.parse(text))
    return match, events


def test_the_third_nine_is_fined_at_once_and_once() -> None:
    match, events = cut_thrice()
    assert [event for event in events if isinstance(event, Fined)] == [Fined(1, RowKind.CUT_FINE, -120)]
    assert match.standings.scores == [0, -120, 0]
    fourth = (*apply(match, Action.parse("recut")), *apply(match, Action.parse("cut 23")))
    assert not [event for event in fourth if isinstance(event, Fined)]
    assert match.standings.scores == [0, -120, 0]


@pytest.mark.parametrize(("number", "doubles", "fine"), [(3, "all", 240), (4, "all", 120), (3, "points", 120)])
def test_a_golden_deal_that_doubles_all_doubles_the_fine(number: int, doubles: str, fine: int) -> None:
    match, events = cut_thrice(number, golden="double", golden_doubles=doubles)
    assert [event for event in events if isinstance(event, Fined)] == [Fined(1, RowKind.CUT_FINE, -fine)]
    assert match.standings.scores == [0, -fine, 0]


# redeals


def test_who_declines_before_the_auction_opens_it() -> None:
    hands = ("S9 SJ SQ C9 CJ D9 DJ", "SK ST SA CK CT CA DK", "H9 HJ HQ CQ DQ HK DT")
    deal = table("preferans", hands, "DA HT HA", cut_ritual="off")
    assert turn(deal) == ("redeal", 0)
    play(deal, "accept")
    assert turn(deal) == ("auction", 1)


@pytest.mark.parametrize(
    ("hand", "other", "reason"),
    [
        ("S9 SJ SQ C9 CJ D9 DJ", "H9 HJ HQ CQ DQ HK DT", RedealReason.THREE_NINES_ON_HUNDRED),
        ("S9 SJ SQ C9 CJ D9 H9", "DJ HJ HQ CQ DQ HK DT", RedealReason.FOUR_NINES),
        ("SJ SQ C9 CJ CQ D9 DJ", "S9 H9 HJ HQ DQ HK DT", RedealReason.LOW_HAND),
    ],
)
def test_the_reason_told_is_the_first_that_applies(hand: str, other: str, reason: RedealReason) -> None:
    deal = table("preferans", (hand, "SK ST SA CK CT CA DK", other), "DA HT HA", cut_ritual="off")
    assert turn(deal) == ("redeal", 0)
    assert said(deal, "redeal")[0] == Redealt(0, reason)


def test_13_is_a_low_hand_14_is_not() -> None:
    rest = ("ST SA CK CT CA DT DK", "H9 HJ HQ DJ C9 SK HK")
    thirteen = table("preferans", ("SJ SQ CJ CQ S9 D9 DQ", *rest), "DA HT HA", cut_ritual="off")
    assert turn(thirteen) == ("redeal", 0)
    rest = ("ST SA CK CT CA DT DK", "H9 HJ HQ DQ DJ C9 HK")
    fourteen = table("preferans", ("SJ SQ CJ CQ D9 SK S9", *rest), "DA HT HA", cut_ritual="off")
    assert turn(fourteen) == ("auction", 1)


def test_after_passing_the_declined_redeal_leads_to_the_contract() -> None:
    hands = ("S9 SJ SQ SK C9 CJ D9", "ST SA CQ CK CT CA DT", "DJ DQ DK DA HJ HQ HK")
    deal = table("browser", hands, "H9 HT HA")
    play(deal, "pass", "pass", "give SJ>1 SQ>2")
    assert turn(deal) == ("redeal", 0)  # the declarer himself holds four nines
    play(deal, "accept")
    assert turn(deal) == ("contract", 0)
    again = table("browser", hands, "H9 HT HA")
    play(again, "pass", "pass", "give SJ>1 SQ>2")
    assert said(again, "redeal")[0] == Redealt(0, RedealReason.FOUR_NINES)


# revokes


def test_a_trump_led_against_the_announcer_is_a_revoke_and_the_lowest_rank_is_led() -> None:
    deal = table("club", TRUMP_LED, "DJ DT DA")
    play(deal, "bid 80", "pass", "pass", "give DJ>1 DT>2", "contract 80", "play HQ!", "play HA", "play H9")
    assert turn(deal) == ("play", 1)
    events = said(deal, "play HT")
    assert events[0] == Revoked(1)
    assert str(events[1].card) == "DJ"  # type: ignore[union-attr]  # CardPlayed; a jack before any queen


def test_of_equal_ranks_the_first_suit_is_led() -> None:
    deal = table("club", TRUMP_LED, "DJ DT DA")
    play(deal, "bid 80", "pass", "pass", "give DA>1 DT>2", "contract 80", "play HQ!", "play HA", "play H9")
    events = said(deal, "play HT")
    assert str(events[1].card) == "SQ"  # type: ignore[union-attr]  # CardPlayed


def test_a_card_not_held_is_no_revoke() -> None:
    deal = table("club", TRUMP_LED, "DJ DT DA")
    play(deal, "bid 80", "pass", "pass", "give DJ>1 DT>2", "contract 80", "play HQ!")
    assert deal.refuses("play S9", 1)
    assert deal.refuses("play DT", 1)
    assert not deal.refuses("play SA", 1)
    assert deal.match.deal.revokes == []


def test_revoking_twice_is_one_revoke() -> None:
    deal = table("club", TRUMP_LED, "DJ DT DA")
    play(deal, "bid 80", "pass", "pass", "give DJ>1 DT>2", "contract 80", "play HQ!", "play SA")
    assert deal.match.deal.revokes == [1]
    play(deal, "play CK")
    assert deal.match.deal.revokes == [1, 2]


# tables made at import


@pytest.mark.parametrize("suit", range(4))
def test_the_plays_of_a_suit_are_its_cards_from_the_ace_down(suit: int) -> None:
    made = playing._plays_of_suit(suit)
    assert len(made) == 64
    for held in range(64):
        ranks = [rank for rank in (5, 4, 3, 2, 1, 0) if held >> rank & 1]
        assert [action.card for action in made[held]] == [suit * RANKS + rank for rank in ranks]


@pytest.mark.parametrize("led", range(4))
@pytest.mark.parametrize("trump", [0, 1, 2, 3, -1])
def test_a_trump_beats_the_suit_led_which_beats_the_rest(led: int, trump: int) -> None:
    strengths = playing._strengths(led, trump)

    def strength(card: int) -> tuple[bool, bool, int]:
        suit = card // RANKS
        return suit == trump, suit == led, card % RANKS if suit in (led, trump) else -1

    assert len(strengths) == len(CARDS)
    for one in CARDS:
        assert (strengths[one] < 0) == (one.suit not in (led, trump))
        for other in CARDS:
            if strengths[one] >= 0 and strengths[other] >= 0:
                assert (strengths[one] > strengths[other]) == (strength(one) > strength(other))


# the auction, giving up, the ace marriage


def test_giving_up_when_asked_for_the_contract() -> None:
    deal = table("browser", TRUMP_LED, "DJ DT DA")
    play(deal, "pass", "pass", "give DJ>1 DT>2")
    assert turn(deal) == ("contract", 0)
    events = said(deal, "write_off")
    assert events[0] == WrittenOff(0)
    assert deal.match.standings.scores == [-100, 50, 50]


def test_a_holder_below_the_floor_has_the_forced_bid_spoken_for_him() -> None:
    """RULES 3 bid_floor: he passes whenever asked, but a forced bid of his stands."""
    ruleset = ruleset_from("club", {"bid_floor": 0})
    sheet = Standings.start(3)
    sheet.scores = [-5, 0, 0]
    events: list[Event] = []
    hands = [hand_of(parse_cards(hand)) for hand in TRUMP_LED]
    match = position(
        ruleset, dealer=2, standings=sheet, hands=hands, talons=[hand_of(parse_cards("DJ DT DA"))], events=events
    )
    assert Bid(0, 80, False, True) in events
    assert (match.deal.high_bidder, match.deal.high_bid) == (0, 80)
    asked = decision(match)
    assert asked is not None
    assert asked.seat == 1
    apply(match, Action.parse("pass"))
    apply(match, Action.parse("pass"))
    assert (match.deal.declarer, match.deal.contract) == (0, 80)


def test_the_first_ace_announces_in_any_position() -> None:
    """RULES 3 ace_marriage first_ace: here on following suit, and on having none of it."""
    hands = ("SK SQ S9 CK CQ C9 D9", "SA CA DA HA HT HK HQ", "ST SJ CT CJ DT DK H9")
    follows = table("browser", hands, "DQ DJ HJ", ace_marriage="first_ace")
    play(follows, "pass", "pass", "give DJ>1 DQ>2", "contract 100", "play SK")
    assert follows.legal() == ["play SA!"]
    before = list(follows.match.deal.points)
    play(follows, "play SA!")
    assert follows.match.deal.points[1] == before[1] + 200
    assert follows.match.deal.shown_points[1] == before[1] + 200
    assert follows.match.deal.trump == -1


def test_only_aces_are_announced_so() -> None:
    hands = ("SK SQ S9 CK CQ C9 D9", "SA CA DA HA HT HK HQ", "ST SJ CT CJ DT DK DJ")
    deal = table("browser", hands, "DQ H9 HJ", ace_marriage="first_ace")
    play(deal, "pass", "pass", "give H9>1 DQ>2", "contract 100", "play HJ")
    assert deal.legal() == ["play HA!", "play HT", "play HK", "play HQ", "play H9"]

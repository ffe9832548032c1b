"""Points, contracts, fines and bolts, step by step in the order of RULES 5; the numbers of RULES 7."""

import pytest

from tests.rules.scored import played, rows, rules, sheet
from thousand.rules.cards import hand_of, parse_cards
from thousand.rules.events import RowKind
from thousand.rules.scoring import (
    keeps_contract,
    nearest_5,
    talon_value,
    write_off_is_free,
    write_off_share,
)

# 5.2 points


def test_a_revokers_points_are_nobodys_and_a_written_off_deal_has_none() -> None:
    assert played(rules("club"), sheet([0, 0, 0]), [100, 17, 30], revokes=(1,)).points == (100, 0, 30)
    assert played(rules("browser"), sheet([0, 0, 0]), [100, 17, 30], written_off=True).points == (0, 0, 0)
    assert played(rules("browser"), sheet([0, 0, 0]), [100, 17, 30]).points == (100, 17, 30)


# 5.3 the declarer


def test_170_bid_220_taken_counts_170() -> None:
    scored = played(rules("classic"), sheet([0, 0, 0]), [220, 0, 0], contract=170)
    assert scored.standings.scores == [170, 0, 0]
    assert rows(scored, 0) == [(RowKind.CONTRACT, 170)]
    assert scored.made


def test_one_point_short_fails() -> None:
    scored = played(rules("browser"), sheet([50, 0, 0]), [99, 11, 10])
    assert scored.standings.scores == [-50, 10, 10]
    assert not scored.made


@pytest.mark.parametrize(("points", "score"), [(118, 120), (117, -120), (120, 120)])
def test_declarer_rounding(points: int, score: int) -> None:
    scored = played(rules("online", declarer_rounding="rounded"), sheet([0, 0, 0]), [points, 0, 0], contract=120)
    assert scored.standings.scores[0] == score


@pytest.mark.parametrize(("points", "rounded"), [(17, 15), (18, 20), (0, 0), (2, 0), (3, 5), (120, 120), (7, 5)])
def test_17_counts_15_and_18_counts_20(points: int, rounded: int) -> None:
    assert nearest_5(points) == rounded
    assert played(rules("browser"), sheet([0, 0, 0]), [100, points, 0]).standings.scores[1] == rounded
    assert played(rules("classic"), sheet([0, 0, 0]), [100, points, 5]).standings.scores[1] == points


@pytest.mark.parametrize(
    ("golden", "blind", "number", "declarer", "other"),
    [
        ("off", False, 1, 100, 15), ("double", False, 3, 200, 30), ("double", False, 4, 100, 15),
        ("off", True, 12, 200, 30), ("double", True, 1, 400, 60),
    ],
)  # fmt: skip
def test_golden_and_blind_double_after_rounding(
    golden: str, blind: bool, number: int, declarer: int, other: int
) -> None:
    ruleset = rules("browser", golden=golden, blind="progressive")
    scored = played(ruleset, sheet([0, 0, 0]), [110, 17, 0], blind=blind, number=number)
    assert scored.standings.scores == [declarer, other, 0]


def test_blind_doubles_declarer_leaves_the_others_the_golden_factor() -> None:
    ruleset = rules("browser", golden="double", blind="progressive", blind_doubles="declarer")
    assert played(ruleset, sheet([0, 0, 0]), [90, 17, 0], blind=True, number=2).standings.scores == [-400, 30, 0]
    assert played(ruleset, sheet([0, 0, 0]), [90, 17, 0], blind=True).standings.scores == [-200, 15, 0]


def test_golden_deals_are_as_many_as_players() -> None:
    four = rules("preferans-4", golden="double")
    two = rules("preferans-2", golden="double")
    assert played(four, sheet([0] * 4), [100, 0, 5, 0], number=4, talon="S9 SJ C9").standings.scores[0] == 200
    assert played(four, sheet([0] * 4), [100, 0, 5, 0], number=5, talon="S9 SJ C9").standings.scores[0] == 100
    assert played(two, sheet([0, 0]), [100, 5], number=2).standings.scores == [200, 10]
    assert played(two, sheet([0, 0]), [100, 5], number=3).standings.scores == [100, 5]


# 5.4 the others


def test_nothing_is_added_on_the_barrel() -> None:
    before = sheet([0, 880, 0], barrel_tries_left=[None, 3, None])
    scored = played(rules("browser"), before, [100, 60, 20])
    assert scored.standings.scores == [100, 880, 20]
    assert scored.standings.barrel_tries_left == [None, 2, None]
    assert rows(scored, 1) == [(RowKind.POINTS, 0)]


def test_frozen_only_while_a_barrel_player_plays_his_try() -> None:
    on = sheet([880, 0, 0], barrel_tries_left=[3, None, None])
    assert played(rules("sailors"), on, [90, 17, 13], contract=121).standings.scores[1:] == [0, 0]
    frozen = played(rules("sailors"), on, [121, 0, 0], contract=100)
    assert frozen.standings.bolts == [0, 0, 0]
    assert played(rules("sailors"), on, [90, 17, 13], declarer=1).standings.scores == [880, -100, 13]
    assert played(rules("sailors"), sheet([0, 0, 0]), [100, 17, 3]).standings.scores == [100, 17, 3]
    no_try = played(rules("intro"), on, [100, 17, 3], forced_bidder=1)
    assert no_try.standings.scores == [880, 17, 3]


@pytest.mark.parametrize(("contract", "half"), [(100, 50), (105, 55), (110, 55), (115, 60), (120, 60), (121, 65)])
def test_half_is_rounded_up_to_a_multiple_of_5(contract: int, half: int) -> None:
    assert write_off_share(rules("browser"), contract) == half
    assert write_off_share(rules("online"), contract) == 60
    scored = played(rules("browser"), sheet([200, 0, 0]), [0, 0, 0], contract=contract, written_off=True)
    assert scored.standings.scores == [200 - contract, half, half]
    assert rows(scored, 1) == [(RowKind.SHARE, half)]
    assert scored.standings.write_offs == [1, 0, 0]


def test_shares_count_like_points() -> None:
    before = sheet([0, 880, 840], barrel_tries_left=[None, 3, None])
    scored = played(rules("browser"), before, [0, 0, 0], written_off=True)
    assert scored.standings.scores == [-100, 880, 880]
    assert scored.standings.barrel_tries_left == [None, 2, 3]
    golden = played(rules("browser", golden="double"), sheet([0, 0, 0]), [0, 0, 0], written_off=True, number=1)
    assert golden.standings.scores == [-200, 100, 100]


@pytest.mark.parametrize(("cost", "earlier", "score"), [("always", 0, -100), ("first_free", 0, 0),
                                                        ("first_free", 1, -100), ("free", 2, 0)])  # fmt: skip
def test_write_off_cost(cost: str, earlier: int, score: int) -> None:
    ruleset = rules("browser", write_off_cost=cost)
    before = sheet([0, 0, 0], write_offs=[earlier, 0, 0])
    scored = played(ruleset, before, [0, 0, 0], written_off=True)
    assert scored.standings.scores == [score, 50, 50]
    assert keeps_contract(ruleset, earlier) == (score == 0)


def test_a_write_off_is_free_only_without_the_fine() -> None:
    fined = rules("browser", write_off_cost="free", write_off_penalty=120)
    assert [write_off_is_free(fined, earlier) for earlier in range(6)] == [True, True, False, True, True, False]
    unfined = rules("browser", write_off_cost="free")
    assert write_off_is_free(unfined, 2)
    assert not write_off_is_free(rules("browser"), 0)
    first = rules("browser", write_off_cost="first_free")
    assert [write_off_is_free(first, earlier) for earlier in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("cards", "points", "aces"),
    [("HK HQ S9", 107, 100), ("SA DA HT", 32, 22), ("SK SQ SJ", 49, 40), ("CK CQ CA", 78, 71), ("DK DQ D9", 87, 80),
     ("SK CQ D9", 7, 0), ("HA CA DA", 33, 33), ("SA ST S9", 21, 11), ("HJ HQ D9", 5, 0), ("HK HJ D9", 6, 0)],
)  # fmt: skip
def test_the_talon_of_the_sitting_dealer(cards: str, points: int, aces: int) -> None:
    talon = hand_of(parse_cards(cards))
    assert talon_value(rules("classic-4"), talon) == points
    assert talon_value(rules("intro-4"), talon) == aces
    assert talon_value(rules("club-4"), talon) == 0
    scored = played(rules("classic-4"), sheet([0] * 4), [100, 5, 5, 0], talon=cards)
    assert scored.standings.scores[3] == points
    assert rows(scored, 3) == [(RowKind.TALON, points)]


def test_the_talon_is_rounded_doubled_and_withheld_like_a_defenders_points() -> None:
    four = rules("browser", players=4, golden="double")
    assert played(four, sheet([0] * 4), [100, 5, 5, 0], talon="HK HQ S9").standings.scores[3] == 105
    assert played(four, sheet([0] * 4), [100, 5, 5, 0], talon="HK HQ S9", number=4).standings.scores[3] == 210
    before = sheet([0, 0, 0, 880], barrel_tries_left=[None, None, None, 2])
    scored = played(rules("browser", players=4), before, [100, 5, 5, 0], talon="HK HQ S9")
    assert (scored.standings.scores[3], scored.standings.barrel_tries_left[3]) == (880, 2)  # sat out: no try
    three = played(rules("browser"), sheet([0] * 3), [100, 5, 5], talon="HK HQ S9")
    assert three.standings.scores == [100, 5, 5]


# 5.5 fines


def test_every_third_write_off_is_fined() -> None:
    ruleset = rules("browser", write_off_penalty=120, write_off_cost="free")
    for earlier, score in ((0, 0), (1, 0), (2, -120), (3, 0), (5, -120)):
        scored = played(ruleset, sheet([0, 0, 0], write_offs=[earlier, 9, 9]), [0, 0, 0], written_off=True)
        assert scored.standings.scores[0] == score
        assert scored.standings.write_offs == [earlier + 1, 9, 9]
    assert (
        played(rules("browser"), sheet([0] * 3, write_offs=[2, 0, 0]), [0, 0, 0], written_off=True).standings.scores[0]
        == -100
    )


def test_an_overbid_is_fined_made_or_not() -> None:
    made = played(rules("intro"), sheet([0, 0, 0]), [160, 0, 5], contract=160, overbid=True)
    assert made.standings.scores[0] == 40
    assert rows(made, 0) == [(RowKind.CONTRACT, 160), (RowKind.OVERBID_FINE, -120)]
    failed = played(rules("intro"), sheet([0, 0, 0]), [150, 5, 5], contract=160, overbid=True)
    assert failed.standings.scores[0] == -280


def test_a_revoke_is_fined_once_and_a_revoking_declarer_has_failed() -> None:
    declarer = played(rules("club"), sheet([0, 0, 0]), [130, 15, 15], revokes=(0,))
    assert declarer.standings.scores == [-220, 15, 15]
    assert not declarer.made
    assert rows(declarer, 0) == [(RowKind.CONTRACT, -100), (RowKind.REVOKE_FINE, -120)]
    two = played(rules("club", revoke_fine=60), sheet([0, 0, 0]), [130, 15, 15], revokes=(1, 2))
    assert two.standings.scores == [100, -60, -60]


def test_golden_doubles_all_doubles_fines_bolts_and_falls() -> None:
    ruleset = rules("bank-golden", revoke="penalty", revoke_fine=60, write_off_golden="allowed", write_off_penalty=50)
    both = played(ruleset, sheet([0, 0, 0]), [120, 40, 5], contract=120, number=1, revokes=(2,))
    assert both.standings.scores == [240, 80, -120]
    assert both.standings.bolts == [0, 0, 2]
    third = played(ruleset, sheet([0, 0, 0], bolts=[0, 0, 2]), [120, 40, 0], contract=120, number=2)
    assert (third.standings.scores[2], third.standings.bolts[2]) == (-240, 0)
    off = played(ruleset, sheet([0, 0, 0], write_offs=[2, 0, 0]), [0, 0, 0], 120, number=1, written_off=True)
    assert off.standings.scores[0] == -240 - 100
    over = played(rules("intro", golden="double", golden_doubles="all"), sheet([0] * 3), [160, 1, 1], 160, number=1,
                  overbid=True)  # fmt: skip
    assert over.standings.scores[0] == 320 - 240
    fall = played(ruleset, sheet([0, 880, 0], barrel_tries_left=[None, 1, None]), [120, 10, 10], 120, number=1)
    assert fall.standings.scores[1] == 880 - 240
    own = played(rules("intro", golden="double", golden_doubles="all"),
                 sheet([880, 0, 0], barrel_tries_left=[2, None, None]), [20, 10, 10], 121, number=1)  # fmt: skip
    assert own.standings.scores[0] == 880 - 240
    single = played(rules("bank-golden", golden_doubles="points"), sheet([0] * 3, bolts=[0, 0, 2]), [120, 40, 0], 120,
                    number=1)  # fmt: skip
    assert (single.standings.scores[2], single.standings.bolts[2]) == (-120, 0)


# 5.6 bolts


def test_the_third_bolt_costs_120() -> None:
    scored = played(rules("classic"), sheet([0, 0, 0], bolts=[0, 2, 1]), [120, 0, 0])
    assert scored.standings.scores == [100, -120, 0]
    assert scored.standings.bolts == [0, 0, 2]
    assert rows(scored, 1) == [(RowKind.POINTS, 0), (RowKind.BOLT, -120)]
    assert rows(scored, 2) == [(RowKind.POINTS, 0), (RowKind.BOLT, 0)]


def test_no_trick_and_no_points() -> None:
    points, tricks = [100, 16, 0], [6, 1, 1]  # a trick of three nines
    assert played(rules("intro"), sheet([0] * 3), points, tricks=tricks).standings.bolts == [0, 0, 0]
    assert played(rules("classic"), sheet([0] * 3), points, tricks=tricks).standings.bolts == [0, 0, 1]
    points, tricks = [100, 70, 50], [0, 5, 3]  # a marriage on the first lead
    assert played(rules("preferans"), sheet([0] * 3), points, tricks=tricks).standings.bolts == [1, 0, 0]
    assert played(rules("classic"), sheet([0] * 3), points, tricks=tricks).standings.bolts == [0, 0, 0]


def test_a_revoker_has_no_trick_and_bolts_off_counts_nothing() -> None:
    ruleset = rules("club", bolt="no_trick")
    assert played(ruleset, sheet([0] * 3), [100, 20, 20], revokes=(1,)).standings.bolts == [0, 1, 0]
    before = sheet([0] * 3, bolts=[0, 2, 2])
    assert played(rules("browser"), before, [120, 0, 0]).standings.bolts == [0, 2, 2]


def test_a_written_off_deal_leaves_all_counters() -> None:
    ruleset = rules("bank", bolt_run="both")
    before = sheet([0] * 3, bolts=[1, 2, 0], bolt_runs=[1, 1, 2])
    scored = played(ruleset, before, [0, 0, 0], written_off=True)
    assert (scored.standings.bolts, scored.standings.bolt_runs) == ([1, 2, 0], [1, 1, 2])


def test_who_sits_out_keeps_his_counters() -> None:
    before = sheet([0] * 4, bolts=[0, 0, 0, 2], bolt_runs=[0, 0, 0, 2])
    scored = played(rules("classic-4", bolt_run="both"), before, [120, 0, 0, 0], talon="S9 C9 D9")
    assert scored.standings.bolts == [0, 1, 1, 2]
    assert scored.standings.bolt_runs == [0, 1, 1, 2]


@pytest.mark.parametrize(
    ("run", "bolts", "runs", "points", "after", "after_runs", "fine"),
    [
        ("cumulative", 1, 0, 5, 1, 0, 0), ("cumulative", 2, 0, 0, 0, 0, 120), ("consecutive", 2, 0, 5, 0, 0, 0),
        ("consecutive", 1, 0, 0, 2, 0, 0), ("consecutive", 2, 0, 0, 0, 0, 120), ("both", 2, 2, 0, 0, 0, 240),
        ("both", 2, 1, 0, 0, 2, 120), ("both", 0, 2, 0, 1, 0, 120), ("both", 1, 2, 5, 1, 0, 0),
    ],
)  # fmt: skip
def test_bolt_runs(run: str, bolts: int, runs: int, points: int, after: int, after_runs: int, fine: int) -> None:
    before = sheet([0, 500, 0], bolts=[0, bolts, 0], bolt_runs=[0, runs, 0])
    scored = played(rules("classic", bolt_run=run), before, [100, points, 5])
    assert scored.standings.bolts[1] == after
    assert scored.standings.bolt_runs[1] == after_runs
    assert scored.standings.scores[1] == 500 + points - fine


def test_bolt_penalty_is_a_number() -> None:
    before = sheet([0, 300, 0], bolts=[0, 2, 0])
    assert played(rules("bank", bolt_penalty=60), before, [100, 0, 5]).standings.scores[1] == 240

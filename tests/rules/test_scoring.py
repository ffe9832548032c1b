"""The end of a deal, step by step in the order of RULES 5; the numbers of RULES 7."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.scored import check_rows, played, rows, rules, sheet
from thousand.rules.cards import hand_of, parse_cards
from thousand.rules.events import RowKind
from thousand.rules.presets import PRESETS
from thousand.rules.scoring import (
    keeps_contract,
    nearest_5,
    score_deal,
    talon_value,
    winners_of,
    write_off_is_free,
    write_off_share,
)
from thousand.rules.sheet import is_try
from thousand.rules.standings import DealOutcome, Standings

NOBODY = [None, None, None]


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


# 5.3 the barrel


BROWSER_ON_BARREL: list[tuple[int, int, int, list[Any], RowKind]] = [
    # contract, taken, new score, tries left, row
    (100, 120, 1000, NOBODY, RowKind.BARREL_WIN),
    (100, 119, 880, [2, None, None], RowKind.CONTRACT),
    (150, 160, 1030, NOBODY, RowKind.BARREL_WIN),
    (100, 99, 780, NOBODY, RowKind.BARREL_FAILED),
]


@pytest.mark.parametrize(("contract", "taken", "score", "tries", "kind"), BROWSER_ON_BARREL)
def test_the_barrel_of_the_browser(contract: int, taken: int, score: int, tries: list[Any], kind: RowKind) -> None:
    before = sheet([880, 300, 200], barrel_tries_left=[3, None, None])
    scored = played(rules("browser"), before, [taken, 0, 0], contract=contract)
    assert scored.standings.scores[0] == score
    assert scored.standings.barrel_tries_left == tries
    assert rows(scored, 0)[0] == (kind, score - 880)
    assert (scored.result is not None) == (score >= 1000)
    assert scored.standings.falls == [0, 0, 0]


@pytest.mark.parametrize(("preset", "win"), [("browser", 120), ("classic", 121), ("online-full", 125)])
def test_880_and_what_is_needed(preset: str, win: int) -> None:
    before = sheet([880, 300, 200], barrel_tries_left=[3, None, None])
    scored = played(rules(preset), before, [win, 20, 20], contract=100)
    assert scored.standings.scores[0] == 880 + win
    assert scored.result is not None
    assert scored.result.winners == (0,)
    short = played(rules(preset), before, [win - 3, 20, 20], contract=100)
    assert short.standings.scores[0] == 880
    assert short.result is None


def test_the_others_factor_is_never_compared() -> None:
    """Points really taken decide, doubled or not (RULES 4 Doubling and the barrel)."""
    ruleset = rules("browser", blind="progressive")
    before = sheet([880, 0, 0], barrel_tries_left=[3, None, None])
    assert played(ruleset, before, [110, 10, 0], blind=True).standings.scores == [880, 20, 0]
    assert played(ruleset, before, [120, 0, 0], blind=True).standings.scores == [1120, 0, 0]
    assert played(ruleset, before, [90, 0, 0], blind=True).standings.scores == [680, 0, 0]


@pytest.mark.parametrize(("contract", "score"), [(120, 880), (125, 1005), (130, 1010)])
def test_barrel_win_contract_needs_the_contract(contract: int, score: int) -> None:
    before = sheet([880, 0, 0], barrel_tries_left=[3, None, None])
    assert played(rules("preferans"), before, [160, 0, 0], contract=contract).standings.scores[0] == score


def test_barrel_failed_fall_is_a_fall_at_once() -> None:
    before = sheet([880, 0, 0], barrel_tries_left=[3, None, None])
    scored = played(rules("intro"), before, [100, 20, 0], contract=121)
    assert scored.standings.scores == [760, 0, 0]  # frozen: nobody else scores
    assert scored.standings.falls == [1, 0, 0]
    assert scored.standings.barrel_tries_left == NOBODY
    assert rows(scored, 0) == [(RowKind.BARREL_FAILED, -120)]


def test_barrel_failed_try_used_costs_nothing_until_the_last() -> None:
    for tries, score, left in ((3, 880, 2), (2, 880, 1), (1, 760, None)):
        before = sheet([880, 0, 0], barrel_tries_left=[tries, None, None])
        scored = played(rules("classic"), before, [100, 20, 0], contract=121)
        assert scored.standings.scores[0] == score
        assert scored.standings.barrel_tries_left[0] == left
        assert scored.standings.falls[0] == (score == 760)


def test_a_deal_that_is_no_try() -> None:
    """RULES 5.3: made nothing, failed minus the contract and off."""
    before = sheet([880, 0, 0], barrel_tries_left=[2, None, None])
    made = played(rules("intro"), before, [160, 0, 0], forced_bidder=1)
    assert (made.standings.scores, made.standings.barrel_tries_left[0]) == ([880, 0, 0], 2)
    failed = played(rules("intro"), before, [90, 30, 0], forced_bidder=1)
    assert (failed.standings.scores, failed.standings.barrel_tries_left[0]) == ([780, 30, 0], None)
    assert failed.standings.falls == [0, 0, 0]


def test_written_off_in_a_deal_that_is_no_try() -> None:
    before = sheet([880, 0, 0], barrel_tries_left=[2, None, None])
    costly = rules("intro", write_off="half", write_off_barrel="allowed")
    free = rules("intro", write_off="half", write_off_barrel="allowed", write_off_cost="free")
    off = played(costly, before, [0, 0, 0], forced_bidder=1, written_off=True)
    assert (off.standings.scores, off.standings.barrel_tries_left[0]) == ([780, 50, 50], None)
    stays = played(free, before, [0, 0, 0], forced_bidder=1, written_off=True)
    assert (stays.standings.scores, stays.standings.barrel_tries_left[0]) == ([880, 50, 50], 2)


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


# 5.7 off the barrel by fines


def test_a_bolt_may_throw_off_the_barrel_without_a_fall() -> None:
    before = sheet([0, 880, 0], barrel_tries_left=[None, 3, None], bolts=[0, 2, 0])
    scored = played(rules("bank"), before, [100, 0, 20])
    assert scored.standings.scores == [100, 760, 20]
    assert scored.standings.barrel_tries_left == NOBODY
    assert scored.standings.falls == [0, 0, 0]


@pytest.mark.parametrize(
    ("contract", "score", "tries"),
    [
        (120, 880, 1),  # 880 + 120 - 120
        (140, 880, 1),  # 880 + 140 - 120 = 900: back to 880
        (240, 1000, None),  # still a win
    ],
)
def test_a_win_that_fines_undo(contract: int, score: int, tries: int | None) -> None:
    ruleset = rules("browser", bid_cap="needs_marriage", cap_enforcement="penalty")
    before = sheet([880, 0, 0], barrel_tries_left=[2, None, None])
    scored = played(ruleset, before, [300, 0, 0], contract=contract, overbid=True)
    assert scored.standings.scores[0] == score
    assert scored.standings.barrel_tries_left[0] == tries
    assert (scored.result is not None) == (score == 1000)


def test_a_win_undone_below_the_barrel_is_off() -> None:
    ruleset = rules("browser", bid_cap="needs_marriage", cap_enforcement="penalty", bolt="no_trick", bolt_penalty=60)
    before = sheet([880, 0, 0], barrel_tries_left=[2, None, None], bolts=[2, 0, 0])
    scored = played(ruleset, before, [120, 0, 0], tricks=[0, 4, 4], contract=120, overbid=True)
    assert scored.standings.scores[0] == 820
    assert scored.standings.barrel_tries_left[0] is None
    assert scored.standings.falls[0] == 0
    assert scored.result is None


# 5.8 tries


def test_the_third_deal_without_a_win_is_a_fall() -> None:
    before = sheet([880, 0, 0], barrel_tries_left=[1, None, None])
    scored = played(rules("browser"), before, [60, 100, 0], declarer=1)
    assert scored.standings.scores == [760, 100, 0]
    assert scored.standings.falls == [1, 0, 0]
    assert rows(scored, 0) == [(RowKind.POINTS, 0), (RowKind.LAST_TRY, -120)]


def test_own_hundred_counts_only_deals_of_the_forced_bidder() -> None:
    before = sheet([880, 0, 880], barrel_tries_left=[2, None, 2])
    scored = played(rules("intro"), before, [10, 100, 10], declarer=1, forced_bidder=0)
    assert scored.standings.barrel_tries_left == [1, None, 2]


def test_taken_no_try_while_another_barrel_player_takes_the_talon() -> None:
    before = sheet([880, 0, 880], barrel_tries_left=[2, None, 1])
    assert played(rules("classic"), before, [100, 10, 10], 121).standings.barrel_tries_left == [1, None, 1]
    golden = rules("classic", golden="forced_double")
    suspended = played(golden, before, [100, 10, 10], 120, number=2)
    assert suspended.standings.barrel_tries_left == [1, None, None]  # 4 Taken, auto: suspended in golden deals
    later = played(golden, before, [100, 10, 10], 121, number=4)
    assert later.standings.barrel_tries_left == [1, None, 1]
    double = played(rules("classic", golden="double"), before, [100, 10, 10], 121, number=2)
    assert double.standings.barrel_tries_left == [1, None, 1]
    nobody_takes = played(rules("classic"), before, [10, 100, 10], declarer=1)
    assert nobody_takes.standings.barrel_tries_left == [1, None, None]


def test_the_taker_need_not_hold_the_hundred() -> None:
    before = sheet([880, 0, 880], barrel_tries_left=[2, None, 1])
    scored = played(rules("classic"), before, [10, 10, 121], 121, declarer=2, forced_bidder=1)
    assert scored.standings.barrel_tries_left == [2, None, None]  # 2 wins, 0 had no try
    assert scored.result is not None


def test_who_holds_no_cards_has_no_try() -> None:
    outcome = DealOutcome(12, 3, (0, 1, 2), 0, 0, 100, (100, 0, 0, 0), (8, 0, 0, 0))
    assert not is_try(rules("preferans-4"), Standings.start(4), outcome, 3)
    assert is_try(rules("preferans-4"), Standings.start(4), outcome, 1)


def test_taken_with_own_hundred_only_the_forced_bidder_takes() -> None:
    before = sheet([880, 0, 880], barrel_tries_left=[2, None, 2])
    scored = played(rules("intro"), before, [121, 0, 10], 100, declarer=0, forced_bidder=2)
    assert scored.standings.barrel_tries_left == [2, None, 1]


# 5.9 arrivals


@pytest.mark.parametrize(
    ("preset", "start", "score", "tries"),
    [
        ("browser", 779, 879, None), ("browser", 780, 880, 3), ("browser", 899, 880, 3), ("browser", 900, 1000, None),
        ("online", 950, 880, 3), ("online", 779, 879, None), ("club", 899, 999, None),
    ],
)  # fmt: skip
def test_arrival_is_exactly_barrel_at(preset: str, start: int, score: int, tries: int | None) -> None:
    scored = played(rules(preset), sheet([start, 0, 0]), [100, 10, 10])
    assert (scored.standings.scores[0], scored.standings.barrel_tries_left[0]) == (score, tries)
    assert scored.standings.falls == [0, 0, 0]


def test_tries_are_a_number() -> None:
    assert played(rules("browser", barrel_tries=2), sheet([800, 0, 0]), [100, 5, 5]).standings.barrel_tries_left[0] == 2


# 5.10 - 5.12


def test_a_newcomer_knocks_off_who_sits_there() -> None:
    before = sheet([880, 800, 0], barrel_tries_left=[2, None, None])
    scored = played(rules("bank"), before, [10, 100, 20], declarer=1)
    assert scored.standings.scores == [760, 880, 20]
    assert scored.standings.barrel_tries_left == [None, 3, None]
    assert scored.standings.falls == [1, 0, 0]
    assert rows(scored, 0)[-1] == (RowKind.KNOCKED_OFF, -120)
    many = played(rules("browser"), before, [10, 100, 20], declarer=1)
    assert many.standings.barrel_tries_left == [1, 3, None]
    uncounted = played(rules("preferans"), before, [10, 100, 20], declarer=1)
    assert (uncounted.standings.scores[0], uncounted.standings.falls) == (760, [0, 0, 0])
    alone = played(rules("bank"), sheet([880, 0, 0], barrel_tries_left=[2, None, None]), [10, 100, 20], declarer=1)
    assert alone.standings.barrel_tries_left == [1, None, None]


def test_a_winner_is_no_sitter() -> None:
    before = sheet([880, 860, 0], barrel_tries_left=[2, None, None])
    scored = played(rules("bank"), before, [120, 30, 10])
    assert scored.standings.scores == [1000, 880, 10]
    assert scored.result is not None
    assert scored.result.ranking == (1, 2, 3)


def test_arriving_together() -> None:
    before = sheet([800, 860, 860])
    stay = played(rules("browser"), before, [100, 30, 30])
    assert stay.standings.scores == [880, 880, 880]
    fall = played(rules("preferans"), before, [100, 30, 30])
    assert fall.standings.scores == [760, 760, 760]
    assert fall.standings.barrel_tries_left == NOBODY
    assert fall.standings.falls == [0, 0, 0]  # barrel_falls_count tries
    every = played(rules("online-full"), before, [100, 30, 30])
    assert every.standings.falls == [1, 1, 1]
    one = played(rules("bank"), before, [100, 30, 30])
    assert one.standings.scores == [880, 760, 760]  # the declarer stays
    assert rows(one, 1)[-1] == (RowKind.FELL_TOGETHER, -120)
    single = played(rules("preferans"), sheet([800, 0, 0]), [100, 30, 30])
    assert single.standings.scores == [880, 30, 30]


@pytest.mark.parametrize(("dealer", "stays"), [(0, 1), (1, 2), (2, 1)])
def test_of_defenders_the_nearest_to_forehand_stays(dealer: int, stays: int) -> None:
    """Declarer 0 fails; 1 and 2 arrive."""
    scored = played(rules("bank"), sheet([0, 860, 860]), [10, 60, 60], dealer=dealer)
    assert scored.standings.barrel_tries_left[stays] == 3
    assert sum(tries is not None for tries in scored.standings.barrel_tries_left) == 1


def test_sitters_fall_even_if_the_newcomers_fall_together() -> None:
    before = sheet([880, 860, 800], barrel_tries_left=[3, None, None])
    scored = played(rules("preferans"), before, [10, 30, 100], declarer=2)
    assert scored.standings.scores == [760, 760, 760]


def test_the_third_fall_zeroes_the_score() -> None:
    before = sheet([880, 0, 0], barrel_tries_left=[1, None, None], falls=[2, 1, 0], bolts=[0, 1, 2])
    scored = played(rules("preferans"), before, [10, 100, 20], declarer=1)
    assert scored.standings.scores == [0, 100, 20]
    assert scored.standings.falls == [0, 1, 0]
    assert scored.standings.bolts == [0, 1, 2]  # bolts stay
    assert rows(scored, 0)[-1] == (RowKind.FALLS_RESET, -760)
    second = played(rules("preferans"), sheet([880, 0, 0], barrel_tries_left=[1, None, None], falls=[1, 0, 0]),
                    [10, 100, 20], declarer=1)  # fmt: skip
    assert (second.standings.scores[0], second.standings.falls[0]) == (760, 2)
    never = played(rules("bank"), before, [10, 100, 20], declarer=1)
    assert (never.standings.scores[0], never.standings.falls[0]) == (760, 3)


# 5.13 dump truck


@pytest.mark.parametrize(
    ("truck", "start", "points", "score"),
    [
        ("plus", 455, 100, 0), ("plus", 450, 100, 550), ("plus", 456, 100, 556), ("plus", -455, 90, -555),
        ("plus_minus", -455, 90, 0), ("plus_minus", 455, 100, 0), ("off", 455, 100, 555),
        ("plus_minus", -450, 90, -550),
    ],
)  # fmt: skip
def test_only_555_and_minus_555(truck: str, start: int, points: int, score: int) -> None:
    scored = played(rules("browser", dump_truck=truck), sheet([start, 0, 0]), [points, 10, 10])
    assert scored.standings.scores[0] == score


def test_the_dump_truck_sees_fines() -> None:
    ruleset = rules("sailors-full")
    assert played(ruleset, sheet([0, 0, 675], bolts=[0, 0, 2]), [100, 20, 0]).standings.scores[2] == 0
    assert played(ruleset, sheet([0, 0, 555], bolts=[0, 0, 2]), [100, 20, 0]).standings.scores[2] == 435


def test_every_change_is_logged_by_its_kind() -> None:
    truck = played(rules("browser", dump_truck="plus"), sheet([455, 0, 0]), [100, 10, 10])
    assert rows(truck, 0) == [(RowKind.CONTRACT, 100), (RowKind.DUMP_TRUCK, -555)]
    arrival = played(rules("browser"), sheet([800, 0, 0]), [100, 10, 10])
    assert rows(arrival, 0) == [(RowKind.CONTRACT, 100), (RowKind.ARRIVAL, -20)]
    third = played(
        rules("browser", write_off_penalty=120), sheet([0] * 3, write_offs=[2, 0, 0]), [0] * 3, written_off=True
    )
    assert rows(third, 0) == [(RowKind.CONTRACT, -100), (RowKind.WRITE_OFF_FINE, -120)]
    on = sheet([880, 0, 0], barrel_tries_left=[2, None, None])
    assert rows(played(rules("intro"), on, [160, 0, 0], forced_bidder=1), 0) == [(RowKind.CONTRACT, 0)]
    assert rows(played(rules("intro"), on, [90, 0, 0], forced_bidder=1), 0) == [(RowKind.CONTRACT, -100)]
    assert rows(played(rules("classic"), on, [90, 9, 9], 121), 0) == [(RowKind.BARREL_FAILED, 0)]
    ruleset = rules("browser", bid_cap="needs_marriage", cap_enforcement="penalty")
    undone = played(ruleset, on, [160, 0, 0], contract=140, overbid=True)
    assert rows(undone, 0) == [(RowKind.BARREL_WIN, 140), (RowKind.OVERBID_FINE, -120), (RowKind.WIN_UNDONE, -20)]
    exact = played(ruleset, on, [160, 0, 0], contract=120, overbid=True)
    assert rows(exact, 0)[-1] == (RowKind.WIN_UNDONE, 0)


def test_who_arrives_by_another_way_is_counted_as_the_option_says() -> None:
    before = sheet([880, 0, 0], barrel_tries_left=[3, None, None])
    tries = rules("intro", barrel_falls_count="tries")
    assert played(tries, before, [100, 20, 0], contract=121).standings.falls == [1, 0, 0]


def test_a_frozen_deal_counts_the_declarers_bolt_wherever_he_sits() -> None:
    before = sheet([0, 880, 0], barrel_tries_left=[None, 3, None])
    scored = played(rules("sailors"), before, [60, 0, 60], contract=121, declarer=1)
    assert scored.standings.bolts == [0, 1, 0]


# 5.14 golden failed


@pytest.mark.parametrize(
    ("failed", "scores", "restart"), [("keep", [-340, 220, -220], False), ("zero", [0, 0, 0], False),
                                      ("restart", [0, 0, 0], True)],
)  # fmt: skip
def test_no_golden_contract_made(failed: str, scores: list[int], restart: bool) -> None:
    ruleset = rules("browser", golden="forced_double", golden_failed=failed, bolt="no_trick")
    before = sheet([-100, 200, -240], bolts=[1, 2, 0], falls=[0, 1, 0], write_offs=[0, 2, 0], golden_made=[False] * 2)
    scored = played(ruleset, before, [80, 10, 10], 120, number=3)
    assert scored.standings.scores == scores
    assert scored.restart == restart
    assert scored.standings == Standings.start(3) if restart else scored.standings.bolts == [1, 2, 0]
    for made, number in (([False, True], 3), ([False], 2)):
        other = played(ruleset, sheet([0, 0, 0], golden_made=made), [80, 10, 10], 120, number=number)
        assert not other.restart
        assert other.standings.scores == [-240, 20, 20]
        assert other.standings.golden_made == [*made, False]
    last_made = played(ruleset, before, [120, 10, 10], 120, number=3)
    assert last_made.standings.scores == [140, 220, -220]
    assert last_made.standings.golden_made == [False, False, True]
    after = played(ruleset, before, [80, 10, 10], 120, number=4)
    assert (after.restart, after.standings.golden_made) == (False, [False, False])


def test_zeroed_scores_leave_the_barrel() -> None:
    before = sheet([0, 880, 0], barrel_tries_left=[None, 3, None], golden_made=[False, False])
    scored = played(rules("bank-golden"), before, [80, 10, 10], 120, number=3)
    assert scored.standings.scores == [0, 0, 0]
    assert scored.standings.barrel_tries_left == NOBODY
    assert rows(scored, 1)[-1] == (RowKind.GOLDEN_FAILED, -880)


def test_golden_double_has_no_golden_contracts() -> None:
    scored = played(rules("browser", golden="double"), sheet([0] * 3), [10, 10, 10], number=3)
    assert scored.standings.golden_made == []


# 5.15 the win


def test_a_defender_may_win_without_the_barrel() -> None:
    scored = played(rules("club"), sheet([0, 960, 0]), [100, 38, 0])
    assert scored.standings.scores == [100, 1000, 0]
    assert scored.result is not None
    assert (scored.result.winners, scored.result.ranking) == ((1,), (2, 1, 3))
    assert (scored.result.deals, scored.result.by_limit) == (12, False)


@pytest.mark.parametrize(
    ("made", "declarer", "scores", "reached", "winners"),
    [
        (True, 0, [1000, 1020, 0], {0, 1}, (0,)),
        (False, 0, [1000, 1020, 0], {0, 1}, (1,)),
        (True, 2, [1000, 1020, 0], {0, 1}, (1,)),
        (True, 2, [1000, 1000, 0], {0, 1}, (0, 1)),
        (True, 1, [200, 100, 200], set(), (0, 2)),  # max_deals
        (False, 2, [1000, 1000, 2000], {0, 1}, (0, 1)),
    ],
)
def test_winners(made: bool, declarer: int, scores: list[int], reached: set[int], winners: tuple[int, ...]) -> None:
    assert winners_of(made, declarer, scores, reached) == winners


@pytest.mark.parametrize(
    ("number", "before", "over"), [(200, 0, True), (199, 0, False), (7, 199, True), (7, 198, False)]
)
def test_max_deals_bounds_a_match_restarts_included(number: int, before: int, over: bool) -> None:
    scored = played(rules("tournament"), sheet([200, 300, 200]), [100, 20, 0], number=number, deals_before=before)
    assert (scored.result is not None) == over
    if scored.result is not None:
        assert scored.result.by_limit
        assert scored.result.deals == 200
        assert scored.result.winners == (1,)
        assert scored.result.ranking == (2, 1, 3)


def test_a_win_in_the_last_deal_is_a_win() -> None:
    scored = played(rules("tournament"), sheet([900, 300, 200]), [100, 20, 0], number=200)
    assert scored.result is not None
    assert not scored.result.by_limit


def test_of_two_who_reach_it_the_declarer_who_made_it_wins() -> None:
    made = played(rules("club"), sheet([900, 990, 0]), [100, 40, 0])
    assert made.result is not None
    assert (made.standings.scores, made.result.winners) == ([1000, 1030, 0], (0,))
    barrel = played(rules("browser", win_without_barrel="on"), sheet([880, 870, 0], barrel_tries_left=[1, None, None]),
                    [150, 150, 0])  # fmt: skip
    assert barrel.result is not None
    assert (barrel.standings.scores, barrel.result.winners) == ([1000, 1020, 0], (0,))


def test_the_settlement_is_told_with_the_result() -> None:
    before = sheet([880, 640, -120], barrel_tries_left=[3, None, None])
    scored = played(rules("sailors"), before, [160, 0, 0], 121)
    assert scored.result is not None
    assert scored.result.settlement == (640, -640, 0)
    joint = played(rules("browser", barrel_at="none", settlement="bank", bank=101, players=3),
                   sheet([0, 990, 990]), [90, 10, 10], dealer=1)  # fmt: skip
    assert joint.result is not None
    assert joint.result.settlement == (-101, 50, 51)  # 2 is forehand


# laws


@st.composite
def deals(draw: st.DrawFn) -> tuple[str, Standings, DealOutcome]:
    """Any preset, any sheet near the interesting scores, any outcome."""
    name = draw(st.sampled_from(sorted(PRESETS)))
    ruleset = PRESETS[name]
    n = ruleset.players
    at = ruleset.barrel_at
    start = Standings.start(n)
    for seat in range(n):
        tries = draw(st.sampled_from([None, None, 1, 3])) if at is not None else None
        start.barrel_tries_left[seat] = tries
        start.scores[seat] = at if tries and at else draw(st.sampled_from([-555, -120, 0, 455, 555, 675, 700, 860]))
        start.bolts[seat] = draw(st.integers(0, 2))
        start.bolt_runs[seat] = draw(st.integers(0, 2))
        start.falls[seat] = draw(st.integers(0, 2))
        start.write_offs[seat] = draw(st.integers(0, 2))
    dealer = draw(st.integers(0, n - 1))
    active = tuple((dealer + 1 + i) % n for i in range(min(n, 3)))
    number = draw(st.sampled_from([1, n, n + 1, 12, 200]))
    start.golden_made = draw(st.lists(st.booleans(), min_size=number - 1, max_size=number - 1)) if number <= n else []
    points = [draw(st.sampled_from([0, 7, 17, 60, 120, 123, 160, 240])) if seat in active else 0 for seat in range(n)]
    outcome = DealOutcome(
        number, dealer, active, draw(st.sampled_from(active)), draw(st.sampled_from(active)),
        draw(st.sampled_from([80, 100, 105, 120, 121, 125, 200])), tuple(points),
        tuple(int(p > 0) for p in points), draw(st.booleans()), draw(st.booleans()), draw(st.integers(0, 2**24 - 1)),
        draw(st.sampled_from([(), active[:1], active[1:]])), draw(st.booleans()),
    )  # fmt: skip
    return name, start, outcome


@given(deals())
def test_rows_sum_and_standings_stay_sane(drawn: tuple[str, Standings, DealOutcome]) -> None:
    name, before, outcome = drawn
    ruleset, kept = PRESETS[name], before.copy()
    scored = score_deal(ruleset, before, outcome)
    after = scored.standings
    assert before == kept
    check_rows(before, scored)
    for seat in range(ruleset.players):
        tries = after.barrel_tries_left[seat]
        if tries is not None:
            assert 1 <= tries <= ruleset.barrel_tries
            assert ruleset.barrel_at is not None
            assert after.scores[seat] >= ruleset.barrel_at
        assert after.bolts[seat] in (0, 1, 2) or ruleset.bolt == "off"
    if scored.result is None:
        limit = ruleset.win_score if ruleset.win_without_barrel else (ruleset.barrel_at or 0) + 1
        assert all(score < limit for score in after.scores)
        if ruleset.barrel_at is not None:
            assert all(
                score < ruleset.barrel_at or tries is not None
                for score, tries in zip(after.scores, after.barrel_tries_left, strict=True)
            )
    else:
        assert scored.result.scores == tuple(after.scores)
        assert sum(scored.result.settlement) == 0
        assert all(scored.result.ranking[seat] == 1 for seat in scored.result.winners)

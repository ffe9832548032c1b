"""On, at and off the barrel (RULES 5.3, 5.7 to 5.12)."""

from typing import Any

import pytest

from tests.rules.scored import played, rows, rules, sheet
from thousand.rules.events import RowKind
from thousand.rules.sheet import is_try
from thousand.rules.standings import DealOutcome, Standings

NOBODY = [None, None, None]


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

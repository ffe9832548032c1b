"""The last steps of a deal's scoring and the win (RULES 5.13 to 5.15), and the laws of every scored deal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.scored import check_rows, played, rows, rules, sheet
from thousand.rules.events import RowKind
from thousand.rules.presets import PRESETS
from thousand.rules.scoring import score_deal, winners_of
from thousand.rules.standings import DealOutcome, Standings

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
    assert scored.standings.barrel_tries_left == [None, None, None]
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

"""What every format promises, over 3 to 60 entrants and tables of 2, 3 and 4, by iterating the registry."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.workers.holding import Cup, bots, by_luck, hold, lasting
from workers.formats import FORMATS, InvalidFormat, Plan, next_round, outlook, owner_groups, seat_orders
from workers.formats.knockout import winner
from workers.formats.swiss import rounds_of
from workers.model import Entrant

SEATS = st.sampled_from([2, 3, 4])
TOURNAMENTS = [  # boards keep laws of their own: see test_boards
    name for name, found in sorted(FORMATS.items()) if name != "single" and not found.board
]
quickly = settings(max_examples=10, deadline=None)


@st.composite
def fields(draw: st.DrawFn, name: str = "") -> tuple[Plan, tuple[Entrant, ...], int]:
    """Seats, entrants (each its own owner's, or a few owners'), and a seed for the results."""
    seats = draw(SEATS)
    most = 16 if name in ("round_robin", "gauntlet") else 60  # all sets of 60 are half a million
    count = draw(st.integers(max(3, seats), most))
    owners = draw(st.sampled_from([0, 0, count, max(seats, count // 2), max(seats, count // 5)]))
    plan = replace(lasting(name or "swiss", seats), draw=draw(st.binary(max_size=4)))
    return plan, bots(count, owners), draw(st.integers(0, 1000))


def blocks_of(cup: Cup) -> tuple[Counter[int], Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Blocks by bot and by pair, matches by bot and seat."""
    each, pairs, places = Counter[int](), Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for table in (table for tables in cup.rounds for table in tables):
        each.update(table)
        pairs.update(combinations(table, 2))
        places.update((table[who], seat) for order in seat_orders(len(table)) for seat, who in enumerate(order))
    return each, pairs, places


@pytest.mark.parametrize("name", TOURNAMENTS)
@given(data=st.data())
@quickly
def test_a_format_keeps_its_promises(name: str, data: st.DataObject) -> None:
    plan, entrants, seed = data.draw(fields(name))
    cup = hold(name, plan, entrants, by_luck(seed))
    tables_hold_distinct_bots_of_distinct_owners(cup)
    every_bot_sits_equally_often_in_every_seat(cup)
    the_outlook_keeps_what_it_says(cup)
    the_same_results_give_the_same_tables(cup)
    its_own_table_holds_everybody_once(cup)


def its_own_table_holds_everybody_once(cup: Cup) -> None:
    scored = FORMATS[cup.name].scored
    if scored is None:
        return
    rows = scored(cup.plan, cup.entrants, cup.results)
    assert sorted(row.who for row in rows) == list(range(len(cup.entrants)))
    assert all(row.rank <= place for place, row in enumerate(rows, 1))
    each, _, _ = blocks_of(cup)
    orders = len(seat_orders(cup.plan.seats))
    assert all(row.score.matches == each[row.who] * orders for row in rows)
    if cup.name == "knockout":
        assert [row.who for row in rows if row.still_in] == [winner(cup.plan, cup.entrants, cup.results)]
    else:
        halves = [row.score.halves for row in rows]
        assert halves == sorted(halves, reverse=True)
        assert sum(halves) == len(cup.rounds) * len(cup.entrants) * orders * (cup.plan.seats - 1)


def tables_hold_distinct_bots_of_distinct_owners(cup: Cup) -> None:
    groups = owner_groups(cup.plan, cup.entrants)
    for table in (table for tables in cup.rounds for table in tables):
        assert list(table) == sorted(set(table))
        assert 0 <= table[0] <= table[-1] < len(cup.entrants)
        assert len({groups[who] for who in table}) == len(table) == cup.plan.seats


def every_bot_sits_equally_often_in_every_seat(cup: Cup) -> None:
    _, _, places = blocks_of(cup)
    for who in range(len(cup.entrants)):
        assert len({places[who, seat] for seat in range(cup.plan.seats)}) == 1


def the_same_results_give_the_same_tables(cup: Cup) -> None:
    """Of any round, whatever was asked in between; another order of delivery changes nothing."""
    for number, tables in enumerate(cup.rounds, 1):
        before = [entry for entry in cup.results if entry.round < number][::-1]
        assert tuple(next_round(cup.name, cup.plan, cup.entrants, before) or ()) == tuple(tables)


def the_outlook_keeps_what_it_says(cup: Cup) -> None:
    said = outlook(cup.name, cup.plan, cup.entrants)
    each, pairs, places = blocks_of(cup)
    groups = owner_groups(cup.plan, cup.entrants)
    orders = len(seat_orders(cup.plan.seats))
    everybody = range(len(cup.entrants))
    meeting = [p for p in combinations(everybody, 2) if groups[p[0]] != groups[p[1]]]
    if cup.name == "gauntlet":
        meeting = [p for p in meeting if 0 in p]
    found = {
        "per_bot": [each[i] * orders for i in everybody],
        "per_bot_and_seat": [places[i, seat] for i in everybody for seat in range(cup.plan.seats)],
        "per_pair": [pairs[p] * orders for p in meeting],
    }
    for what, values in found.items():
        least, most = getattr(said, what)
        assert least <= min(values) <= max(values) <= most, what
        if said.exact:
            assert (least, most) == (min(values), max(values)), what
    blocks, rounds = sum(map(len, cup.rounds)), len(cup.rounds)
    assert said.matches == said.blocks * orders
    if cup.name == "knockout" and len(set(groups)) < len(groups):
        assert (said.blocks, said.rounds) >= (blocks, rounds)
    else:
        assert (said.blocks, said.rounds) == (blocks, rounds)


@pytest.mark.parametrize("name", TOURNAMENTS)
@given(data=st.data())
@quickly
def test_bots_that_never_come_stop_nothing(name: str, data: st.DataObject) -> None:
    plan, entrants, seed = data.draw(fields(name))
    absent = data.draw(st.sets(st.integers(0, len(entrants) - 1), max_size=len(entrants)))
    cup = hold(name, plan, entrants, by_luck(seed), absent=[entrants[i].player for i in absent])
    assert cup.rounds


# swiss


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_swiss_repeats_no_meeting_while_a_round_without_exists(data: st.DataObject) -> None:
    seats = data.draw(SEATS)
    count = data.draw(st.integers(seats, 60))
    rounds = (count // seats - 1) // (seats - 1) + 1  # until then a round without exists: Hajnal and Szemerédi
    plan = Plan(seats, options={"rounds": rounds})
    cup = hold("swiss", plan, bots(count), by_luck(data.draw(st.integers(0, 1000))))
    _, pairs, _ = blocks_of(cup)
    assert max(pairs.values()) == 1


@pytest.mark.parametrize(("seats", "count"), [(2, 4), (2, 6), (2, 8), (3, 9), (4, 16)])
def test_swiss_goes_as_far_as_a_round_robin_of_two_and_beyond_it_repeats_evenly(seats: int, count: int) -> None:
    cup = hold("swiss", Plan(seats, options={"rounds": 3}), bots(count))
    _, pairs, _ = blocks_of(cup)
    assert max(pairs.values()) <= 2


@given(data=st.data())
@quickly
def test_swiss_gives_nobody_a_second_bye_before_all_had_one(data: st.DataObject) -> None:
    plan, entrants, seed = data.draw(fields())
    assume(max(Counter(owner_groups(plan, entrants)).values()) <= len(entrants) // plan.seats)
    cup = hold("swiss", replace(plan, options={"rounds": 7}), entrants, by_luck(seed))
    each, _, _ = blocks_of(cup)
    byes = [7 - each[who] for who in range(len(entrants))]
    assert max(byes) - min(byes) <= 1


def test_swiss_pairs_equals_and_ends_with_the_best_on_top() -> None:
    cup = hold("swiss", Plan(2, options={"rounds": 5}), bots(32), lambda ps: [-int(p.bot_id[1:]) for p in ps])
    wins = Counter[int]()
    for tables in cup.rounds:
        gaps = [abs(wins[a] - wins[b]) for a, b in tables]
        assert max(gaps) == 0  # 32 bots, five rounds: everybody meets somebody with the same score
        wins.update(min(table) for table in tables)
    assert [who for who in wins if wins[who] == 5] == [0]


def test_swiss_has_as_many_rounds_as_asked_for_or_as_find_a_winner() -> None:
    assert [rounds_of(Plan(3), bots(n)) for n in (3, 4, 5, 8, 9, 100)] == [2, 2, 3, 3, 4, 7]
    assert len(hold("swiss", Plan(3, options={"rounds": "4"}), bots(9)).rounds) == 4


# knockout


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_knockout_ends_with_one_winner_who_won_its_last_table(data: st.DataObject) -> None:
    plan, entrants, seed = data.draw(fields())
    plan = replace(plan, options={"advance": data.draw(st.integers(1, plan.seats - 1))})
    cup = hold("knockout", plan, entrants, by_luck(seed), most=len(entrants))
    best = winner(plan, entrants, cup.results)
    assert sum(best in table for table in cup.rounds[-1]) or len(set(owner_groups(plan, entrants))) < len(entrants)
    assert len(cup.rounds[-1]) == 1 or len(set(owner_groups(plan, entrants))) < len(entrants)


@pytest.mark.parametrize(("seats", "advance", "count"), [(4, 2, 16), (4, 3, 21), (3, 2, 20), (4, 2, 60), (3, 1, 27)])
def test_knockout_lets_so_many_of_each_table_go_on(seats: int, advance: int, count: int) -> None:
    cup = hold("knockout", Plan(seats, options={"advance": advance}), bots(count))
    said = outlook("knockout", cup.plan, cup.entrants)
    assert (said.rounds, said.blocks) == (len(cup.rounds), sum(map(len, cup.rounds)))
    left = count
    for tables in cup.rounds[:-1]:
        left -= len(tables) * (seats - advance)
    assert left <= seats == len(cup.rounds[-1][0])


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("count", range(4, 61))
def test_knockout_is_won_by_the_bot_that_wins_everything(seats: int, count: int) -> None:
    cup = hold("knockout", Plan(seats), bots(count), lambda ps: [-int(p.bot_id[1:]) for p in ps])
    assert winner(cup.plan, cup.entrants, cup.results) == 0
    each, _, _ = blocks_of(cup)
    assert min(each[who] for who in range(count)) >= 1


def test_knockout_settles_ties_the_same_way_every_time() -> None:
    ties = [hold("knockout", Plan(3, draw=b"x"), bots(20), lambda ps: [0] * len(ps)) for _ in range(2)]
    won = [winner(cup.plan, cup.entrants, cup.results) for cup in ties]
    assert won[0] == won[1]
    other = hold("knockout", Plan(3, draw=b"z"), bots(20), lambda ps: [0] * len(ps))
    assert [tuple(r) for r in other.rounds] != [tuple(r) for r in ties[0].rounds]


def test_knockout_between_bots_of_one_owner_ends_with_the_better() -> None:
    two = bots(6, 2)  # b0, b2, b4 and b1, b3, b5: after one round both may be of one owner
    for seed in range(20):
        cup = hold("knockout", Plan(2, draw=bytes([seed])), two, by_luck(seed))
        assert len(cup.rounds) <= 6


def test_knockout_lets_an_absent_bot_never_go_on_before_one_that_came() -> None:
    entrants = bots(9)
    cup = hold("knockout", Plan(3), entrants, absent=[entrants[0].player, entrants[1].player])
    for number, tables in enumerate(cup.rounds[1:], 1):
        before = [set(table) for table in cup.rounds[number - 1]]
        for who in (0, 1):
            if any(who in table for table in tables):
                assert any(who in table and table <= {0, 1} | {who} for table in before)


def test_knockout_refuses_to_let_a_whole_table_go_on() -> None:
    with pytest.raises(InvalidFormat, match="fewer go on than sit at a table of 2"):
        next_round("knockout", Plan(2, options={"advance": 2}), bots(8))


# ladder


@given(data=st.data())
@quickly
def test_ladder_gives_those_who_stay_equally_many_games(data: st.DataObject) -> None:
    plan, entrants, seed = data.draw(fields("ladder"))
    assume(max(Counter(owner_groups(plan, entrants)).values()) <= len(entrants) // plan.seats)
    cup = hold("ladder", plan, entrants, by_luck(seed))
    each, _, _ = blocks_of(cup)
    played = [each[who] for who in range(len(entrants))]
    assert max(played) - min(played) <= 1


@given(data=st.data())
@quickly
def test_ladder_remembers_exactly_what_the_results_say(data: st.DataObject) -> None:
    plan, entrants, seed = data.draw(fields("ladder"))
    cup = hold("ladder", plan, entrants, by_luck(seed))
    remember = FORMATS["ladder"].remember
    assert remember is not None
    memory: dict[str, object] = {}
    for number in range(1, len(cup.rounds) + 1):
        shortened = replace(plan, memory=memory)
        fresh = [entry for entry in cup.results if entry.round == number - 1]
        assert next_round("ladder", shortened, entrants, fresh) == cup.rounds[number - 1]
        memory = remember(shortened, entrants, fresh)


def test_ladder_has_no_end_of_its_own() -> None:
    cup = hold("ladder", Plan(3, options={"rounds": 12}), bots(7))
    assert len(cup.rounds) == 12
    assert next_round("ladder", Plan(3), bots(7), cup.results) is not None


def test_ladder_seats_a_new_version_at_once_and_pairs_by_strength() -> None:
    entrants = bots(31)
    cup = hold("ladder", Plan(2, options={"rounds": 10}), entrants, lambda ps: [-int(p.bot_id[1:]) for p in ps])
    newer = tuple(replace(e, player=replace(e.player, version=2)) if i == 30 else e for i, e in enumerate(entrants))
    for seed in range(8):
        tables = next_round("ladder", Plan(2, draw=bytes([seed])), newer, cup.results)
        assert tables is not None
        assert any(30 in table for table in tables)
    assert tables is not None
    late = [abs(a - b) for number in (7, 8, 9) for a, b in cup.rounds[number]]
    assert sum(late) / len(late) < 8  # by lot it would be above 10


def test_ladder_plays_at_no_more_tables_than_wanted_and_takes_those_who_need_it() -> None:
    cup = hold("ladder", Plan(3, options={"rounds": 10, "tables": 1}), bots(30))
    assert [len(tables) for tables in cup.rounds] == [1] * 10
    each, _, _ = blocks_of(cup)
    assert set(each.values()) == {1}

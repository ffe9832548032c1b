"""Formats: every promise over many numbers of entrants, by iterating the registry."""

import time

import pytest

from tests.workers.arena import entrants
from workers.formats import FORMATS, InvalidFormat, Plan, count, next_round, outlook, seat_orders
from workers.model import Entrant, Player, Seatings


@pytest.mark.parametrize(
    ("bots", "matches", "per_bot", "per_seat", "per_pair"),
    [(3, 6, 6, 2, 6), (4, 24, 18, 6, 12), (5, 60, 36, 12, 18), (6, 120, 60, 20, 24), (7, 210, 90, 30, 30)],
)
def test_b30_round_robin_counts(bots: int, matches: int, per_bot: int, per_seat: int, per_pair: int) -> None:
    tables = next_round("round_robin", Plan(3), entrants(bots))
    assert tables is not None
    counts = count(range(bots), tables, 3)
    assert counts.matches == matches
    assert counts.per_bot == (per_bot, per_bot)
    assert counts.per_bot_and_seat == (per_seat, per_seat)
    assert counts.per_pair == (per_pair, per_pair)


@pytest.mark.parametrize("bots", [0, 1, 2])
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_b30_too_few_entrants_are_refused(name: str, bots: int) -> None:
    with pytest.raises(InvalidFormat, match="cannot fill a table of 3"):
        next_round(name, Plan(3), entrants(bots))


def test_b29_the_format_asked_for_is_the_format_played() -> None:
    hero = next_round("gauntlet", Plan(3, options={"candidate": "b1"}), entrants(5))
    assert hero is not None
    assert len(hero) == 6
    assert all(1 in table for table in hero)
    everybody = next_round("round_robin", Plan(3), entrants(5))
    assert everybody is not None
    assert len(everybody) == 10
    with pytest.raises(InvalidFormat, match="unknown"):
        next_round("swis", Plan(3), entrants(5))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_unknown_options_and_a_bot_twice_are_refused(name: str) -> None:
    with pytest.raises(InvalidFormat, match="unknown"):
        next_round(name, Plan(3, options={"colour": 1}), entrants(3))
    with pytest.raises(InvalidFormat, match="twice"):
        next_round(name, Plan(3), (*entrants(3), Entrant(Player("b1", 2))))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", sorted(name for name, found in FORMATS.items() if not found.board))
def test_tables_are_sets_of_distinct_bots_and_plans_repeat(name: str, seats: int) -> None:
    for bots in [seats] if name == "single" else [seats, 7, 12]:
        tables = next_round(name, Plan(seats), entrants(bots))
        assert tables is not None
        assert tables == next_round(name, Plan(seats), entrants(bots))
        assert all(len(set(t)) == seats and max(t) < bots for t in tables)
        assert len(set(tables)) == len(tables)


def test_bots_of_one_owner_do_not_meet_unless_told_or_the_houses() -> None:
    same = tuple(Entrant(Player(f"b{i}"), "ada" if i < 2 else f"o{i}") for i in range(4))
    tables = next_round("round_robin", Plan(3), same)
    assert tables is not None
    assert not any({0, 1} <= set(t) for t in tables)
    assert len(next_round("round_robin", Plan(3, owners_may_meet=True), same) or ()) == 4
    house = tuple(Entrant(Player(f"b{i}"), "house", house=True) for i in range(4))
    assert len(next_round("round_robin", Plan(3), house) or ()) == 4
    with pytest.raises(InvalidFormat, match="one owner"):
        next_round("round_robin", Plan(3), tuple(Entrant(Player(f"b{i}"), "ada") for i in range(4)))


def test_balanced_seatings_give_each_pair_each_pair_of_seats_once() -> None:
    orders = seat_orders(4, Seatings.BALANCED)
    assert len(orders) == 12
    pairs = [(order[a], order[b], a, b) for order in orders for a in range(4) for b in range(4) if a != b]
    assert len(pairs) == len(set(pairs)) == 144
    assert [len(seat_orders(n)) for n in (2, 3, 4)] == [2, 6, 24]


@pytest.mark.parametrize("bots", range(3, 61))
def test_balanced_lets_every_pair_meet_in_few_blocks(bots: int) -> None:
    tables = next_round("balanced", Plan(3), entrants(bots))
    assert tables is not None
    least = -(-bots * -(-(bots - 1) // 2) // 3)  # Schönheim's bound
    counts = count(range(bots), tables, 3)
    assert counts.per_pair[0] >= 6
    assert counts.per_pair[1] <= (6 if bots % 6 in (1, 3) else 24)
    assert least <= counts.blocks <= least + bots // 2


def test_balanced_plans_a_hundred_bots_in_the_fewest_blocks() -> None:
    assert len(next_round("balanced", Plan(3), entrants(100)) or ()) == 1667


@pytest.mark.parametrize("bots", [4, 5, 9, 16, 31, 60])
def test_balanced_tables_of_four_cover_all_pairs(bots: int) -> None:
    tables = next_round("balanced", Plan(4), entrants(bots))
    assert tables is not None
    counts = count(range(bots), tables, 4)
    assert counts.per_pair[0] >= 24
    assert counts.blocks <= max(1.35 * bots * (bots - 1) / 12, 6)


@pytest.mark.parametrize(("seats", "blocks"), [(2, 49_995_000), (3, 16_666_667), (4, 8_333_268)])
def test_balanced_plans_ten_thousand_bots_without_listing_tables(seats: int, blocks: int) -> None:
    begun = time.monotonic()
    plan = next_round("balanced", Plan(seats), entrants(10_000))
    counts = outlook("balanced", Plan(seats), entrants(10_000))
    assert time.monotonic() - begun < 30
    assert plan is not None
    assert len(plan) == counts.blocks == blocks
    assert counts.per_pair[0] == len(seat_orders(seats))
    near = plan[1_000_000:1_000_128]
    assert len({who for table in near for who in table}) > 0.9 * 128 * seats  # so that many can be played at once


@pytest.mark.parametrize("seats", [3, 4])
def test_balanced_counts_what_owners_leave_of_a_large_plan(seats: int) -> None:
    owned = tuple(Entrant(Player(f"b{i}"), f"o{i % 40}") for i in range(200))
    tables, said = next_round("balanced", Plan(seats), owned), outlook("balanced", Plan(seats), owned)
    assert tables is not None
    assert said == count([i % 40 for i in range(200)], tables, seats)
    assert said.per_pair[0] > 0
    assert said.blocks < 1.15 * 200 * 199 / seats / (seats - 1)


def test_balanced_refuses_more_kin_than_it_can_keep_apart() -> None:
    few = tuple(Entrant(Player(f"b{i}"), f"o{i % 4}") for i in range(3_000))
    with pytest.raises(InvalidFormat, match="pairs of bots have one owner"):
        next_round("balanced", Plan(3), few)
    assert next_round("balanced", Plan(3, owners_may_meet=True), few) is not None


def test_balanced_keeps_owners_apart_and_still_lets_all_others_meet() -> None:
    owned = tuple(Entrant(Player(f"b{i}"), f"o{i // 2}") for i in range(20))
    tables = next_round("balanced", Plan(3), owned)
    assert tables is not None
    met = {frozenset((a, b)) for t in tables for a in t for b in t if a != b}
    assert met == {frozenset((a, b)) for a in range(20) for b in range(20) if a // 2 != b // 2}

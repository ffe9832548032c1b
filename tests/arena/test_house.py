"""workers.arena.house: names of house bots are distinct, and each is a bot of the SDK."""

from thousand.bots import HOUSE_BOTS
from workers.arena.house import KINDS, house_names, kind_of


def test_every_kind_is_a_bot_of_the_sdk() -> None:
    assert set(KINDS) == set(HOUSE_BOTS)


def test_more_bots_are_more_of_each_kind_under_distinct_names() -> None:
    names = house_names(10)
    assert names[:4] == list(KINDS)
    assert names[4] == "counter-2"
    assert len(set(names)) == 10
    assert {kind_of(name) for name in names} == set(KINDS)

"""Everything random is a function of the seed; the quick shuffle is the specified one."""

import random

import pytest

from thousand.rules import CARDS, new_match, preset, seed_from_int
from thousand.rules import seeds as s


def slow_shuffle(seed: bytes, label: str) -> list[int]:
    """As proto/README tells it."""
    stream = s.words(seed, label)
    cards = list(range(24))
    for i in range(23, 0, -1):
        j = s.draw(stream, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def test_the_deck_is_the_specified_shuffle() -> None:
    for number in range(50):
        seed = seed_from_int(number)
        assert s.deck(seed, number, number % 3) == slow_shuffle(seed, f"deck/{number}/{number % 3}")


def test_words_that_may_be_rejected_are_drawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = seed_from_int(1)
    expected = s.deck(seed, 0, 0)
    monkeypatch.setattr(s, "_TOP", b"")
    assert s.deck(seed, 0, 0) == expected


def test_a_draw_rejects_the_last_incomplete_run() -> None:
    assert s.draw(iter([2**32 - 1, 7]), 24) == 7
    assert s.draw(iter([2**32 - 1]), 2) == 1


def test_decks_differ_and_are_whole() -> None:
    seed = seed_from_int(2)
    decks = {tuple(s.deck(seed, index, redeal)) for index in range(20) for redeal in range(3)}
    assert len(decks) == 60
    assert all(sorted(deck) == list(CARDS) for deck in decks)


def test_the_dummy_s_order_does_not_depend_on_the_order_given() -> None:
    hand = random.Random(1).sample(CARDS, 8)
    assert s.dummy_order(seed_from_int(3), 1, 0, hand) == s.dummy_order(seed_from_int(3), 1, 0, sorted(hand))


def test_every_seat_is_dealt_first_as_often() -> None:
    dealers = [s.first_dealer(seed_from_int(n), 3) for n in range(600)]
    assert all(150 < dealers.count(seat) < 250 for seat in range(3))


def test_bot_seeds_are_64_bits_and_differ() -> None:
    drawn = {s.bot_seed(seed_from_int(4), seat, table) for seat in range(4) for table in range(3)}
    assert len(drawn) == 12
    assert all(0 <= number < 2**64 for number in drawn)


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        new_match(preset("tournament"), b"short")

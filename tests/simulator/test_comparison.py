"""Comparison of two bots: same cards, same seats, isolated, an interval that holds whenever one stops."""

import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

import pytest

from thousand.bot import Bot
from thousand.bots import HOUSE_BOTS
from thousand.comparison import (
    ALIKE,
    BATCH,
    LEAST,
    compare,
    deck_games,
    known,
    paired,
    sequential_interval,
    verdict,
)
from thousand.rules import PRESETS, Action, View, one_deal, preset
from thousand.simulator import BotFault, Score, SimulationError, play_games

COUNTER, CAUTIOUS, GREEDY, RANDOM = (HOUSE_BOTS[name] for name in ("counter", "cautious", "greedy", "random"))


def test_the_better_bot_is_found_and_said_so() -> None:
    found = compare(COUNTER, RANDOM, [CAUTIOUS, CAUTIOUS], seed=1, names=("mine", "random", "c", "c"))
    assert found.difference > found.half > 0
    assert found.decks <= 160
    assert found.verdict.startswith("mine is better than random by ")
    turned = compare(RANDOM, COUNTER, [CAUTIOUS, CAUTIOUS], seed=1)
    assert turned.difference == pytest.approx(-found.difference)
    assert turned.verdict.startswith("CounterBot is better than RandomBot")


def test_a_bot_is_no_better_than_itself() -> None:
    found = compare(COUNTER, COUNTER, [GREEDY], preset("headon"), seed=1)
    assert (found.difference, found.half, found.decks) == (0.0, 0.0, ALIKE)
    assert "alike" in found.verdict


def test_it_gives_up_at_the_limit_and_at_the_precision_asked_for() -> None:
    found = compare(GREEDY, CAUTIOUS, [RANDOM], preset("headon"), seed=1, max_decks=5)
    assert (found.decks, found.deals) == (5, 10)
    narrow = compare(GREEDY, CAUTIOUS, [RANDOM], preset("headon"), seed=1, precision=1000.0)
    assert narrow.decks == LEAST


def test_the_field_must_fit() -> None:
    with pytest.raises(SimulationError, match="field needs 2"):
        compare(COUNTER, GREEDY, [RANDOM])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_get_the_same_deck_seat_and_field_and_all_seats_come_alike(players: int) -> None:
    orders = []
    for deck in range(24):
        mine, theirs = deck_games(5, deck, players)
        assert mine.seed == theirs.seed
        assert sorted(mine.order) == [0, *range(2, players + 1)]
        assert [1 if place == 0 else place for place in mine.order] == list(theirs.order)
        orders.append(mine.order)
    assert len({deck_games(5, deck, players)[0].seed for deck in range(24)}) == 24
    wanted = len(list(permutations(range(players))))
    assert len(set(orders)) == wanted
    assert {orders.count(order) for order in orders} == {24 // wanted}


class Mixed(Bot):
    """Plays as one house bot or the other, by lot: of the same strength as any other that does."""

    lot = ""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        bot = (COUNTER, GREEDY)[random.Random(f"{self.lot}/{self.start.bot_seed}").randrange(2)]()
        bot.start = self.start
        answer = bot.decide(view, actions)
        assert isinstance(answer, Action)
        return answer


class Heads(Mixed):
    """One of them."""

    lot = "heads"


class Tails(Mixed):
    """Another of the same strength."""

    lot = "tails"


@pytest.fixture(scope="module")
def even() -> list[float]:
    """Paired differences of two bots of equal strength that play differently, on 600 decks; mean taken out."""
    games = [game for deck in range(600) for game in deck_games(3, deck, 3)]
    bots = (Heads, Tails, GREEDY, CAUTIOUS)
    found = paired(list(play_games(bots, ["h", "t", "g", "c"], one_deal(PRESETS["tournament"]), games, 2)))
    return [d - sum(found) / len(found) for d in found]


def wrong(draw: Callable[[], float], mean: float, trials: int, decks: int = 2000) -> float:
    """In which share of comparisons that stop when they know, or after so many decks, the interval misses `mean`."""
    missed = 0
    for _ in range(trials):
        for values in growing(draw, decks):
            middle, half = sequential_interval(values)
            if known(middle, half, len(values)):
                break
        missed += abs(middle - mean) > half
    return missed / trials


def growing(draw: Callable[[], float], decks: int) -> Iterator[list[float]]:
    """The differences at each look."""
    values: list[float] = []
    while len(values) < decks:
        values += [draw() for _ in range(BATCH)]
        yield values


def test_equal_bots_are_told_apart_by_mistake_in_at_most_5_percent(even: list[float]) -> None:
    luck = random.Random(5)
    assert sum(d != 0 for d in even) > 100
    assert wrong(lambda: luck.choice(even), 0.0, 300) <= 0.05
    assert wrong(lambda: luck.gauss(0, 60), 0.0, 300) <= 0.05


def test_the_interval_holds_the_true_difference_in_95_percent_where_it_stops(even: list[float]) -> None:
    luck = random.Random(6)
    for true in (4.0, 12.0):
        assert wrong(lambda true=true: luck.choice(even) + true, true, 300) <= 0.05  # type: ignore[misc]


def test_a_bot_that_wins_little_and_seldom_loses_much_is_not_taken_for_better() -> None:
    luck = random.Random(7)
    assert wrong(lambda: 10.0 if luck.random() < 0.95 else -190.0, 0.0, 400) <= 0.05


def test_the_sentence_says_what_is_known() -> None:
    assert verdict("a", "b", 11.24, 9.8, 100) == "a is better than b by 11.2 ± 9.8 points a deal (95 %)"
    assert verdict("a", "b", -11.24, 9.8, 100).startswith("b is better than a by 11.2")
    assert "no difference shown, -1.5 ± 2.5 points a deal (95 %) after 9 decks" in verdict("a", "b", -1.5, 2.5, 9)
    assert verdict("a", "b", 0.0, 0.0, 400) == "a and b score alike on every one of 400 decks"
    assert "nothing is known" in verdict("a", "b", 0.0, float("inf"), 0)


MEMORY: dict[object, int] = {}


class Rememberer(Bot):
    """Counts, beyond its own life, how often it was dealt a hand; fails if it ever meets a deck again."""

    def on_start(self) -> None:
        self.looked = False

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        if not self.looked:
            self.looked = True
            MEMORY[view.hand] = MEMORY.get(view.hand, 0) + 1
            if MEMORY[view.hand] > 1:
                raise RuntimeError(f"{view.hand} again")
        return actions[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes to isolate in")
def test_no_process_meets_a_deck_twice_whatever_its_bots_remember() -> None:
    bots = [Rememberer] * 4
    games = [game for deck in range(20) for game in deck_games(1, deck, 3)]
    rules = one_deal(PRESETS["tournament"])
    scores = list(play_games(bots, "abcd", rules, games, 2))
    assert [score.game for score in scores] == games
    assert not MEMORY  # nothing came back from where they played
    with pytest.raises(BotFault, match="again"):
        list(play_games(bots, "abcd", rules, games, 0))
    MEMORY.clear()


class Leaver(Bot):
    """Ends its process."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        os._exit(7)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes to isolate in")
def test_a_bot_that_fails_in_its_process_is_named_here() -> None:
    games = list(deck_games(1, 0, 3))
    rules = one_deal(PRESETS["tournament"])

    def played(bot: type[Bot]) -> list[Score]:
        return list(play_games([bot, RANDOM, RANDOM, RANDOM], ["mine", "x", "y", "z"], rules, games, 2))

    with pytest.raises(BotFault, match="exit code 7"):
        played(Leaver)
    with pytest.raises(BotFault, match=r"mine .* nothing"):
        played(Raiser)
    with pytest.raises(BotFault, match=r"mine .* SystemExit: 3"):
        played(Quitter)


class Raiser(Bot):
    """Raises."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        raise ValueError("nothing")


class Quitter(Bot):
    """Asks its process to end."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        sys.exit(3)

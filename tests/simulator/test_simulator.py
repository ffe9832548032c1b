"""The simulator: fair by construction, loud about faults, the same for a seed."""

import asyncio
from collections.abc import Sequence
from itertools import permutations

import pytest

from thousand.bot import Bot
from thousand.bots import HOUSE_BOTS
from thousand.bots.habits import of_kind
from thousand.rules import PRESETS, MatchResult, preset, ruleset_from, seed_from_int
from thousand.rules.actions import PASS, Action, ActionKind
from thousand.rules.view import View
from thousand.simulator import BotFault, SimulationError, play_match, ratio, simulate, student_95

COUNTER, CAUTIOUS, RANDOM = (HOUSE_BOTS[name] for name in ("counter", "cautious", "random"))


class Passer(Bot):
    """Passes whenever it can, and throws its lowest card: made to lose."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        if PASS in actions:
            return PASS
        plays = of_kind(actions, ActionKind.PLAY)
        return min(plays, key=lambda action: (action.announce, action.card or 0)) if plays else actions[0]


class Scripted(Bot):
    """Bids and wins by script against passers: takes the talon at the lowest bid, leads its best cards."""

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        answer = COUNTER().decide(view, actions)
        assert isinstance(answer, Action)
        return answer


def test_b12_the_result_is_the_bot_s_whatever_its_seat() -> None:
    """The same deck in all seat orders: whoever is made to win is credited, not the seat it was listed at."""
    for order in permutations((Scripted, Passer, Passer)):
        result = simulate(order, decks=25, seed=3)
        best = max(range(3), key=lambda place: result.bots[place].points_per_deal)
        assert order[best] is Scripted
        assert result.bots[best].bot == "Scripted"


def test_b12_whole_matches_too() -> None:
    result = simulate((Passer, Scripted, Passer), matches=6, seed=1)
    assert result.bots[1].places[0] == 6


@pytest.mark.parametrize("name", ["tournament", "classic-2", "classic-4", "intro-dummy"])
def test_b36_identical_bots_score_alike(name: str) -> None:
    rules = PRESETS[name]
    result = simulate([COUNTER] * rules.players, rules, decks=4, seed=5)
    assert len({bot.points_per_deal for bot in result.bots}) == 1
    assert len({bot.places for bot in result.bots}) == 1
    assert len({bot.deals for bot in result.bots}) == 1
    assert len(result.seats) == rules.players


def test_points_of_bots_and_seats_are_the_same_points() -> None:
    result = simulate((COUNTER, CAUTIOUS, RANDOM), decks=5, seed=2)
    assert result.deals == 30
    assert sum(bot.points_per_deal for bot in result.bots) == pytest.approx(sum(result.seats))


def test_a_seed_gives_the_same_figures_with_any_number_of_processes() -> None:
    one = simulate((COUNTER, CAUTIOUS, RANDOM), decks=4, seed=11)
    assert one == simulate((COUNTER, CAUTIOUS, RANDOM), decks=4, seed=11, processes=2)
    assert one != simulate((COUNTER, CAUTIOUS, RANDOM), decks=4, seed=12)


def test_matches_have_their_own_decks_and_every_seat_order() -> None:
    result = simulate((COUNTER, CAUTIOUS), preset("headon"), matches=4, seed=1)
    assert result.matches == 4
    assert sum(result.bots[0].places) == 4


@pytest.mark.parametrize(
    ("bots", "decks", "matches", "told"),
    [(2, 1, 0, "seats 3"), (4, 1, 0, "seats 3"), (3, 0, 0, "either"), (3, 1, 1, "either"), (3, -1, 0, "either")],
)
def test_what_makes_no_simulation(bots: int, decks: int, matches: int, told: str) -> None:
    with pytest.raises(SimulationError, match=told):
        simulate([RANDOM] * bots, decks=decks, matches=matches)


class Crasher(Bot):
    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        raise ZeroDivisionError("oops")


class Cheat(Bot):
    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        return Action(ActionKind.BID, amount=555)


class Nothing(Bot):
    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        return None  # type: ignore[return-value]  # the fault under test


@pytest.mark.parametrize(
    ("bot", "told"), [(Crasher, "Crasher .*oops"), (Cheat, "Cheat .*'bid 555'"), (Nothing, "Nothing .*'None'")]
)
def test_a_bot_s_fault_is_named(bot: type[Bot], told: str) -> None:
    with pytest.raises(BotFault, match=told):
        simulate([bot, RANDOM, RANDOM], decks=1)


class Slow(Bot):
    """Async, and told of the beginning and the end."""

    log: list[str]

    def on_start(self) -> None:
        self.log = [f"seat {self.start.seat}"]

    async def decide(self, view: View, actions: Sequence[Action]) -> Action:
        await asyncio.sleep(0)
        return actions[0]

    def on_finish(self, result: MatchResult) -> None:
        self.log.append(f"{result.deals} deals")


def test_async_bots_and_hooks() -> None:
    rules = ruleset_from("tournament", {"max_deals": 1})
    bots = [Slow(), Slow(), Slow()]
    play_match(bots, rules, seed_from_int(1))
    assert [bot.log for bot in bots] == [[f"seat {seat}", "1 deals"] for seat in range(3)]


def test_interval_of_a_ratio() -> None:
    mean, half = ratio([(10, 1), (20, 1), (30, 1)])
    assert mean == 20
    assert half == pytest.approx(4.303 * 10 / 3**0.5, rel=1e-3)
    assert ratio([(10, 2)]) == (5, None)


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_student(freedom: int, expected: float) -> None:
    assert student_95(freedom) == pytest.approx(expected, abs=0.01)

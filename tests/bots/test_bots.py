"""Every house bot, by iterating over the registry: legal everywhere, stateless, quick."""

import time
from collections.abc import Sequence

import pytest

from tests.support.matches import short_record
from thousand.bot import Bot, MatchStart
from thousand.bots import HOUSE_BOTS, house_bot
from thousand.bots.random import RandomBot
from thousand.record import replay, restore
from thousand.rules import PRESETS, bot_seed, decision, preset, ruleset_from, seed_from_int, view
from thousand.rules.actions import Action
from thousand.rules.view import View
from thousand.simulator import play_match, simulate


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("bot", HOUSE_BOTS)
def test_plays_every_preset_legally(bot: str, name: str) -> None:
    record = short_record(name, seed=3, deals=3, bots=(bot,) * 4)
    assert record.result is not None


@pytest.mark.parametrize("name", PRESETS)
def test_plays_whole_matches_to_their_end(name: str) -> None:
    rules = PRESETS[name]
    mixed = [*HOUSE_BOTS.values()][-rules.players :]
    for bots in (mixed, [HOUSE_BOTS["counter"]] * rules.players):
        record = play_match([bot() for bot in bots], rules, seed_from_int(4))
        assert replay(record).result == record.result is not None
        assert not record.strikes


@pytest.mark.parametrize("bot", HOUSE_BOTS)
def test_answers_the_same_after_a_restart(bot: str) -> None:
    """A fresh instance that knows only the start and the view gives the answer in the record."""
    record = short_record("tournament", deals=2, bots=(bot,) * 4)
    for number, entry in enumerate(record.journal):
        match = restore(record.ruleset, record.seed, record.journal[:number])
        asked = decision(match)
        assert asked is not None
        fresh = house_bot(bot)()
        fresh.start = MatchStart(record.ruleset, asked.seat, bot_seed(record.seed, asked.seat), resumed=True)
        assert fresh.decide(view(match, asked.seat), asked.actions) == entry.action


def test_randomness_is_the_match_s_own() -> None:
    records = [short_record("tournament", bots=("random",) * 4) for _ in range(2)]
    assert records[0] == records[1]
    assert records[0] != short_record("tournament", seed=9, bots=("random",) * 4)


class _Timed(Bot):
    """Measures another bot."""

    spent = 0.0
    decisions = 0

    def __init__(self) -> None:
        self.inner = HOUSE_BOTS["counter"]()

    def decide(self, view: View, actions: Sequence[Action]) -> Action:
        self.inner.start = self.start
        began = time.thread_time()
        answer = self.inner.decide(view, actions)
        _Timed.spent += time.thread_time() - began
        _Timed.decisions += 1
        assert isinstance(answer, Action)
        return answer


def test_a_decision_takes_less_than_a_millisecond() -> None:
    simulate([_Timed, _Timed, _Timed], decks=5)
    assert _Timed.spent / _Timed.decisions < 0.001


def test_unknown_house_bot() -> None:
    with pytest.raises(KeyError, match="counter"):
        house_bot("nobody")


def test_never_bids_blind() -> None:
    rules = ruleset_from(preset("preferans-full"), {"max_deals": 6})
    record = play_match([HOUSE_BOTS["counter"]() for _ in range(3)], rules, seed_from_int(1))
    assert not any(entry.action.kind.value == "blind" for entry in record.journal)


def test_random_is_a_bot() -> None:
    assert HOUSE_BOTS["random"] is RandomBot

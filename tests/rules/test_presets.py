"""The presets are data, frozen: a rated match must never change under a bot."""

import json
from pathlib import Path

import pytest

from tests.conftest import Golden
from thousand.rules.errors import InvalidRuleset
from thousand.rules.presets import PRESETS, preset, ruleset_from
from thousand.rules.ruleset import Ruleset

FROZEN = Path(__file__).parent / "presets.json"


def test_presets_are_frozen(golden: Golden) -> None:
    text = json.dumps({name: PRESETS[name].to_dict() for name in sorted(PRESETS)}, indent=1, sort_keys=True)
    golden.check(FROZEN, text + "\n")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_valid_and_round_trips(name: str) -> None:
    assert Ruleset.from_dict(PRESETS[name].to_dict()) == PRESETS[name]
    assert ruleset_from(name, {}) == PRESETS[name]


def test_tournament_is_browser_by_value() -> None:
    assert preset("tournament") == preset("browser")


def test_there_are_26_presets_for_two_three_and_four() -> None:
    assert len(PRESETS) == 26
    assert {ruleset.players for ruleset in PRESETS.values()} == {2, 3, 4}


def test_an_unknown_preset_is_refused_with_the_closest() -> None:
    with pytest.raises(InvalidRuleset, match="there is no preset 'clasic'; did you mean 'classic'"):
        preset("clasic")


def test_presets_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["mine"] = Ruleset()  # type: ignore[index]  # the point of the test

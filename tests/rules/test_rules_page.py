"""sdk/RULES.md and the code agree: its tables are made by the commands it names."""

import re
from pathlib import Path

import pytest

from tests.support.dsl import deal, in_turn, legal, play
from thousand.rules import Action
from thousand.rules.catalogue import CATALOGUE
from thousand.rules.presets import PRESETS
from thousand.ruletables import difference, option_rows, options_markdown, preset_rows, presets_markdown

PAGE = Path(__file__).parents[2] / "sdk" / "RULES.md"


def filled(text: str, name: str, table: str) -> str:
    """The page with a table between its marks."""
    mark = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end -->)", re.DOTALL)
    assert mark.search(text), f"the page has no table of {name}"
    return mark.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", text)


def test_the_page_shows_the_options_and_presets_of_the_code(request: pytest.FixtureRequest) -> None:
    text = PAGE.read_text(encoding="utf-8")
    wanted = filled(filled(text, "options", options_markdown("tournament")), "presets", presets_markdown())
    if request.config.getoption("--update"):
        PAGE.write_text(wanted, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == wanted, "run pytest with --update"


def test_the_page_has_the_sections_that_comments_cite() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^## (\d)\.", text, re.MULTILINE) == ["1", "2", "3", "4", "5", "6", "7"]
    assert re.findall(r"^(\d+)\. ", text, re.MULTILINE) == [str(step) for step in range(1, 17)]


def test_the_whole_deal_of_the_page_is_played_as_written() -> None:
    page = PAGE.read_text(encoding="utf-8")
    block = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert block
    lines = block[1].splitlines()
    held = [line.partition(" holds ")[2] for line in lines[:3]]
    match = deal("browser", hands=" | ".join(held), talon=lines[3].removeprefix("talon"), scores=[300, 455, 120])
    for line in lines[4:-1]:
        spoken = re.match(r"(\d): (\S+(?: [A-Z0-9>]+!?)*)(?:  |$)", line)
        assert spoken, line
        assert in_turn(match)[0] == int(spoken[1]), line
        assert str(Action.parse(spoken[2])) in legal(match), line
        play(match, spoken[2])
    assert match.standings.scores == [int(word) for word in lines[-1].split()[1:4]]


def test_every_option_has_a_row_with_its_default_first() -> None:
    rows = list(option_rows(PRESETS["tournament"]))
    assert [row.name for row in rows] == list(CATALOGUE)
    values = {row.name: row.values for row in rows}
    assert values["two_player"].startswith("none · talon_2")
    assert values["max_bid"] == "300 · 5 to 600 that is a multiple of 5"
    assert values["bank"].startswith("100 · ")
    assert values["blind_hides"] == "talon+pass · any of talon, pass"
    assert values["redeal_low_hand"] == "none · any of before_auction, after_pass"
    assert values["early_pass"] == "off · on"
    assert values["barrel_at"] == "880 · 900 · 800 · none"


def test_every_preset_has_a_row() -> None:
    assert [row.name for row in preset_rows()] == list(PRESETS)
    assert all(row.source for row in preset_rows())


def test_difference() -> None:
    assert difference(PRESETS["classic"], PRESETS["classic-2"]) == [
        ("players", 3, 2),
        ("two_player", "none", "two_talons_of_2"),
    ]
    assert difference(PRESETS["browser"], PRESETS["tournament"]) == []

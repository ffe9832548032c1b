"""The README's bot is what it says: short, and plays."""

import re
from pathlib import Path

from thousand import Bot
from thousand.rules import PRESETS, apply, decision, new_match, seed_from_int, view

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_bot_is_at_most_fifteen_lines_and_plays_a_match() -> None:
    found = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert found is not None
    code = found[1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    names: dict[str, object] = {"__name__": "readme"}
    exec(compile(code, "README.md", "exec"), names)
    cheap = names["Cheap"]
    assert isinstance(cheap, type)
    assert issubclass(cheap, Bot)
    bot = cheap()
    match = new_match(PRESETS["tournament"], seed_from_int(1))
    for _ in range(500):
        asked = decision(match)
        if asked is None:
            break
        answer = bot.decide(view(match, asked.seat), list(asked.actions))
        assert answer in asked.actions
        apply(match, answer)

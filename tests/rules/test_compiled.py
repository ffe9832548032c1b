"""The compiled rules play what the sources play: the same events and results from the same seeds under every preset."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from thousand import compiled

_PLAY: Final = """
import hashlib, random
from thousand import compiled
from thousand.rules import PRESETS, apply, decision, legal_actions, opened, seed_from_int
for name in sorted(PRESETS):
    told = hashlib.sha256()
    chance = random.Random(name)
    match, events = opened(PRESETS[name], seed_from_int(7))
    for _ in range(1500):
        told.update(repr((events, legal_actions(match))).encode())
        asked = decision(match)
        if asked is None:
            break
        told.update(repr(asked).encode())
        events = apply(match, chance.choice(asked.actions))
    print(name, told.hexdigest(), match.standings.scores)
print(compiled.in_use())
"""


def _played(pure: bool) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != compiled.PURE}
    if pure:
        environment[compiled.PURE] = "1"
    command = [sys.executable, "-c", _PLAY]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=50)
    return done.stdout.splitlines()


@pytest.mark.skipif(not compiled.RULES.build().is_dir(), reason="not compiled: run make compiled")
def test_the_compiled_rules_play_the_same_matches() -> None:
    *fast, is_compiled = _played(pure=False)
    *plain, is_pure = _played(pure=True)
    assert (is_compiled, is_pure) == ("True", "False")
    assert fast == plain


def test_a_build_is_found_by_its_sources_alone(tmp_path: Path) -> None:
    package = compiled.Package("some", tmp_path, tmp_path / "builds")
    (tmp_path / "match.py").write_text("old = 1\n")
    before = package.build()
    (tmp_path / "match.py").write_text("new = 1\n")
    assert package.build() != before

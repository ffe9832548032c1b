"""The compiled referee does what its sources do: its own tests pass with it, in a process that imports it first."""

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

import pytest

from referee import PACKAGE
from thousand import compiled

_ROOT: Final = Path(__file__).parents[2]
_RUN: Final = """
import sys
import referee, pytest
from referee import frames, sessions, table
from thousand.rules import match
for module in (frames, sessions, table, match):
    assert not module.__file__.endswith(".py"), module.__file__
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *sys.argv[1:]]))
"""


@pytest.mark.skipif(not PACKAGE.build().is_dir(), reason="not compiled: run make compiled")
@pytest.mark.parametrize("tests", ["test_answers.py", "test_chunks.py", "test_table.py", "test_secrecy.py"])
def test_the_compiled_referee_passes_its_tests(tests: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != compiled.PURE}
    command = [sys.executable, "-c", _RUN, f"tests/referee/{tests}"]
    done = subprocess.run(command, cwd=_ROOT, env=environment, check=False, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_a_build_of_two_packages_is_found_by_the_sources_of_both(tmp_path: Path) -> None:
    for name in ("rules", "tables"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "some.py").write_text("old = 1\n")
    rules = compiled.Package("rules", tmp_path / "rules", tmp_path / "builds")
    tables = compiled.Package("tables", tmp_path / "tables", tmp_path / "builds", including=rules)
    before = tables.build()
    assert before != rules.build()
    (tmp_path / "rules" / "some.py").write_text("new = 1\n")
    assert tables.build() != before


def test_modules_of_a_build_are_taken_together_or_not_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = compiled.Package("json", tmp_path, tmp_path / "builds")
    (tmp_path / "some.py").touch()
    suffix = EXTENSION_SUFFIXES[0]
    (package.build() / "json").mkdir(parents=True)
    (package.build() / "json" / f"not_yet{suffix}").touch()
    monkeypatch.delenv(compiled.PURE, raising=False)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    compiled.prefer(package)
    assert compiled.in_use(package)
    monkeypatch.setattr(sys, "meta_path", [f for f in sys.meta_path if not isinstance(f, compiled.Finder)])
    (package.build() / "json" / f"decoder{suffix}").touch()  # which every process of ours has imported
    compiled.prefer(package)
    assert not compiled.in_use(package)

"""Prefers the rules compiled to machine code, where `thousand.compiling` has built them from exactly these sources.

Law: a build is found by a digest of all of the sources of `thousand.rules`, so one that is out of date is never run.
"""

import hashlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

RULES: Final = Path(__file__).parent / "rules"
BUILDS: Final = Path(__file__).parent / "__compiled__"  # beside the sources, like __pycache__
PURE: Final = "THOUSAND_PURE"  # set to anything: run the sources


def build_of_sources() -> Path:
    """Where the build of the sources as they are now belongs, whether it is there or not."""
    digest = hashlib.sha256()
    for source in sorted(RULES.glob("*.py")):
        content = source.read_bytes()
        digest.update(f"{source.name} {len(content)}\n".encode() + content)
    return BUILDS / f"{sys.implementation.cache_tag}-{digest.hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds the compiled modules of a build before Python looks for their sources."""

    modules: dict[str, Path]  # by full name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module in the build, if it is one of its."""
        found = self.modules.get(fullname)
        return None if found is None else spec_from_file_location(fullname, found)


def modules_of(build: Path) -> dict[str, Path]:
    """The extension modules in a build, by full name."""
    suffix = EXTENSION_SUFFIXES[0]
    found = (file.relative_to(build) for file in build.rglob(f"*{suffix}"))
    return {".".join(file.parts).removesuffix(suffix): build / file for file in found}


def prefer() -> None:
    """Run the compiled rules from here on, if there are any; to be called before `thousand.rules` is imported."""
    if BUILDS.is_dir() and not os.environ.get(PURE):
        modules = modules_of(build_of_sources())
        if modules:
            sys.meta_path.insert(0, Finder(modules))


def in_use() -> bool:
    """Whether this process runs the compiled rules."""
    return any(isinstance(finder, Finder) for finder in sys.meta_path)


prefer()

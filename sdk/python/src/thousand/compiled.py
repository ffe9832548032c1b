"""Prefers modules compiled to machine code, where `thousand.compiling` has built them from exactly these sources.

Law: a build is found by a digest of all of the sources of its package, so one that is out of date is never run.
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

PURE: Final = "THOUSAND_PURE"  # set to anything: run the sources


@dataclass(frozen=True, slots=True)
class Package:
    """A package some of whose modules may be compiled. `builds`: a folder near the sources, like __pycache__.

    `including`: another package compiled into the same build, which this one's code then calls directly.
    """

    name: str
    sources: Path
    builds: Path
    including: "Package | None" = None

    def build(self) -> Path:
        """Where the build of the sources as they are now belongs, whether it is there or not."""
        digest = hashlib.sha256()
        others = () if self.including is None else self.including.sources.glob("*.py")
        for source in (*sorted(self.sources.glob("*.py")), *sorted(others)):
            content = source.read_bytes()
            digest.update(f"{source.name} {len(content)}\n".encode() + content)
        return self.builds / f"{sys.implementation.cache_tag}-{digest.hexdigest()[:16]}"


RULES: Final = Package("thousand.rules", Path(__file__).parent / "rules", Path(__file__).parent / "__compiled__")


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds the compiled modules of a build before Python looks for their sources."""

    package: Package
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


def prefer(package: Package) -> None:
    """Run the package's compiled modules from here on, if there are any, and none of them is imported yet.

    Modules of one build know each other's insides: all of them are taken from it, or none.
    """
    if package.builds.is_dir() and not os.environ.get(PURE):
        modules = modules_of(package.build())
        if modules and sys.modules.keys().isdisjoint(modules):
            sys.meta_path.insert(0, Finder(package, modules))


def in_use(package: Package = RULES) -> bool:
    """Whether this process runs the package compiled."""
    return any(isinstance(finder, Finder) and finder.package == package for finder in sys.meta_path)


prefer(RULES)

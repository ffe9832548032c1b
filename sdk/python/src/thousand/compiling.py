"""Compiles the rules with mypyc: `python -m thousand.compiling`, or `--remove` to take all builds away.

It needs mypy, setuptools and a C compiler. `thousand.compiled` finds the build; one of other sources is removed here.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thousand.compiled import RULES, Package

_SETUP: Final = """
from setuptools import setup
from mypyc.build import mypycify
import sys
options = ["--config-file=", "--follow-imports=silent"]
setup(name="compiled", packages=[], ext_modules=mypycify(options + sys.argv[3:], opt_level="2", debug_level="0"),
      script_args=["--quiet", "build_ext", "--build-lib", sys.argv[1], "--build-temp", sys.argv[2]])
"""


@dataclass(frozen=True, slots=True)
class Target:
    """What to compile: these modules, by full name. `lay_out` puts what they need into an empty folder."""

    package: Package
    modules: tuple[str, ...]
    lay_out: Callable[[Path], None]


def in_package(package: Package, *modules: str) -> tuple[str, ...]:
    """The full names of modules of a package."""
    return tuple(f"{package.name}.{module}" for module in modules)


def copy_sources(source: Path, to: Path, *without: str) -> None:
    """A package's folder, without what Python or we have made in it."""
    shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__", "__compiled__", *without))


def _rules_alone(work: Path) -> None:
    copy_sources(RULES.sources, work / "thousand" / "rules")
    (work / "thousand" / "__init__.py").touch()


# Where the time of a match goes. `card` cannot be compiled (it is an int); the rest is read once, or asked by people.
TARGET: Final = Target(
    RULES,
    in_package(
        RULES,
        "actions", "auction", "barrel", "cards", "contracting", "cut", "dealing", "ending", "match", "pack",
        "passing", "phases", "playing", "redeal", "ruleset", "scoring", "seeds", "sheet", "standings", "state", "talon",
        "tuples",
    ),
    _rules_alone,
)  # fmt: skip


def build(target: Target) -> Path:
    """Compile the sources as they are now, if that is not done yet. Raises CalledProcessError with what failed."""
    package = target.package
    wanted = package.build()
    if wanted.is_dir():
        return wanted
    with tempfile.TemporaryDirectory() as name:  # elsewhere: mypy reads the settings of the folders above
        work, made = Path(name) / "work", Path(name) / "made"
        work.mkdir()
        target.lay_out(work)
        files = [module.replace(".", "/") + ".py" for module in target.modules]
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
        command = [sys.executable, "-c", _SETUP, str(made), str(work / "temp"), *files]
        subprocess.run(command, cwd=work, env=environment, check=True, capture_output=True, text=True)
        package.builds.mkdir(exist_ok=True)
        beside = package.builds / f"{wanted.name}.{os.getpid()}"
        shutil.copytree(made, beside)
        if wanted == package.build():  # nobody has changed them meanwhile
            beside.rename(wanted)
    return wanted


def remove(package: Package, keep: Path | None = None) -> None:
    """Remove all builds but one."""
    for found in package.builds.glob("*"):
        if found != keep:
            shutil.rmtree(found, ignore_errors=True)


def main(target: Target = TARGET) -> int:
    """Build, or remove what was built; says what it did."""
    name = target.package.name
    command = f"python -m {name.removesuffix('.rules')}.compiling"
    parser = argparse.ArgumentParser(
        prog=command,
        description=f"Compile {name}: the same, twice as fast. Needs mypy, setuptools and a C compiler.",
        epilog=f"Example: {command} --remove",
        allow_abbrev=False,
    )
    parser.add_argument("--remove", action="store_true", help="remove what was compiled: run the sources again")
    if parser.parse_args().remove:
        remove(target.package)
        print(f"{name} runs as Python")
        return 0
    try:
        built = build(target)
    except subprocess.CalledProcessError as error:
        lines = f"{error.stdout}\n{error.stderr}".strip().splitlines()
        print(f"{name} runs as Python, it could not be compiled:", *lines[-5:], sep="\n  ", file=sys.stderr)
        return 1
    remove(target.package, keep=built)
    print(f"{name} runs compiled: {built}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

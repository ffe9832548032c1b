"""Compiles the rules with mypyc: `python -m thousand.compiling`, or `--remove` to take all builds away.

It needs mypy, setuptools and a C compiler. `thousand.compiled` finds the build; one of other sources is removed here.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from thousand.compiled import BUILDS, RULES, build_of_sources

# Where the time of a match goes. `card` cannot be compiled (it is an int), nor `ruleset` (it is pickled); the rest is
# read once, or asked by people.
MODULES: Final = (
    "actions", "auction", "barrel", "cards", "contracting", "cut", "dealing", "ending", "match", "pack",
    "passing", "phases", "playing", "redeal", "scoring", "seeds", "sheet", "standings", "state", "talon",
    "tuples",
)  # fmt: skip
_SETUP: Final = """
from setuptools import setup
from mypyc.build import mypycify
import sys
setup(name="rules", packages=[], ext_modules=mypycify(sys.argv[3:], opt_level="2", debug_level="0"),
      script_args=["--quiet", "build_ext", "--build-lib", sys.argv[1], "--build-temp", sys.argv[2]])
"""


def build() -> Path:
    """Compile the sources as they are now, if that is not done yet. Raises CalledProcessError with what failed."""
    wanted = build_of_sources()
    if wanted.is_dir():
        return wanted
    with tempfile.TemporaryDirectory() as name:  # elsewhere: mypy reads the settings of the folders above
        work, made = Path(name) / "work", Path(name) / "made"
        shutil.copytree(RULES, work / "thousand" / "rules", ignore=shutil.ignore_patterns("__pycache__"))
        (work / "thousand" / "__init__.py").touch()
        files = [f"thousand/rules/{module}.py" for module in MODULES]
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
        command = [sys.executable, "-c", _SETUP, str(made), str(work / "temp"), "--config-file=", *files]
        subprocess.run(command, cwd=work, env=environment, check=True, capture_output=True, text=True)
        BUILDS.mkdir(exist_ok=True)
        beside = BUILDS / f"{wanted.name}.{os.getpid()}"
        shutil.copytree(made, beside)
        if wanted == build_of_sources():  # nobody has changed them meanwhile
            beside.rename(wanted)
    return wanted


def remove(keep: Path | None = None) -> None:
    """Remove all builds but one."""
    for found in BUILDS.glob("*"):
        if found != keep:
            shutil.rmtree(found, ignore_errors=True)


def main() -> int:
    """Build, or remove what was built; says what it did."""
    if "--remove" in sys.argv[1:]:
        remove()
        print("the rules run as Python")
        return 0
    try:
        built = build()
    except subprocess.CalledProcessError as error:
        lines = f"{error.stdout}\n{error.stderr}".strip().splitlines()
        print("the rules run as Python, they could not be compiled:", *lines[-5:], sep="\n  ", file=sys.stderr)
        return 1
    remove(keep=built)
    print(f"the rules run compiled: {built}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

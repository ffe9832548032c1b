"""Compiles what a referee does for every decision, the rules with it, so that its tables call them directly:
`python -m referee.compiling`; see `thousand.compiling`.
"""

import sys
from pathlib import Path
from typing import Final

import thousand
from referee import PACKAGE
from thousand.compiling import TARGET as RULES_TARGET
from thousand.compiling import Target, copy_sources, in_package, main


def _with_what_it_imports(work: Path) -> None:
    copy_sources(PACKAGE.sources, work / "referee")
    # Stubs of services: mypy takes all memory over their overloads, and nothing compiled needs them.
    copy_sources(Path(thousand.__file__).parent, work / "thousand", "*_pb2_grpc.pyi")


_MODULES: Final = in_package(
    PACKAGE,
    "answers", "chunks", "clocks", "frames", "gameclock", "hosts", "instances", "penalties", "seats", "sessions",
    "table", "told", "turns", "views",
)  # fmt: skip
TARGET: Final = Target(PACKAGE, RULES_TARGET.modules + _MODULES, _with_what_it_imports)

if __name__ == "__main__":
    sys.exit(main(TARGET))

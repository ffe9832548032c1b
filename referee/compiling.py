"""Compiles what a referee does for every decision: `python -m referee.compiling`; see `thousand.compiling`."""

import sys
from pathlib import Path
from typing import Final

import thousand
from referee import PACKAGE
from thousand.compiling import Target, copy_sources, main


def _with_what_it_imports(work: Path) -> None:
    copy_sources(PACKAGE.sources, work / "referee")
    # Stubs of services: mypy takes all memory over their overloads, and nothing compiled needs them.
    copy_sources(Path(thousand.__file__).parent, work / "thousand", "*_pb2_grpc.pyi")


TARGET: Final = Target(
    PACKAGE,
    ("chunks", "clocks", "hosts", "instances", "penalties", "seats", "sessions", "table", "turns", "views"),
    _with_what_it_imports,
)

if __name__ == "__main__":
    sys.exit(main(TARGET))

"""The referee hosts games: it deals, asks, checks, times and keeps secrets; it outlives no match."""

from pathlib import Path
from typing import Final

from thousand.compiled import RULES, Package, prefer

PACKAGE: Final = Package("referee", Path(__file__).parent, Path(__file__).parent / "__compiled__", including=RULES)
prefer(PACKAGE)  # first: it decides which modules are imported below

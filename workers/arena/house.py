"""The house bots: the arena's own, always the same ids, so that the same seed gives the same ledger everywhere."""

from typing import Final

OWNER_ID: Final = "house"
OWNER_NAME: Final = "house"
KINDS: Final = ("counter", "cautious", "greedy", "random")  # a test compares them with thousand.bots


def house_names(count: int) -> list[str]:
    """The first `count` of them: one of each kind, then further ones of the kinds in turn (`counter-2`, …)."""
    return [KINDS[i % len(KINDS)] + (f"-{i // len(KINDS) + 1}" if i >= len(KINDS) else "") for i in range(count)]


def kind_of(name: str) -> str:
    """Which house bot plays under this name: `counter` for `counter-2`."""
    return name.partition("-")[0]


def house_bot_id(name: str) -> str:
    """The id of the house bot of this name."""
    return f"house-{name}"

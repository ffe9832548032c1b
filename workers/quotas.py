"""The limits of one arena: what an owner may have, and how much a client may ask at once; set at `arena up`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Final

LARGEST: Final = 1_000_000
_AT_LEAST_ONE: Final = ("calls", "watches")


@dataclass(frozen=True, slots=True)
class Quotas:
    """The limits. Each field's metadata says what it is, for the help of `arena up`."""

    bots: int = field(default=100, metadata={"is": "bots of one owner"})
    versions_per_day: int = field(default=50, metadata={"is": "new versions of all bots of one owner, by UTC day"})
    running_matches: int = field(default=20, metadata={"is": "unrated matches of one owner at once"})
    calls: int = field(default=128, metadata={"is": "open calls of one client at once"})
    watches: int = field(default=64, metadata={"is": "open watches of one client at once"})


class InvalidQuota(ValueError):
    """A quota that makes no sense; the message says what to write."""


def parse_quotas(given: Sequence[str]) -> Quotas:
    """The defaults changed by `NAME=NUMBER` each. Raises InvalidQuota."""
    quotas, known = Quotas(), [one.name for one in fields(Quotas)]
    for text in given:
        name, _, number = text.partition("=")
        name = name.replace("-", "_")
        if name not in known:
            raise InvalidQuota(f"{text!r}: there is no such quota, choose of {', '.join(known)}")
        if not (number.isascii() and number.isdigit() and int(number) <= LARGEST):
            raise InvalidQuota(f"{text!r}: write {name}=NUMBER, at most {LARGEST}")
        if name in _AT_LEAST_ONE and int(number) == 0:
            raise InvalidQuota(f"{text!r}: at least 1, or nobody could ask for anything")
        quotas = replace(quotas, **{name: int(number)})
    return quotas


def quota_words() -> str:
    """All quotas with their defaults, for a command's help."""
    return " · ".join(f"{one.name.replace('_', '-')}={one.default} {one.metadata['is']}" for one in fields(Quotas))

"""The options of formats: what each may be, read from text or checked as values; unknown ones are errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from workers.formats.base import InvalidOption


class Kind(StrEnum):
    """What an option's value is."""

    NUMBER = "number"
    BOT = "bot"  # an entrant, by bot id


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `default`: what holds without it, in words. `least` and `most` bound a number."""

    meaning: str
    default: str
    kind: Kind = Kind.NUMBER
    least: int = 1
    most: int = 1

    def read(self, name: str, value: object) -> object:
        """The value, from text or as it is. Raises InvalidOption."""
        if self.kind is Kind.BOT:
            if not isinstance(value, str) or not value:
                raise InvalidOption(f"{name} is {value!r}: write a bot's id")
            return value
        text = str(value).strip()
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if isinstance(value, bool) or not self.least <= number <= self.most:
            raise InvalidOption(f"{name} is {value!r}: write a whole number from {self.least} to {self.most}")
        return number


def read_options(known: Mapping[str, Option], given: Mapping[str, object]) -> dict[str, object]:
    """All of them checked. Raises InvalidOption, naming what is known."""
    for name in sorted(set(given) - set(known)):
        listed = ", ".join(sorted(known)) or "none"
        raise InvalidOption(f"{name!r} is unknown here: this format has {listed}")
    return {name: known[name].read(name, value) for name, value in sorted(given.items())}

"""How the value of an option is written: reading JSON-able values, writing them back, saying what is allowed."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from thousand.rules.errors import InvalidRuleset

Value = StrEnum | frozenset[StrEnum] | bool | int | None  # as a Ruleset holds it
JsonValue = str | int | list[str]  # as presets are written


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` for a word close to a known one, else nothing."""
    found = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {found[0]!r}?" if found else ""


def refused(name: str, value: object, allowed: str, hint: str = "") -> InvalidRuleset:
    """The error for a value that an option does not have."""
    return InvalidRuleset(f"{name}: {value!r} is not a value of this option; allowed: {allowed}{hint}")


@dataclass(frozen=True, slots=True)
class Choice:
    """One of an enum's values, or none."""

    values: type[StrEnum]
    none: bool = False

    @property
    def allowed(self) -> str:
        """The values with ` · ` between."""
        return " · ".join([*(member.value for member in self.values), *(["none"] if self.none else [])])

    def read(self, name: str, value: object) -> Value:
        """The value as a Ruleset holds it."""
        if self.none and (value is None or value == "none"):
            return None
        if isinstance(value, str):
            for member in self.values:
                if member.value == str(value):
                    return member
            raise refused(name, str(value), self.allowed, nearest(value, self.allowed.split(" · ")))
        raise refused(name, value, self.allowed)

    def write(self, value: Value) -> JsonValue:
        """The value as presets are written."""
        return "none" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    allowed: str = "on · off"

    def read(self, name: str, value: object) -> Value:
        """The value as a Ruleset holds it."""
        if isinstance(value, bool):
            return value
        if value == "on" or value == "off":
            return value == "on"
        raise refused(name, value, self.allowed)

    def write(self, value: Value) -> JsonValue:
        """The value as presets are written."""
        return "on" if value else "off"


@dataclass(frozen=True, slots=True)
class Numbers:
    """One of a few numbers, or none."""

    values: tuple[int, ...]
    none: bool = False

    @property
    def allowed(self) -> str:
        """The values with ` · ` between."""
        return " · ".join([*map(str, self.values), *(["none"] if self.none else [])])

    def read(self, name: str, value: object) -> Value:
        """The value as a Ruleset holds it."""
        if self.none and (value is None or value == "none"):
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value in self.values:
            return int(value)
        raise refused(name, value, self.allowed)

    def write(self, value: Value) -> JsonValue:
        """The value as presets are written."""
        return "none" if value is None else int(value)  # type: ignore[arg-type]  # read() let nothing else in


@dataclass(frozen=True, slots=True)
class Span:
    """A whole number within bounds, or none."""

    low: int
    high: int
    step: int = 1
    none: bool = False

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        multiple = f" that is a multiple of {self.step}" if self.step > 1 else ""
        return f"{self.low} to {self.high}{multiple}{' · none' if self.none else ''}"

    def read(self, name: str, value: object) -> Value:
        """The value as a Ruleset holds it."""
        if self.none and (value is None or value == "none"):
            return None
        whole = isinstance(value, int) and not isinstance(value, bool)
        if isinstance(value, int) and whole and self.low <= value <= self.high and value % self.step == 0:
            return int(value)
        raise refused(name, value, self.allowed)

    def write(self, value: Value) -> JsonValue:
        """The value as presets are written."""
        return "none" if value is None else int(value)  # type: ignore[arg-type]  # read() let nothing else in


@dataclass(frozen=True, slots=True)
class Subset:
    """Any of an enum's values together; none = the empty set."""

    values: type[StrEnum]

    @property
    def allowed(self) -> str:
        """What may be in it."""
        return f"a list of any of {' · '.join(member.value for member in self.values)}, or none"

    def read(self, name: str, value: object) -> Value:
        """The value as a Ruleset holds it."""
        if value is None or value == "none":
            return frozenset()
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise refused(name, value, self.allowed)
        members = Choice(self.values)
        try:
            found = [members.read(name, item) for item in value]
        except InvalidRuleset:
            hints = (nearest(item, [m.value for m in self.values]) for item in map(str, value))
            raise refused(name, value, self.allowed, next((hint for hint in hints if hint), "")) from None
        return frozenset(item for item in found if isinstance(item, StrEnum))

    def write(self, value: Value) -> JsonValue:
        """The value as presets are written: in the enum's order."""
        assert isinstance(value, frozenset)
        return [member.value for member in self.values if member in value]


Kind = Choice | Switch | Numbers | Span | Subset

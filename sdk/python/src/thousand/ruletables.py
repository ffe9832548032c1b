"""The tables of the rules, made from the code: options by value, presets by what they change, for CLI and RULES.md."""

from collections.abc import Iterator
from dataclasses import dataclass

from thousand.rules.catalogue import CATALOGUE
from thousand.rules.presets import BASES, PRESETS, preset
from thousand.rules.ruleset import Ruleset
from thousand.rules.values import JsonValue, Span, Subset

SOURCES = {
    "classic": "a forum's rules", "online": "the 1000Online program", "intro": "an introduction, played to 1001",
    "headon": "players' suggestion: online for two", "barrel800": "players' suggestion: a barrel at 800",
    "browser": "a browser game with bots", "tournament": "browser, pinned by value: the default for rated play",
    "club": "the Kartonazhnik card club", "preferans": "a preferans site", "sailors": "the same site, sailors' way",
    "bank": "the same site, for a bank",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option of a ruleset, as text."""

    name: str
    value: str
    values: str  # default first
    meaning: str


@dataclass(frozen=True, slots=True)
class PresetRow:
    """One preset and what differs from its base."""

    name: str
    players: int
    win_score: int
    source: str
    base: str  # another preset, or "" for the defaults
    differs: dict[str, JsonValue]


def option_rows(ruleset: Ruleset) -> Iterator[OptionRow]:
    """Every option by value, in the order of RULES 3."""
    values = ruleset.to_dict()
    for name, option in CATALOGUE.items():
        yield OptionRow(name, text(values[name]), _values(name), option.meaning)


def preset_rows() -> Iterator[PresetRow]:
    """Every preset, in the order of RULES 6."""
    for name, ruleset in PRESETS.items():
        base = BASES[name]
        changes = difference(ruleset, PRESETS[base] if base else Ruleset())
        source = SOURCES.get(name) or _variant(name)
        differs = {option: value for option, value, _ in changes}
        yield PresetRow(name, ruleset.players, ruleset.win_score, source, base, differs)


def difference(one: Ruleset, other: Ruleset) -> list[tuple[str, JsonValue, JsonValue]]:
    """The options in which two rulesets differ: (option, value of one, value of the other)."""
    theirs = other.to_dict()
    return [(option, value, theirs[option]) for option, value in one.to_dict().items() if value != theirs[option]]


def options_markdown(name: str) -> str:
    """The table of options with a preset's values."""
    lines = [f"| option | values, default first | `{name}` | meaning |", "|---|---|---|---|"]
    lines += [f"| `{row.name}` | {row.values} | {row.value} | {row.meaning} |" for row in option_rows(preset(name))]
    return "\n".join(lines) + "\n"


def presets_markdown() -> str:
    """The presets, each with what differs from its base."""
    lines = []
    for row in preset_rows():
        changes = [f"{option} {text(value)}" for option, value in row.differs.items()]
        base = [f"`{row.base}`"] if row.base else []
        lines.append(f"- `{row.name}`, {row.source}: {' · '.join([*base, *changes])}")
    return "\n".join(lines) + "\n"


def text(value: JsonValue) -> str:
    """A value as one word."""
    return "+".join(value) or "none" if isinstance(value, list) else str(value)


def _values(name: str) -> str:
    kind = CATALOGUE[name].kind
    default = text(Ruleset().to_dict()[name] if name != "bank" else Ruleset().bank)
    if isinstance(kind, Span):
        return f"{default} · {kind.allowed}"
    if isinstance(kind, Subset):
        return f"{default} · any of {', '.join(kind.values)}"
    return " · ".join([default, *(value for value in kind.allowed.split(" · ") if value != default)])


def _variant(name: str) -> str:
    base, _, form = name.rpartition("-")
    forms = {"full": "with its agreements", "2": "for two", "4": "for four", "2x4": "for two, talon of four",
             "dummy": "for two and a dummy", "golden": "with golden deals"}  # fmt: skip
    return f"{base} {forms[form]}"

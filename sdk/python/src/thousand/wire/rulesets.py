"""Rulesets on the wire: one field per option, by the catalogue, so that a new option needs its proto field only."""

from functools import lru_cache
from typing import Any, Final

from thousand.rules.catalogue import CATALOGUE
from thousand.rules.errors import InvalidRuleset
from thousand.rules.ruleset import Ruleset
from thousand.rules.values import Choice, Subset
from thousand.v1 import ruleset_pb2 as pb
from thousand.wire.enums import EnumCodec
from thousand.wire.errors import WireError

_ENUMS: Final[dict[str, EnumCodec[Any]]] = {
    name: EnumCodec(option.kind.values, getattr(pb, option.kind.values.__name__))
    for name, option in CATALOGUE.items()
    if isinstance(option.kind, Choice | Subset)
}


@lru_cache(maxsize=256)
def ruleset_to(ruleset: Ruleset) -> pb.Ruleset:
    """The message; shared, so not to be changed."""
    fields: dict[str, Any] = {}
    for name, option in CATALOGUE.items():
        value = getattr(ruleset, name)
        if isinstance(option.kind, Subset):
            fields[name] = [_ENUMS[name].to[member] for member in option.kind.values if member in value]
        elif name in _ENUMS:
            fields[name] = _ENUMS[name].to[value]
        elif value is not None:
            fields[name] = value
    return pb.Ruleset(**fields)


def ruleset_from(message: pb.Ruleset) -> Ruleset:
    """The ruleset. Raises WireError for unset or unknown values, and for what is no valid ruleset."""
    values: dict[str, Any] = {}
    for name, option in CATALOGUE.items():
        value = getattr(message, name)
        if isinstance(option.kind, Subset):
            values[name] = frozenset(_ENUMS[name].read(number, f"ruleset.{name}") for number in value)
        elif name in _ENUMS:
            values[name] = _ENUMS[name].read(value, f"ruleset.{name}")
        elif getattr(option.kind, "none", False) and not message.HasField(name):  # type: ignore[arg-type]
            values[name] = None
        else:
            values[name] = value
    try:
        return Ruleset(**values)
    except InvalidRuleset as error:
        raise WireError(f"ruleset: {error}") from error

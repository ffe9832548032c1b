"""Turns the frozen dataclasses of `workers.model` to canonical JSON and back; unknown or missing fields are errors.

Law: equal values give equal bytes, and floats come back to the last bit.
"""

import dataclasses
import json
import types
import typing
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

T = TypeVar("T")


def to_json(value: object) -> bytes:
    """Compact JSON with sorted keys."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def from_json(kind: type[T], data: bytes | str) -> T:
    """The value that `to_json` wrote. Raises ValueError or TypeError for anything else."""
    return from_plain(kind, json.loads(data))


def from_plain(kind: type[T], data: object) -> T:
    """The same, from parsed JSON."""
    return cast("T", _reader(cast("Any", kind))(data))


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _same(value: Any) -> Any:
    return value


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """A function from parsed JSON to a value of this type, made once per type."""
    origin = typing.get_origin(kind)
    if origin is tuple:
        item = _reader(typing.get_args(kind)[0])
        return _same_tuple if item is _same else lambda values: tuple(map(item, values))
    if origin is dict:
        return _same
    if origin in (types.UnionType, typing.Union):
        (inner,) = (a for a in typing.get_args(kind) if a is not types.NoneType)
        read = _reader(inner)
        return lambda value: None if value is None else read(value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _dataclass_reader(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    return _same


def _same_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(values)


def _dataclass_reader(kind: type[Any]) -> Callable[[Any], Any]:
    hints = typing.get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(kind)}
    convert = {name: read for name, read in readers.items() if read is not _same}

    def read(values: dict[str, Any]) -> Any:
        arguments = dict(values)
        for name, reader in convert.items():
            if name in arguments:
                arguments[name] = reader(arguments[name])
        return kind(**arguments)

    return read

"""States as JSON and back, derived from their types, and a digest of those types.

Mappings become lists of pairs, sets sorted lists. What was written by another shape of the types is not read.
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from croupier.table.codec import decode_setup, encode_setup
from croupier.table.setup import Setup

Change = Callable[[Any], Any]
_PLAIN = (int, str, bool)


def _same(value: Any) -> Any:
    return value


@cache
def packer(hint: Any) -> Change:
    """What turns a value of a type into JSON."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _same
    if hint is Setup:
        return encode_setup
    if hint is Fraction:
        return str
    if origin in (Union, types.UnionType):
        inner = packer(_not_none(arguments))
        return lambda value: None if value is None else inner(value)
    if origin is tuple and arguments[-1] is Ellipsis:
        item = packer(arguments[0])
        return list if item is _same else lambda value: [item(one) for one in value]
    if origin is tuple:
        items = [packer(argument) for argument in arguments]
        return lambda value: [change(one) for change, one in zip(items, value, strict=True)]
    if origin is frozenset:
        item = packer(arguments[0])
        return lambda value: sorted(item(one) for one in value)
    if _is_mapping(origin):
        key, item = (packer(argument) for argument in arguments)
        return lambda value: [[key(name), item(one)] for name, one in value.items()]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return str
    if is_dataclass(hint):
        parts = [(name, packer(part)) for name, part in _parts(hint)]
        return lambda value: [change(getattr(value, name)) for name, change in parts]
    raise TypeError(f"no value of type {hint} belongs into a state")


@cache
def unpacker(hint: Any) -> Change:
    """What turns JSON back into a value of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _same
    if hint is Setup:
        return decode_setup
    if hint is Fraction:
        return Fraction
    if origin in (Union, types.UnionType):
        inner = unpacker(_not_none(arguments))
        return lambda value: None if value is None else inner(value)
    if origin is tuple and arguments[-1] is Ellipsis:
        item = unpacker(arguments[0])
        return tuple if item is _same else lambda value: tuple(item(one) for one in value)
    if origin is tuple:
        items = [unpacker(argument) for argument in arguments]
        return lambda value: tuple(change(one) for change, one in zip(items, value, strict=True))
    if origin is frozenset:
        item = unpacker(arguments[0])
        return lambda value: frozenset(item(one) for one in value)
    if _is_mapping(origin):
        key, item = (unpacker(argument) for argument in arguments)
        return lambda value: {key(name): item(one) for name, one in value}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    if is_dataclass(hint):
        kind: Any = hint
        parts = [(name, unpacker(part)) for name, part in _parts(hint)]
        return lambda value: kind(**{name: change(one) for (name, change), one in zip(parts, value, strict=True)})
    raise TypeError(f"no value of type {hint} belongs into a state")


@cache
def shape(hint: Any) -> str:
    """A digest of a type and of all that it is made of, in order."""
    return hashlib.sha256(_described(hint).encode()).hexdigest()


def _described(hint: Any) -> str:
    if is_dataclass(hint) and hint is not Setup:  # a setup has a codec of its own, which refuses what it does not know
        parts = ", ".join(f"{name}: {_described(part)}" for name, part in _parts(hint))
        return f"{getattr(hint, '__name__', hint)}({parts})"
    arguments = get_args(hint)
    if arguments:
        return f"{get_origin(hint)}[{', '.join(_described(argument) for argument in arguments)}]"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return f"{hint.__name__}({', '.join(sorted(member.value for member in hint))})"
    return str(hint)


def _parts(kind: Any) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(field.name, hints[field.name]) for field in fields(kind)]


def _not_none(arguments: tuple[Any, ...]) -> Any:
    (found,) = (argument for argument in arguments if argument is not type(None))
    return found


def _is_mapping(origin: Any) -> bool:
    return isinstance(origin, type) and issubclass(origin, Mapping)

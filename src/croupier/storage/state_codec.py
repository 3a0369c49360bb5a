"""The codec of states, and a digest of their types: snapshots of other types are not read."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from croupier.core.codec import Codec, Converter, Layout, decode_fraction
from croupier.table.model.setup import Setup
from croupier.table.record.codec import SETUP_CONVERTER

STATE_CODEC = Codec(
    Layout.POSITIONAL,
    {
        Setup: SETUP_CONVERTER,
        Fraction: Converter(str, decode_fraction),
    },
)
"""The codec of snapshots and linked meters."""


@cache
def type_digest(hint: Any) -> str:
    """A digest of a type and of all its parts, in order."""
    return hashlib.sha256(_describe_type(hint).encode()).hexdigest()


def _describe_type(hint: Any) -> str:
    if is_dataclass(hint) and hint is not Setup:  # a setup has its own codec, which refuses unknown keys
        parts = ", ".join(f"{name}: {_describe_type(part)}" for name, part in _field_types(hint))
        return f"{getattr(hint, '__name__', hint)}({parts})"
    arguments = get_args(hint)
    if arguments:
        return f"{get_origin(hint)}[{', '.join(_describe_type(argument) for argument in arguments)}]"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return f"{hint.__name__}({', '.join(sorted(member.value for member in hint))})"
    return str(hint)


def _field_types(kind: Any) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(field.name, hints[field.name]) for field in fields(kind)]

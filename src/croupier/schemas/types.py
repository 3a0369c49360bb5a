"""Schemas of values from their types, as `croupier.table.codec` writes them."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Union, get_args, get_origin, get_type_hints

from croupier.money import Cents

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FRACTION: Schema = {"type": "string", "pattern": r"^-?[0-9]+/[1-9][0-9]*$", "description": 'an exact number, "n/d"'}
MONEY: Schema = {"type": "string", "pattern": r"^[0-9]{1,12}(\.[0-9]{1,2})?$", "description": 'dollars, as in "12.50"'}
CARDS: Schema = {
    "type": "string",
    "pattern": r"^\s*([2-9TJQKA][cdhs](\s+[2-9TJQKA][cdhs])*)?\s*$",
    "description": 'cards, as in "As Kd"',
}


def written(hint: Any) -> Schema:
    """The schema of a value of a type in a record."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (written(argument) for argument in arguments if argument is not type(None))
        return {"anyOf": [inner, {"type": "null"}]}
    if origin is tuple and arguments[-1] is Ellipsis:
        return {"type": "array", "items": written(arguments[0])}
    if origin is tuple:
        count = len(arguments)
        items = [written(argument) for argument in arguments]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": count, "maxItems": count}
    if hint is Fraction:
        return dict(FRACTION)
    if hint is bool:
        return {"type": "boolean"}
    if hint is int or hint is Cents:
        return {"type": "integer"}
    if hint is str:
        return {"type": "string"}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"type": "string", "enum": [member.value for member in hint]}
    if is_dataclass(hint):
        return dataclass_schema(hint)
    raise TypeError(f"no value of type {hint} is written to a record")


def dataclass_schema(kind: Any, **first: Schema) -> Schema:
    """An object with every field of a dataclass, after what comes first; nothing else is allowed."""
    hints = get_type_hints(kind)
    properties = {**first, **{field.name: written(hints[field.name]) for field in fields(kind)}}
    return closed(properties, required=list(properties), description=summary(kind))


def closed(properties: dict[str, Schema], required: list[str] | None = None, description: str = "") -> Schema:
    """An object with these keys and no other."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    if description:
        schema["description"] = description
    return schema


def summary(kind: type) -> str:
    """The first line of a docstring that somebody wrote."""
    text = (kind.__doc__ or "").strip().partition("\n")[0]
    return "" if text.startswith(f"{kind.__name__}(") else text


def titled(title: str, name: str, schema: Schema) -> Schema:
    """A schema that can stand by itself."""
    return {"$schema": DIALECT, "$id": f"urn:croupier:{name}", "title": title, **schema}

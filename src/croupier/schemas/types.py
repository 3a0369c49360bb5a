"""Schemas of types as the record codec encodes them."""

from __future__ import annotations

from typing import Any

from croupier.core.codec import Form, shape_of

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FRACTION: Schema = {"type": "string", "pattern": r"^-?[0-9]+/[1-9][0-9]*$", "description": 'an exact number, "n/d"'}
MONEY: Schema = {"type": "string", "pattern": r"^[0-9]{1,12}(\.[0-9]{1,2})?$", "description": 'dollars, as in "12.50"'}
CARDS: Schema = {
    "type": "string",
    "pattern": r"^\s*([2-9TJQKA][cdhs](\s+[2-9TJQKA][cdhs])*)?\s*$",
    "description": 'cards, as in "As Kd"',
}
_PLAIN_TYPES = {bool: "boolean", int: "integer", str: "string"}


def type_schema(hint: Any) -> Schema:
    """The schema of a type in a record."""
    shape = shape_of(hint)
    match shape.form:
        case Form.PLAIN:
            return {"type": _PLAIN_TYPES[shape.kind]}
        case Form.FRACTION:
            return dict(FRACTION)
        case Form.CHOICE:
            return {"type": "string", "enum": [member.value for member in shape.kind]}
        case Form.OPTIONAL:
            return {"anyOf": [type_schema(shape.parts[0]), {"type": "null"}]}
        case Form.SEQUENCE:
            return {"type": "array", "items": type_schema(shape.parts[0])}
        case Form.ROW:
            items, count = [type_schema(part) for part in shape.parts], len(shape.parts)
            return {"type": "array", "prefixItems": items, "items": False, "minItems": count, "maxItems": count}
        case Form.RECORD:
            return dataclass_schema(hint)
    raise TypeError(f"a value of type {hint} is not written to a record")


def dataclass_schema(kind: Any, **first_properties: Schema) -> Schema:
    """An object with the given properties and every field of a dataclass, and no others."""
    shape = shape_of(kind)
    properties = {
        **first_properties,
        **{name: type_schema(part) for name, part in zip(shape.names, shape.parts, strict=True)},
    }
    return object_schema(properties, required=list(properties), description=docstring_summary(kind))


def object_schema(properties: dict[str, Schema], required: list[str] | None = None, description: str = "") -> Schema:
    """An object with these keys and no others."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    if description:
        schema["description"] = description
    return schema


def docstring_summary(kind: type) -> str:
    """The first line of a docstring, unless it was generated."""
    text = (kind.__doc__ or "").strip().partition("\n")[0]
    return "" if text.startswith(f"{kind.__name__}(") else text


def standalone_schema(title: str, name: str, schema: Schema) -> Schema:
    """A complete schema with its dialect, identifier and title."""
    return {"$schema": DIALECT, "$id": f"urn:croupier:{name}", "title": title, **schema}

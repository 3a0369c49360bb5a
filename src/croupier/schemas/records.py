"""Schemas of events, of a record's lines and of a round's document."""

from __future__ import annotations

from typing import get_type_hints

from croupier.progressive.plans import MeterPlan
from croupier.rules import readable_editions
from croupier.schemas.types import Schema, closed, dataclass_schema, titled, written
from croupier.table.codec import KINDS, SINCE, STATED
from croupier.table.record import FORMAT
from croupier.table.setup import Setup

HASH: Schema = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "SHA-256 over the hash before and the line",
}


def events() -> Schema:
    """One event, without its number and hash."""
    return titled("An event of a table", "events", {"oneOf": [_reference(name) for name in KINDS], "$defs": _kinds({})})


def record() -> Schema:
    """One line of a record file: the first is the table's setup, every other an event."""
    first: dict[str, Schema] = {"seq": {"type": "integer", "minimum": 1}}
    kinds = _kinds({"hash": HASH}, first)
    lines = [{"$ref": "#/$defs/header"}, *(_reference(name) for name in KINDS)]
    return titled("A line of a record", "record", {"oneOf": lines, "$defs": {"header": header(), **kinds}})


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _kinds(last: dict[str, Schema], first: dict[str, Schema] | None = None) -> dict[str, Schema]:
    found = {}
    for name, kind in KINDS.items():
        schema = dataclass_schema(kind, **(first or {}), event={"const": name})
        schema["properties"] |= last
        schema["required"] += list(last)
        found[name] = schema
    return found


def header() -> Schema:
    """The first line of a record."""
    keys: dict[str, Schema] = {
        "record": {"const": FORMAT},
        "digest": {"type": "string", "description": "of the program that wrote the record, short"},
        "table": setup(),
        "hash": HASH,
    }
    return closed(keys, required=["record", "table", "hash"])


def setup() -> Schema:
    """A table's setup."""
    hints = get_type_hints(Setup)
    bounds: Schema = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    keys: dict[str, Schema] = {
        "edition": {"type": "string", "enum": [rules.name for rules in readable_editions()]},
        "elections": {"type": "object", "additionalProperties": {"type": "string"}},
        **{name: written(hints[name]) for name in STATED},
        "limits": {"type": "object", "additionalProperties": bounds},
        "meters": {"type": "array", "items": dataclass_schema(MeterPlan)},
        "draws": {"type": "object", "additionalProperties": {"type": "integer"}},
    }
    required = [name for name in keys if name not in SINCE]
    return closed(keys, required=required, description="How a table is set up.")

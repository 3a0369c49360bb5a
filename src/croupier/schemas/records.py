"""Schemas of events, of a record's lines and of a round's document."""

from __future__ import annotations

from fractions import Fraction
from typing import get_type_hints

from croupier.progressive.meter_plans import MeterPlan
from croupier.regulations import readable_editions
from croupier.schemas.types import Schema, dataclass_schema, object_schema, standalone_schema, type_schema
from croupier.table.model.setup import Setup
from croupier.table.record.causation import COMMAND_TYPES
from croupier.table.record.codec import EVENT_TYPES, LATER_SETUP_DEFAULTS, PLAIN_SETUP_FIELDS
from croupier.table.record.file import RECORD_FORMAT
from croupier.table.record.upcasting import LATER_FIELDS, VERSIONS

HASH: Schema = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "SHA-256 over the hash before and the line",
}


CAUSE: dict[str, Schema] = {
    "command": {"enum": sorted(COMMAND_TYPES), "description": "the command behind this event and those after it"},
    "key": {"type": "string", "minLength": 1, "description": "the command's idempotency key"},
    "values": {"type": "object", "minProperties": 1, "description": "values of the command that no event states"},
}
"""The command, on its first event. Records from before version 0.2 lack it."""


def events_schema() -> Schema:
    """One event, without its number and hash."""
    return standalone_schema(
        "An event of a table",
        "events",
        {"oneOf": [_reference(name) for name in EVENT_TYPES], "$defs": _event_schemas({})},
    )


def _older_name(name: str) -> str:
    return f"{name}_1"


def record_schema() -> Schema:
    """One line of a record file: the first is the table's setup, every other an event."""
    seq: dict[str, Schema] = {"seq": {"type": "integer", "minimum": 1}}
    event_schemas = {**_event_schemas({"hash": HASH}, seq), **_older_event_schemas({"hash": HASH}, seq)}
    for schema in event_schemas.values():
        schema["properties"] |= CAUSE
        schema["dependentRequired"] = {name: ["command"] for name in CAUSE if name != "command"}
    lines = [{"$ref": "#/$defs/header"}, *(_reference(name) for name in event_schemas)]
    return standalone_schema(
        "A line of a record", "record", {"oneOf": lines, "$defs": {"header": header_schema(), **event_schemas}}
    )


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _event_schemas(
    last_properties: dict[str, Schema], first_properties: dict[str, Schema] | None = None
) -> dict[str, Schema]:
    schemas = {}
    for name, kind in EVENT_TYPES.items():
        version: dict[str, Schema] = {"version": {"const": VERSIONS[name]}} if name in VERSIONS else {}
        schema = dataclass_schema(kind, **(first_properties or {}), event={"const": name}, **version)
        schema["properties"] |= last_properties
        schema["required"] += list(last_properties)
        schemas[name] = schema
    return schemas


def _older_event_schemas(
    last_properties: dict[str, Schema], first_properties: dict[str, Schema] | None = None
) -> dict[str, Schema]:
    """The first versions of events that have changed since, as older records have them."""
    current, schemas = _event_schemas(last_properties, first_properties), {}
    for name, later_fields in LATER_FIELDS.items():
        dropped = {"version", *later_fields}
        properties = {key: value for key, value in current[name]["properties"].items() if key not in dropped}
        required = [key for key in current[name]["required"] if key not in dropped]
        schemas[_older_name(name)] = {**current[name], "properties": properties, "required": required}
    return schemas


def header_schema() -> Schema:
    """The first line of a record."""
    keys: dict[str, Schema] = {
        "record": {"const": RECORD_FORMAT},
        "digest": {"type": "string", "description": "of the program that wrote the record, short"},
        "table": setup_schema(),
        "hash": HASH,
    }
    return object_schema(keys, required=["record", "table", "hash"])


def setup_schema() -> Schema:
    """A table's setup."""
    hints = get_type_hints(Setup)
    bounds: Schema = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
    keys: dict[str, Schema] = {
        "edition": {"type": "string", "enum": [rules.name for rules in readable_editions()]},
        "elections": {"type": "object", "additionalProperties": {"type": "string"}},
        **{name: type_schema(hints[name]) for name in PLAIN_SETUP_FIELDS},
        "limits": {"type": "object", "additionalProperties": bounds},
        "meters": {"type": "array", "items": dataclass_schema(MeterPlan)},
        "meter_amounts": {"type": "object", "additionalProperties": type_schema(Fraction)},
        "draws": {"type": "object", "additionalProperties": {"type": "integer"}},
        "reads_cards": {"type": "boolean", "description": "in older records, instead of card_source"},
    }
    required = [name for name in keys if name not in (*LATER_SETUP_DEFAULTS, "meter_amounts", "reads_cards")]
    return object_schema(keys, required=required, description="How a table is set up.")

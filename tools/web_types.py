"""`python -m tools.web_types` derives the type declarations of the web scripts from the server's own types.

Responses, request bodies and commands come from the OpenAPI document, messages to watchers from their payload type,
and events from their dataclasses and audiences. A test fails if the file in the repository is out of date.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from croupier.schemas.types import dataclass_schema
from croupier.server.app import application
from croupier.server.config import Config
from croupier.server.payloads.tables import WatchMessage
from croupier.server.tables.command_endpoint import COMMAND_KINDS
from croupier.server.tables.service import TableService
from croupier.storage import Store
from croupier.table.model import events as e
from croupier.table.model.roles import Actor
from croupier.table.record.codec import EVENT_TYPES
from croupier.table.visibility import AUDIENCES, CARD_EVENT_FIELDS, EVENT_LEFT_OUT, LEFT_OUT, PUBLIC

TARGET = Path(__file__).parents[1] / "src/croupier/server/web/server.d.ts"
Schema = Mapping[str, Any]

HEADER = """\
// Written by `python -m tools.web_types` from the server's types. Do not edit.

declare namespace Server {
  /** The arguments of a request: parameters may be left out if all of them may. */
  type Arguments<T> = {} extends T ? [parameters?: T] : [parameters: T];
"""
EVENT_TYPE_NAMES = {"EventPayload": "TableEvent", "TablesEvent": "TableEvent & { table: string }"}
"""Events are described one by one, more exactly than in the OpenAPI document."""
SENDER_FIELDS = ("command", "key", "seq")
"""Fields that every command has."""


def openapi_document() -> dict[str, Any]:
    """The OpenAPI document of a server without tables."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/types.db")
        try:
            document: dict[str, Any] = application(Config(), TableService(Config(), store)).framework.openapi()
        finally:
            store.close()
    return document


def type_of(schema: Schema) -> str:
    """A JSON Schema as a TypeScript type.

    >>> type_of({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]})
    'number[] | null'
    >>> type_of({"type": "object", "properties": {"a": {"enum": ["x", "y"]}, "b": {}}, "required": ["a"]})
    '{ a: "x" | "y"; b?: unknown }'
    """
    if "$ref" in schema:
        return type_name(schema["$ref"])
    for key in ("anyOf", "oneOf"):
        if key in schema and "properties" not in schema:  # else it only narrows the properties
            return " | ".join(dict.fromkeys(type_of(part) for part in schema[key]))
    if "enum" in schema or "const" in schema:
        return " | ".join(json.dumps(value) for value in schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "integer" | "number":
            return "number"
        case "string":
            return "string"
        case "boolean":
            return "boolean"
        case "null":
            return "null"
        case "array":
            return _array_type(schema)
        case "object":
            return _object_type(schema)
    return "unknown"


def _array_type(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(item) for item in schema['prefixItems'])}]"
    item = type_of(schema.get("items", {}))
    return f"({item})[]" if " | " in item or " & " in item else f"{item}[]"


def _object_type(schema: Schema) -> str:
    if "properties" not in schema:
        values = schema.get("additionalProperties", True)
        return f"Record<string, {type_of(values) if isinstance(values, Mapping) else 'unknown'}>"
    required = schema.get("required", ())
    fields = [
        f"{name}{'' if name in required else '?'}: {type_of(field)}" for name, field in schema["properties"].items()
    ]
    return f"{{ {'; '.join(fields)} }}" if fields else "{}"


def type_name(reference: str) -> str:
    """The name of a referenced type.

    >>> type_name("#/components/schemas/TableView")
    'TableView'
    """
    return reference.rpartition("/")[2].replace("-", "_")


def declare_types(schemas: Mapping[str, Schema]) -> Iterable[str]:
    """One declaration for each schema."""
    for name, schema in sorted(schemas.items()):
        if name.startswith("command_") or name == "Command":
            continue
        if description := schema.get("description", ""):
            yield f"  /** {' '.join(description.split())} */"
        yield f"  type {type_name(name)} = {EVENT_TYPE_NAMES.get(name) or type_of(schema)};"


def declare_commands(schemas: Mapping[str, Schema]) -> Iterable[str]:
    """The values of each command that a person may send."""
    yield "  /** A command as it is sent. */"
    yield (
        "  type Command = { [C in keyof Commands]: { command: C; key: string; seq: number } & Commands[C] }"
        "[keyof Commands];"
    )
    yield "  interface Commands {"
    for name in sorted(COMMAND_KINDS):
        schema = schemas[f"command_{name}"]
        fields = {field: kind for field, kind in schema["properties"].items() if field not in SENDER_FIELDS}
        yield f"    {name}: {type_of({**schema, 'properties': fields})};"
    yield "  }"


def declare_operations(document: Schema) -> Iterable[str]:
    """For each path: its parameters, its request body and its response."""
    for method in ("get", "post"):
        yield f"  interface {method.title()}s {{"
        for path, operations in document["paths"].items():
            if method in operations and path.startswith("/api"):
                operation = operations[method]
                parts = {"parameters": _parameters(operation), "response": _success(operation)}
                if method == "post":
                    parts["body"] = _body(operation)
                yield f"    {json.dumps(path)}: {{ {'; '.join(f'{name}: {kind}' for name, kind in parts.items())} }};"
        yield "  }"


def _parameters(operation: Schema) -> str:
    fields = [
        f"{parameter['name']}{'' if parameter.get('required') else '?'}: {type_of(parameter['schema'])}"
        for parameter in operation.get("parameters", ())
    ]
    return f"{{ {'; '.join(fields)} }}" if fields else "{}"


def _success(operation: Schema) -> str:
    response = next(response for status, response in operation["responses"].items() if status.startswith("2"))
    return type_of(response.get("content", {}).get("application/json", {}).get("schema", {}))


def _body(operation: Schema) -> str:
    if "requestBody" not in operation:
        return "{}"
    return type_of(operation["requestBody"]["content"]["application/json"]["schema"])


def declare_events() -> Iterable[str]:
    """Every event as a viewer gets it: a field that may be hidden is optional or has another value then."""
    yield f"  type Actor = {type_of(dataclass_schema(Actor))};"
    yield "  interface Events {"
    for name, kind in EVENT_TYPES.items():
        schema = dataclass_schema(kind, event={"const": name})
        fields: dict[str, str] = {"seq": "number", "round": "number", "text": "string"}
        for field, part in schema["properties"].items():
            audience = AUDIENCES[kind].get(field, PUBLIC)
            field_type = "Actor" if field == "by" else type_of(part)
            if field in CARD_EVENT_FIELDS.get(kind, ()):
                field_type = "string | null" if audience is PUBLIC and field_type.endswith("| null") else "string"
            if audience.hidden_as is EVENT_LEFT_OUT or audience is PUBLIC:
                fields[field] = field_type
            elif audience.hidden_as is LEFT_OUT:
                fields[f"{field}?"] = field_type
            else:
                hidden = json.dumps(audience.hidden_as)
                fields[field] = field_type if hidden == '""' and field_type == "string" else f"{field_type} | {hidden}"
        if kind in (e.CardsRevealed, e.HandTurnedUp):
            fields.pop("cards?", None)
            fields["cards"] = "(string | null)[]"
        yield f"    {name}: {{ {'; '.join(f'{field}: {field_type}' for field, field_type in fields.items())} }};"
    yield "  }"
    yield "  type TableEvent = Events[keyof Events];"


def declarations() -> str:
    """The whole file."""
    document = openapi_document()
    watch = TypeAdapter(WatchMessage).json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    schemas = {**document["components"]["schemas"], **watch.pop("$defs"), "WatchMessage": watch}
    lines = [
        *declare_types(schemas),
        *declare_commands(schemas),
        *declare_events(),
        *declare_operations(document),
    ]
    return HEADER + "".join(f"{line}\n" for line in lines) + "}\n"


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")

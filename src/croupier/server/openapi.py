"""The OpenAPI document: FastAPI's routes, plus the command endpoints, which bypass FastAPI."""

from __future__ import annotations

from typing import Any, get_type_hints

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from croupier.schemas.types import docstring_summary, type_schema
from croupier.server.errors import ErrorResponse, responses
from croupier.server.tables.command_endpoint import (
    CARD_FIELDS,
    COMMAND_KINDS,
    MAX_KEY_LENGTH,
    MAX_TEXT_LENGTH,
    SINGLE_CARD_FIELDS,
    CommandKind,
)
from croupier.table.model.roles import Role

COMMANDS_PATH = "/api/tables/{table}/commands"
READY_PATH = "/api/tables/{table}/ready"
NO_NULL_BYTES_PATTERN = r"^[^\x00]*$"
_TABLE_PARAMETER = {
    "name": "table",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1, "maxLength": 100},
}


def add_commands(app: FastAPI) -> None:
    """Adds the commands to the OpenAPI document of an application."""

    def build_document() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            document["paths"][COMMANDS_PATH] = {"post": _command_operation()}
            document["paths"][READY_PATH] = {"post": _ready_operation()}
            for operations in document["paths"].values():
                for operation in operations.values():
                    for parameter in operation.get("parameters", ()):
                        _exclude_null_bytes(parameter["schema"])
            schemas = document["components"]["schemas"]
            schemas |= _error_schemas()
            schemas |= {f"command_{name}": _command_schema(kind) for name, kind in COMMAND_KINDS.items()}
            schemas["Command"] = {
                "oneOf": [{"$ref": f"#/components/schemas/command_{name}"} for name in COMMAND_KINDS],
                "discriminator": {
                    "propertyName": "command",
                    "mapping": {name: f"#/components/schemas/command_{name}" for name in COMMAND_KINDS},
                },
            }
            schemas["CommandAnswer"] = _COMMAND_RESPONSE_SCHEMA
            schemas["Ready"] = _READY_RESPONSE_SCHEMA
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = build_document  # type: ignore[method-assign]


def _exclude_null_bytes(schema: dict[str, Any]) -> None:
    """States what a policy refuses for every request: a null byte in its address."""
    if schema.get("type") == "string" and not schema.keys() & {"pattern", "enum", "const"}:
        schema["pattern"] = NO_NULL_BYTES_PATTERN
    for part in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])):
        _exclude_null_bytes(part)


_COMMAND_RESPONSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["table", "seq", "repeated", "events"],
    "properties": {
        "table": {"type": "string"},
        "seq": {"type": "integer", "description": "the number of the table's last event"},
        "repeated": {
            "type": "boolean",
            "description": "whether the key was used before: the command was not executed again",
        },
        "events": {
            "type": "array",
            "items": {"type": "object"},
            "description": "the events, as far as the sender may see them",
        },
    },
}


_READY_RESPONSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["closed", "waiting_for", "seq"],
    "properties": {
        "closed": {"type": "boolean", "description": "whether this ended the betting time"},
        "waiting_for": {"type": "array", "items": {"type": "string"}},
        "seq": {"type": "integer"},
    },
}


def _error_schemas() -> dict[str, Any]:
    """The schemas that `responses` refers to."""
    schema = ErrorResponse.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    return {**schema.pop("$defs"), "ErrorResponse": schema}


def _error_responses() -> dict[str, Any]:
    return {str(status): response for status, response in responses(401, 404, 409).items()}


def _ready_operation() -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Ready"}}}
    return {
        "tags": ["tables"],
        "operationId": "ready",
        "summary": "No more betting time is needed",
        "description": "The patron needs no more betting time; when nobody does, the system closes the wagers.",
        "parameters": [_TABLE_PARAMETER],
        "responses": {"200": {"description": "the patron is ready", "content": content}, **_error_responses()},
    }


def _command_operation() -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/CommandAnswer"}}}
    return {
        "tags": ["tables"],
        "operationId": "command",
        "summary": "A command at a table",
        "description": (
            "Answered once the command is on disk. A command that is sent again with the same key is executed once and "
            "gets the same answer; 409 means that the table has moved on since `seq`, and gives the current number."
        ),
        "parameters": [_TABLE_PARAMETER],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Command"}}},
        },
        "responses": {"200": {"description": "the command was executed", "content": content}, **_error_responses()},
    }


def _command_schema(kind: CommandKind) -> dict[str, Any]:
    hints = get_type_hints(kind.type)
    values = {name: _field_schema(name, hints[name]) for name in kind.values}
    roles = ", ".join(sorted(role.value for role in kind.type.roles if role is not Role.SYSTEM))
    return {
        "type": "object",
        "description": f"{docstring_summary(kind.type)} By: {roles}.".strip(),
        "additionalProperties": False,
        "required": ["command", "key", "seq", *sorted(kind.required)],
        "properties": {
            "command": {"type": "string", "enum": [kind.name]},
            "key": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH, "pattern": r"^[ -~]+$"},
            "seq": {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
            **values,
        },
    }


def _field_schema(name: str, hint: Any) -> dict[str, Any]:
    card = {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$", "description": "as in As"}
    if name in CARD_FIELDS and hint is not bool:
        return {"type": "array", "items": card, "maxItems": 52}
    if name in SINGLE_CARD_FIELDS:
        return card if hint is int else {"anyOf": [card, {"type": "null"}]}
    return _bounded(type_schema(hint))


def _bounded(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("type") == "string":
        return {**schema, "maxLength": MAX_TEXT_LENGTH, "pattern": r"^[ -~]*$"}
    if schema.get("type") == "integer":
        return {**schema, "minimum": -(2**53) + 1, "maximum": 2**53 - 1}
    if schema.get("type") == "array":
        return {**schema, "maxItems": 60, "items": _bounded(schema["items"])}
    if schema.get("type") == "object":
        return {**schema, "properties": {name: _bounded(part) for name, part in schema["properties"].items()}}
    if "anyOf" in schema:
        return {"anyOf": [_bounded(one) for one in schema["anyOf"]]}
    return schema

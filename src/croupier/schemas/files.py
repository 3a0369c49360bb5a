"""Schemas of TOML files, converted to JSON: scenarios and Rules Submissions.

Keys come from the dataclasses of the readers and from the editions. The readers and `croupier check` check rules that
a schema cannot express, such as a wager that needs another.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from fractions import Fraction
from typing import Any, get_args, get_type_hints

from croupier.core.money import Cents
from croupier.regulations import Edition, edition, readable_editions
from croupier.scenarios import model as s
from croupier.schemas.types import CARDS, MONEY, Schema, object_schema, standalone_schema
from croupier.submissions import model as m

PERCENT: Schema = {"type": "string", "pattern": r"^-?[0-9]{1,9}(\.[0-9]{1,9})?%$", "description": 'as in "4.5%"'}
RATE: Schema = {"type": "string", "pattern": r"^[0-9]{1,2}(\.[0-9]{1,6})?\s*%?$", "description": 'percent, as in "4.5"'}
DISPLAY_PLACES = ("layout", "sign", "none")
TEXT_CHOICES = {
    "method": m.DEALING_METHODS,
    "shuffler": m.SHUFFLERS,
    "odds": DISPLAY_PLACES,
    "payout_limit": DISPLAY_PLACES,
    "drop_box": ("left", "right", "none"),
    "tip_box": ("left", "right", "elsewhere", "none"),
}
"""The allowed values of text keys."""


def _edition_names() -> list[str]:
    return [rules.name for rules in readable_editions()]


def submission_schema() -> Schema:
    """The schema of a Rules Submission; the elections depend on the edition."""
    keys = {field.name for field in fields(m.Submission)} - {"elected", "stated"}
    top_level_keys = {"operator", "version", "seats", "adjacent_boxes", "odd_cents"}
    hints = get_type_hints(m.Submission)
    properties: dict[str, Schema] = {name: _value_schema(name, hints[name]) for name in sorted(top_level_keys & keys)}
    bounds = object_schema({"minimum": MONEY, "maximum": MONEY}, required=["minimum", "maximum"])
    properties |= {
        "edition": {"type": "string", "enum": _edition_names()},
        "approved": {"type": "string", "format": "date", "description": "the day it was approved"},
        "elections": {"type": "object"},
        "wagers": {"type": "object", "additionalProperties": bounds},
        "limits": object_schema({"payout": MONEY, "smallest_chip": MONEY}),
        "dealing": _section_schema(m.Dealing),
        "progressive": _progressive_schema(),
        "electronic": _section_schema(m.Electronic),
        "layout": _section_schema(m.TableLayout),
    }
    schema = object_schema(
        properties, required=["edition"], description="Every election that an operator makes for a table."
    )
    return standalone_schema(
        "A Rules Submission", "submission", {**schema, "allOf": [_edition_schema(name) for name in _edition_names()]}
    )


def _progressive_schema() -> Schema:
    schema = _section_schema(m.Progressive, excluded=("meters", "limits"))
    meter = object_schema({"initial": MONEY, "reset": MONEY, "rate": PERCENT})
    schema["properties"]["meters"] = {"type": "object", "additionalProperties": meter}
    schema["properties"]["limits"] = {"type": "object", "additionalProperties": MONEY}
    return schema


def _section_schema(kind: type, excluded: tuple[str, ...] = ()) -> Schema:
    """A section of the file with the fields of a dataclass as optional keys."""
    hints = get_type_hints(kind)
    return object_schema({name: _value_schema(name, hint) for name, hint in hints.items() if name not in excluded})


def _value_schema(name: str, hint: Any) -> Schema:
    """The schema of a value in TOML."""
    arguments = [argument for argument in get_args(hint) if argument is not type(None)]
    value_type = arguments[0] if len(arguments) == 1 and type(None) in get_args(hint) else hint
    if name in TEXT_CHOICES:
        return {"type": "string", "enum": list(TEXT_CHOICES[name])}
    schemas: dict[Any, Schema] = {
        Cents: MONEY,
        Fraction: PERCENT,
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        str: {"type": "string"},
        date: {"type": "string", "format": "date"},
        tuple[str, ...]: {"type": "array", "items": {"type": "string"}},
    }
    return dict(schemas[value_type])


def _edition_schema(name: str) -> Schema:
    """The condition that an edition puts on elections and wagers."""
    rules = edition(name)
    return {
        "if": {"properties": {"edition": {"const": name}}, "required": ["edition"]},
        "then": {
            "properties": {
                "elections": _elections_schema(rules),
                "wagers": {"propertyNames": {"enum": _placeable_wagers(rules)}},
            }
        },
    }


def _elections_schema(rules: Edition) -> Schema:
    return object_schema(
        {name: {"type": "string", "enum": list(rules.elections[name].choices)} for name in rules.elections}
    )


def _placeable_wagers(rules: Edition) -> list[str]:
    return [name for name, wager in rules.wagers.items() if not wager.is_derived]


def scenario_schema() -> Schema:
    """The schema of a scenario."""
    amounts: Schema = {"type": "object", "additionalProperties": MONEY}
    seat = object_schema(
        {
            "seat": {"type": "integer"},
            "wagers": amounts,
            "decisions": {"type": "array", "items": {"type": "string"}},
        },
        required=["seat", "wagers"],
    )
    irregularity = object_schema(
        {
            "kind": {"type": "string", "enum": list(s.IRREGULARITIES)},
            "before": {"type": "string", "enum": list(s.WHEN)},
            "cards": CARDS,
            "where": {"type": "string", "description": "where a misdealt hand lies, as in `seat 3` or `dealer`"},
        },
        required=["kind"],
    )
    position: Schema = {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "dealer"}]}
    properties: dict[str, Schema] = {
        "edition": {"type": "string", "enum": _edition_names()},
        "dealing": {"type": "string", "enum": list(s.METHODS)},
        "deck": CARDS,
        "elections": {"type": "object"},
        "limits": object_schema({"payout": MONEY}),
        "meters": amounts,
        "resets": amounts,
        "rates": {"type": "object", "additionalProperties": RATE},
        "drawn": object_schema({"magic_card": CARDS, "lucky_position": position}),
        "seats": {"type": "array", "items": seat, "minItems": 1},
        "irregularities": {"type": "array", "items": irregularity},
    }
    rules = [
        {
            "if": {"properties": {"edition": {"const": name}}, "required": ["edition"]},
            "then": {"properties": {"elections": _elections_schema(edition(name))}},
        }
        for name in _edition_names()
    ]
    schema = object_schema(
        properties, required=["edition", "seats"], description="One round, as a table would play it."
    )
    return standalone_schema("A scenario", "scenario", {**schema, "allOf": rules})

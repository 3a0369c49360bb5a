"""Schemas of the TOML files that people write, as JSON: scenarios and Rules Submissions.

Keys come from the dataclasses that the readers fill and from the editions; what a schema cannot say (that a
wager needs another, that amounts agree) the readers and `croupier check` say with their clauses.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from fractions import Fraction
from typing import Any, get_args, get_type_hints

from croupier.money import Cents
from croupier.rules import Edition, edition, readable_editions
from croupier.scenarios import scenario as s
from croupier.schemas.types import CARDS, MONEY, Schema, closed, titled
from croupier.submissions import submission as m

PERCENT: Schema = {"type": "string", "pattern": r"^-?[0-9]{1,9}(\.[0-9]{1,9})?%$", "description": 'as in "4.5%"'}
RATE: Schema = {"type": "string", "pattern": r"^[0-9]{1,2}(\.[0-9]{1,6})?\s*%?$", "description": 'percent, as in "4.5"'}
LIMITS = ("layout", "sign", "none")
CHOICES = {
    "method": m.METHODS,
    "shuffler": m.SHUFFLERS,
    "odds": LIMITS,
    "payout_limit": LIMITS,
    "drop_box": ("left", "right", "none"),
    "tip_box": ("left", "right", "elsewhere", "none"),
}
"""Texts of which only some are known."""


def _editions() -> list[str]:
    return [rules.name for rules in readable_editions()]


def submission() -> Schema:
    """A Rules Submission; what may be elected depends on the edition."""
    keys = {field.name for field in fields(m.Submission)} - {"elected", "stated"}
    plain = {"operator", "version", "seats", "adjacent_boxes", "odd_cents"}
    hints = get_type_hints(m.Submission)
    properties: dict[str, Schema] = {name: _read(name, hints[name]) for name in sorted(plain & keys)}
    bounds = closed({"minimum": MONEY, "maximum": MONEY}, required=["minimum", "maximum"])
    properties |= {
        "edition": {"type": "string", "enum": _editions()},
        "approved": {"type": "string", "format": "date", "description": "the day it was approved"},
        "elections": {"type": "object"},
        "wagers": {"type": "object", "additionalProperties": bounds},
        "limits": closed({"payout": MONEY}),
        "dealing": _section(m.Dealing),
        "progressive": _progressive(),
        "electronic": _section(m.Electronic),
        "layout": _section(m.Layout),
    }
    schema = closed(properties, required=["edition"], description="Every election that an operator makes for a table.")
    return titled("A Rules Submission", "submission", {**schema, "allOf": [_elections(name) for name in _editions()]})


def _progressive() -> Schema:
    schema = _section(m.Progressive, but=("meters", "limits"))
    meter = closed({"initial": MONEY, "reset": MONEY, "rate": PERCENT})
    schema["properties"]["meters"] = {"type": "object", "additionalProperties": meter}
    schema["properties"]["limits"] = {"type": "object", "additionalProperties": MONEY}
    return schema


def _section(kind: type, but: tuple[str, ...] = ()) -> Schema:
    """A table of the file, whose keys are the fields of a dataclass; each may be left out."""
    hints = get_type_hints(kind)
    return closed({name: _read(name, hint) for name, hint in hints.items() if name not in but})


def _read(name: str, hint: Any) -> Schema:
    """The schema of a value as a reader takes it from TOML."""
    arguments = [argument for argument in get_args(hint) if argument is not type(None)]
    bare = arguments[0] if len(arguments) == 1 and type(None) in get_args(hint) else hint
    if name in CHOICES:
        return {"type": "string", "enum": list(CHOICES[name])}
    known: dict[Any, Schema] = {
        Cents: MONEY,
        Fraction: PERCENT,
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        str: {"type": "string"},
        date: {"type": "string", "format": "date"},
        tuple[str, ...]: {"type": "array", "items": {"type": "string"}},
    }
    return dict(known[bare])


def _elections(name: str) -> Schema:
    """Which elections and wagers an edition knows."""
    rules = edition(name)
    return {
        "if": {"properties": {"edition": {"const": name}}, "required": ["edition"]},
        "then": {"properties": {"elections": _choices(rules), "wagers": {"propertyNames": {"enum": _placed(rules)}}}},
    }


def _choices(rules: Edition) -> Schema:
    return closed({name: {"type": "string", "enum": list(rules.elections[name].choices)} for name in rules.elections})


def _placed(rules: Edition) -> list[str]:
    return [name for name, wager in rules.wagers.items() if not wager.follows]


def scenario() -> Schema:
    """A round in a file."""
    amounts: Schema = {"type": "object", "additionalProperties": MONEY}
    seat = closed(
        {
            "seat": {"type": "integer"},
            "wagers": amounts,
            "decisions": {"type": "array", "items": {"type": "string"}},
        },
        required=["seat", "wagers"],
    )
    irregularity = closed(
        {
            "kind": {"type": "string", "enum": list(s.IRREGULARITIES)},
            "before": {"type": "string", "enum": list(s.WHEN)},
            "cards": CARDS,
        },
        required=["kind"],
    )
    position: Schema = {"anyOf": [{"type": "integer", "minimum": 1}, {"const": "dealer"}]}
    properties: dict[str, Schema] = {
        "edition": {"type": "string", "enum": _editions()},
        "dealing": {"type": "string", "enum": list(s.METHODS)},
        "deck": CARDS,
        "elections": {"type": "object"},
        "limits": closed({"payout": MONEY}),
        "meters": amounts,
        "resets": amounts,
        "rates": {"type": "object", "additionalProperties": RATE},
        "drawn": closed({"magic_card": CARDS, "lucky_position": position}),
        "seats": {"type": "array", "items": seat, "minItems": 1},
        "irregularities": {"type": "array", "items": irregularity},
    }
    rules = [
        {
            "if": {"properties": {"edition": {"const": name}}, "required": ["edition"]},
            "then": {"properties": {"elections": _choices(edition(name))}},
        }
        for name in _editions()
    ]
    schema = closed(properties, required=["edition", "seats"], description="One round, as a table would play it.")
    return titled("A scenario", "scenario", {**schema, "allOf": rules})

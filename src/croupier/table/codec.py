"""Events and setups as JSON and back, derived from their types: nothing about an event is written twice.

Fractions are `"n/d"`, cards and cents are integers, an enumeration is its value, a tuple is a list.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from croupier.errors import Malformed
from croupier.money import Cents
from croupier.progressive.plans import MeterPlan
from croupier.rules import edition
from croupier.submissions.submission import Limits
from croupier.table import events as e
from croupier.table.setup import Setup
from croupier.table.upcasting import stamped, upcast

KINDS: Mapping[str, type[e.Event]] = {
    kind.__name__: kind
    for kind in vars(e).values()
    if isinstance(kind, type) and issubclass(kind, e.Event) and kind is not e.Event
}
"""Every kind of event by its name."""
_PLAIN = (int, str, bool)
_AS_THEY_ARE = frozenset({int, str, bool, type(None)})


def encoded(value: Any) -> Any:
    """A value of an event as JSON."""
    kind: Any = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is tuple:
        return [item if type(item) is int else encoded(item) for item in value]
    if kind is Fraction:
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, _PLAIN):
        return value
    return {name: one if type(one := getattr(value, name)) in _AS_THEY_ARE else encoded(one) for name in _names(kind)}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def encode_event(event: e.Event) -> dict[str, Any]:
    """An event as JSON, its kind first."""
    return stamped({"event": type(event).__name__, **encoded(event)})


def decode_event(data: Any) -> e.Event:
    """The event that JSON describes, of an older version too; refuses an unknown kind, a missing or wrong value."""
    data = upcast(data) if isinstance(data, dict) else data
    if not isinstance(data, dict) or data.get("event") not in KINDS:
        what = data.get("event") if isinstance(data, dict) else data
        raise Malformed("event", f"{what!r} is no kind of event")
    values = {name: value for name, value in data.items() if name != "event"}
    kind: Any = KINDS[data["event"]]
    found: e.Event = decoder(kind)(values, data["event"])
    return found


Decoder = Callable[[Any, str], Any]


@cache
def decoder(hint: Any) -> Decoder:
    """What reads a value of a type; each refuses with the place."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (inner,) = (decoder(argument) for argument in arguments if argument is not type(None))
        return lambda value, place: None if value is None else inner(value, place)
    if origin is tuple and arguments[-1] is Ellipsis:
        item = decoder(arguments[0])
        return lambda value, place: tuple(item(one, place) for one in _list(value, place))
    if origin is frozenset:
        member = decoder(arguments[0])
        return lambda value, place: frozenset(member(one, place) for one in _list(value, place))
    if origin is tuple:
        return _pair(tuple(decoder(argument) for argument in arguments))
    if hint is Fraction:
        return _fraction
    if hint in _PLAIN:
        return _plain(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _member(hint)
    if is_dataclass(hint):
        return _dataclass(hint)
    raise TypeError(f"no value of type {hint} belongs into an event")


def _list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed(place, f"{value!r} is not a list")
    return value


def _pair(items: tuple[Decoder, ...]) -> Decoder:
    def decode(value: Any, place: str) -> tuple[Any, ...]:
        if len(_list(value, place)) != len(items):
            raise Malformed(place, f"{value!r} does not have {len(items)} items")
        return tuple(item(one, place) for item, one in zip(items, value, strict=True))

    return decode


def _fraction(value: Any, place: str) -> Fraction:
    try:
        if isinstance(value, str):
            return Fraction(value)
    except (ValueError, ZeroDivisionError):
        pass
    raise Malformed(place, f"{value!r} is not a fraction such as 29/100")


def _plain(kind: type) -> Decoder:
    def decode(value: Any, place: str) -> Any:
        if type(value) is not kind:
            raise Malformed(place, f"{value!r} is not of the kind that belongs here")
        return value

    return decode


def _member(kind: type[StrEnum]) -> Decoder:
    def decode(value: Any, place: str) -> StrEnum:
        if value not in [member.value for member in kind]:
            raise Malformed(place, f"{value!r} is none of {', '.join(member.value for member in kind)}")
        return kind(value)

    return decode


def _dataclass(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    decoders = {field.name: decoder(hints[field.name]) for field in fields(kind)}

    def decode(value: Any, place: str) -> Any:
        if not isinstance(value, dict) or value.keys() != decoders.keys():
            known = ", ".join(decoders)
            raise Malformed(place, f"the keys must be {known}")
        return kind(**{name: item(value[name], f"{place}.{name}") for name, item in decoders.items()})

    return decode


STATED = (
    "seats",
    "adjacent_boxes",
    "method",
    "shuffler",
    "payout_limit",
    "odd_cents",
    "decks",
    "preshuffled",
    "dealer_cards_first",
    "four_card_stacks",
    "counts_deck_age",
    "progressive_amount",
    "name",
    "mystery",
    "verifiable",
    "reads_cards",
)
"""What of a setup is written as it stands."""
SINCE = {"verifiable": False, "reads_cards": False}
"""What records from before it was there do not say, and what it was then."""


def encode_setup(setup: Setup) -> dict[str, Any]:
    """A setup as JSON."""
    return {
        "edition": setup.elected.edition.name,
        "elections": dict(setup.elected.choices),
        **{name: encoded(getattr(setup, name)) for name in STATED},
        "limits": {name: [limits.minimum, limits.maximum] for name, limits in setup.limits.items()},
        "meters": [encoded(plan) for plan in setup.meters.values()],
        "draws": dict(setup.draws),
    }


def decode_setup(data: Any) -> Setup:
    """The setup that JSON describes; what is missing or wrong is refused with its key."""
    if isinstance(data, dict):
        data = {**SINCE, **data}
    expected = {"edition", "elections", *STATED, "limits", "meters", "draws"}
    if not isinstance(data, dict) or data.keys() != expected:
        raise Malformed("table", f"the keys must be {', '.join(sorted(expected))}")
    hints = get_type_hints(Setup)
    stated = {name: decoder(_bare(hints[name]))(data[name], f"table.{name}") for name in STATED}
    integer, text = _plain(int), _plain(str)
    pair = _pair((integer, integer))
    limits = {
        name: Limits(*(Cents(bound) for bound in pair(bounds, f"table.limits.{name}")))
        for name, bounds in _mapping(data["limits"], "table.limits").items()
    }
    plans = [_dataclass(MeterPlan)(plan, "table.meters") for plan in _list(data["meters"], "table.meters")]
    chosen = {
        name: text(choice, "table.elections") for name, choice in _mapping(data["elections"], "table.elections").items()
    }
    return Setup(
        elected=edition(text(data["edition"], "table.edition")).elect(chosen),
        limits=limits,
        meters={plan.name: plan for plan in plans},
        draws={name: integer(every, "table.draws") for name, every in _mapping(data["draws"], "table.draws").items()},
        **stated,
    )


def _mapping(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(place, f"{value!r} is not a table of values")
    return value


def _bare(hint: Any) -> Any:
    """`Cents` is a number in JSON."""
    return int | None if hint == Cents | None else hint

"""The codec of records: events and setups as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, get_type_hints

from croupier.core.codec import Codec, Converter, Layout, require_list, require_object
from croupier.core.errors import InputError
from croupier.core.money import Cents
from croupier.progressive.meter_plans import MeterPlan
from croupier.progressive.mystery import MYSTERY
from croupier.regulations import Edition, edition
from croupier.submissions.model import WagerLimits
from croupier.table.model import events as e
from croupier.table.model.setup import CardSource, Setup, progressives_on_chips
from croupier.table.record.upcasting import add_version, upcast

EVENT_TYPES: Mapping[str, type[e.Event]] = {
    kind.__name__: kind
    for kind in vars(e).values()
    if isinstance(kind, type) and issubclass(kind, e.Event) and kind is not e.Event
}
"""Every kind of event by its name."""

RECORD_CODEC = Codec(Layout.NAMED)
"""The codec of events and setups, as in records."""
encode_value = RECORD_CODEC.encode
decoder = RECORD_CODEC.decoder


def encode_event(event: e.Event) -> dict[str, Any]:
    """An event as JSON, its kind first."""
    return add_version({"event": type(event).__name__, **encode_value(event)})


def decode_event(data: Any) -> e.Event:
    """The event that JSON describes, older versions included; refuses an unknown kind and missing or wrong values."""
    data = upcast(data) if isinstance(data, dict) else data
    if not isinstance(data, dict) or data.get("event") not in EVENT_TYPES:
        kind = data.get("event") if isinstance(data, dict) else data
        raise InputError("event", f"{kind!r} is not a kind of event")
    values = {name: value for name, value in data.items() if name != "event"}
    event: e.Event = decoder(EVENT_TYPES[data["event"]])(values, data["event"])
    return event


PLAIN_SETUP_FIELDS = (
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
    "card_source",
    "smallest_chip",
    "substitute_methods",
    "substitute_shufflers",
    "device_approval",
    "procedure_version",
)
"""Fields of a setup that are written unchanged."""
LATER_SETUP_DEFAULTS = {
    "verifiable": False,
    "card_source": "system",
    "smallest_chip": 0,
    "substitute_methods": [],
    "substitute_shufflers": [],
    "device_approval": "",
    "procedure_version": 1,
}
"""Values of fields that older records do not have."""


def encode_setup(setup: Setup) -> dict[str, Any]:
    """A setup as JSON."""
    return {
        "edition": setup.elected.edition.name,
        "elections": dict(setup.elected.choices),
        **{name: encode_value(getattr(setup, name)) for name in PLAIN_SETUP_FIELDS},
        "limits": {name: [limits.minimum, limits.maximum] for name, limits in setup.limits.items()},
        "meters": [encode_value(plan) for plan in setup.meters.values()],
        "meter_amounts": {name: encode_value(amount) for name, amount in setup.meter_amounts.items()},
        "draws": dict(setup.draws),
    }


def decode_setup(data: Any) -> Setup:
    """The setup that JSON describes; refuses missing or wrong values with their key."""
    if isinstance(data, dict):
        data = {**LATER_SETUP_DEFAULTS, **_state_card_source(data)}
        data.setdefault("meter_amounts", _seeds(data.get("meters")))
    expected = {"edition", "elections", *PLAIN_SETUP_FIELDS, "limits", "meters", "meter_amounts", "draws"}
    if not isinstance(data, dict) or data.keys() != expected:
        raise InputError("table", f"the keys must be {', '.join(sorted(expected))}")
    hints = get_type_hints(Setup)
    plain = {name: decoder(hints[name])(data[name], f"table.{name}") for name in PLAIN_SETUP_FIELDS}
    integer, text, pair, fraction = decoder(int), decoder(str), decoder(tuple[int, int]), decoder(Fraction)
    limits = {
        name: WagerLimits(*(Cents(bound) for bound in pair(bounds, f"table.limits.{name}")))
        for name, bounds in require_object(data["limits"], "table.limits").items()
    }
    plans = [decoder(MeterPlan)(plan, "table.meters") for plan in require_list(data["meters"], "table.meters")]
    choices = {
        name: text(choice, "table.elections")
        for name, choice in require_object(data["elections"], "table.elections").items()
    }
    rules = edition(text(data["edition"], "table.edition"))
    return Setup(
        elected=rules.elect({**_later_choices(rules, limits), **choices}),
        limits=limits,
        meters={plan.name: plan for plan in plans},
        meter_amounts={
            name: fraction(amount, f"table.meter_amounts.{name}")
            for name, amount in require_object(data["meter_amounts"], "table.meter_amounts").items()
        },
        draws={
            name: integer(interval, "table.draws")
            for name, interval in require_object(data["draws"], "table.draws").items()
        },
        **plain,
    )


def _state_card_source(data: dict[str, Any]) -> dict[str, Any]:
    """Older setups only state whether cards are read at the shoe."""
    if "reads_cards" not in data or "card_source" in data:
        return data
    source = CardSource.READING_SHOE if decoder(bool)(data["reads_cards"], "table.reads_cards") else CardSource.SYSTEM
    return {**{name: value for name, value in data.items() if name != "reads_cards"}, "card_source": source.value}


def _seeds(plans: Any) -> dict[str, Any]:
    """In older records the seed of a meter is the amount before the first round, whatever it resets to."""
    return {
        str(plan["name"]): plan["seed"]
        for plan in (plans if isinstance(plans, list) else ())
        if isinstance(plan, dict) and {"name", "seed"} <= plan.keys() and plan["name"] != MYSTERY
    }


def _later_choices(rules: Edition, limits: Mapping[str, WagerLimits]) -> dict[str, str]:
    """How older records played what can be elected since: they state no choice.

    A table could offer both progressives, and the system validated wins wherever it took the steps.
    """
    offers_both = len([name for name in progressives_on_chips(rules) if name in limits]) > 1
    later = {"progressives_at_one_table": "both" if offers_both else "one", "win_validation": "system"}
    return {name: choice for name, choice in later.items() if name in rules.elections}


SETUP_CONVERTER = Converter(encode_setup, lambda value, _: decode_setup(value))
"""Converts a setup inside another value; its edition is written by name."""

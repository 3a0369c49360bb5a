"""A scenario: one round in a file, with its deck, wagers, decisions and irregularities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.cards import DECK, Card, parse_cards
from croupier.errors import Malformed
from croupier.money import Cents, dollars
from croupier.rules import Edition, Elected, edition
from croupier.strict import Section, read_toml

METHODS = ("manual_shoe", "hand", "automated_shoe")
IRREGULARITIES = ("face_up_card", "dealer_card_exposed", "community_card_exposed", "misdealt", "shoe_jam")
WHEN = ("decisions", "street_2", "street_3", "reveal")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """What one seat wagers and decides."""

    seat: int
    wagers: Mapping[str, Cents]
    decisions: tuple[str, ...]
    place: str
    """Where in the file it stands."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that goes wrong before some point of the round."""

    kind: str
    before: str
    cards: frozenset[int]
    place: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """A round to play."""

    file: str
    elected: Elected
    dealing: str
    order: tuple[int, ...]
    seats: tuple[SeatPlan, ...]
    irregularities: tuple[Irregularity, ...]
    payout_limit: Cents | None
    meters: Mapping[str, Cents]
    """Amounts before the round, by meter."""
    resets: Mapping[str, Cents]
    rates: Mapping[str, Fraction]
    magic_card: int | None
    lucky_position: int | None
    """A seat, or 0 for the dealer."""


def read_scenario(path: Path) -> Scenario:
    """The scenario in a file; the first thing wrong with it is refused with file and key."""
    return parse_scenario(read_toml(path), str(path))


def parse_scenario(data: Mapping[str, Any], file: str) -> Scenario:
    """As `read_scenario`, from data that was read already."""
    root = Section(data, file)
    try:
        rules = edition(root.text("edition"))
    except Malformed as error:
        raise Malformed(f"{file}, edition", error.reason) from error
    section = root.section("elections")
    chosen = {name: section.text(name) for name in section.data}
    try:
        elected = rules.elect(chosen)
    except Malformed as error:
        raise Malformed(f"{file}, elections.{error.place}", error.reason, error.clause) from error
    limits = root.section("limits")
    payout_limit = _money(limits, "payout") if "payout" in limits else None
    limits.close()
    if payout_limit is not None and rules.payout_limit is None:
        raise Malformed(
            f"{file}, limits.payout", f"{rules.name} has no payout limit ({rules.clause('no_payout_limit')})"
        )
    scenario = Scenario(
        file=file,
        elected=elected,
        dealing=_one_of(root, "dealing", METHODS, "manual_shoe"),
        order=_order(root),
        seats=_seats(root),
        irregularities=tuple(_irregularity(section) for section in root.list_of_sections("irregularities")),
        payout_limit=payout_limit,
        meters=_amounts(root, "meters"),
        resets=_amounts(root, "resets"),
        rates=_rates(root),
        **_drawn(root, rules),
    )
    _require_free_meters(scenario)
    root.close()
    return scenario


def _money(section: Section, key: str) -> Cents:
    try:
        return dollars(section.value(key))
    except Malformed as error:
        raise Malformed(f"{section.file}, {section.key(key)}", error.reason) from error


def _amounts(root: Section, name: str) -> Mapping[str, Cents]:
    section = root.section(name)
    return {meter: _money(section, meter) for meter in section.data}


def _rates(root: Section) -> Mapping[str, Fraction]:
    section = root.section("rates")
    found = {}
    for meter in section.data:
        text = section.text(meter).removesuffix("%").strip()
        if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", text):
            section.fault(meter, f'{section.text(meter)!r} is not a percentage such as "4.5"')
        found[meter] = Fraction(text) / 100
    return found


def _drawn(root: Section, rules: Edition) -> dict[str, int | None]:
    """What the system drew: a card, and a seat or the dealer."""
    section = root.section("drawn")
    if section.data and not rules.clause("drawn_by_the_system"):
        root.fault("drawn", f"nothing is drawn by the system in {rules.name}")
    cards = _cards(section, "magic_card") if "magic_card" in section else ()
    if "magic_card" in section and len(cards) != 1:
        section.fault("magic_card", "one card is drawn")
    position = section.value("lucky_position")
    seats = rules.figure("seats")
    valid = position is None or position == "dealer" or (type(position) is int and 1 <= position <= seats)
    if not valid:
        section.fault("lucky_position", f'{position!r} is neither a seat from 1 to {seats} nor "dealer"')
    section.close()
    return {
        "magic_card": cards[0].index if cards else None,
        "lucky_position": 0 if position == "dealer" else position,
    }


def _require_free_meters(scenario: Scenario) -> None:
    """Rates and resets are the operator's only where the edition leaves them to him."""
    edition = scenario.elected.edition
    for key, stated in (("rates", scenario.rates), ("resets", scenario.resets)):
        for meter in stated:
            if not edition.clause("meter_rate"):
                clause = edition.clause("fixed_meters") or edition.clause("wagers_offered")
                raise Malformed(f"{scenario.file}, {key}.{meter}", f"amounts and rates are fixed ({clause})")


def _one_of(section: Section, key: str, choices: tuple[str, ...], fallback: str) -> str:
    value = section.text(key, fallback)
    if value not in choices:
        section.fault(key, f"{value!r} is none of {', '.join(choices)}")
    return value


def _cards(section: Section, key: str) -> tuple[Card, ...]:
    try:
        return parse_cards(section.text(key))
    except Malformed as error:
        raise Malformed(f"{section.file}, {section.key(key)}", error.reason) from error


def _order(root: Section) -> tuple[int, ...]:
    """The deck, top card first; cards left out follow in the order of the deck."""
    listed = [card.index for card in (_cards(root, "deck") if "deck" in root else ())]
    return (*listed, *(card.index for card in DECK if card.index not in listed))


def _seats(root: Section) -> tuple[SeatPlan, ...]:
    plans: list[SeatPlan] = []
    for section in root.list_of_sections("seats"):
        wagers = section.section("wagers", required=True)
        plan = SeatPlan(
            seat=section.integer("seat"),
            wagers={name: _money(wagers, name) for name in wagers.data},
            decisions=tuple(section.texts("decisions", [])),
            place=section.path,
        )
        if any(other.seat == plan.seat for other in plans):
            section.fault("seat", f"seat {plan.seat} stands there twice")
        section.close()
        plans.append(plan)
    if not plans:
        root.fault("seats", "is missing: at least one seat must play")
    return tuple(plans)


def _irregularity(section: Section) -> Irregularity:
    kind = _one_of(section, "kind", IRREGULARITIES, section.text("kind"))
    cards = frozenset(card.index for card in _cards(section, "cards")) if "cards" in section else frozenset()
    if (kind == "face_up_card") != bool(cards):
        section.fault("cards", "goes with a face_up_card, and only with it")
    found = Irregularity(kind, _one_of(section, "before", WHEN, "decisions"), cards, section.path)
    section.close()
    return found

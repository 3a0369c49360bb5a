"""A scenario: one round in a file, with its deck, wagers, decisions and irregularities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.core.cards import DECK, Card, parse_cards
from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.money import Cents, format_money, parse_money
from croupier.core.toml_reader import Section, format_value, read_toml
from croupier.regulations import Edition, ElectedEdition, edition, is_edition, unknown_edition_message

METHODS = ("manual_shoe", "hand", "automated_shoe")
IRREGULARITIES = ("face_up_card", "dealer_card_exposed", "community_card_exposed", "misdealt", "shoe_jam")
UNKNOWN_CARD = "?"
"""A card of the deck that is not known."""
WHEN = ("decisions", "street_2", "street_3", "reveal")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The wagers and decisions of one seat."""

    seat: int
    wagers: Mapping[str, Cents]
    decisions: tuple[str, ...]
    place: str
    """Its path in the file, for errors."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something that goes wrong before a point of the round."""

    kind: str
    before: str
    cards: frozenset[int]
    place: str
    where: str = ""
    """Where a wrong number of cards lies, such as `dealer`; empty for the first hand."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A round to play."""

    file: str
    elected: ElectedEdition
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
    unknown: frozenset[int] = frozenset()
    """Positions of the deck whose cards are not known; `order` has any other card there."""


def read_scenario(path: Path) -> Scenario:
    """Reads a scenario from a file; raises `InputError` with the file and key of the first problem."""
    return parse_scenario(read_toml(path), str(path))


def parse_scenario(data: Mapping[str, Any], file: str) -> Scenario:
    """Like `read_scenario`, from parsed TOML."""
    root = Section(data, file)
    name = root.value("edition")
    if not is_edition(name):
        raise InputError(f"{file}, edition", unknown_edition_message(name))
    rules = edition(name)
    section = root.section("elections")
    elections = {name: section.text(name) for name in section.data}
    try:
        elected = rules.elect(elections)
    except InputError as error:
        raise InputError(f"{file}, elections.{error.place}", error.reason, error.clause) from error
    limits = root.section("limits")
    payout_limit = _parse_money(limits, "payout") if "payout" in limits else None
    limits.close()
    if payout_limit is not None:
        _require_payout_limit(rules, payout_limit, f"{file}, limits.payout")
    scenario = Scenario(
        file=file,
        elected=elected,
        dealing=_parse_choice(root, "dealing", METHODS, "manual_shoe"),
        **_parse_deck(root),
        seats=_parse_seats(root),
        irregularities=tuple(_parse_irregularity(section) for section in root.list_of_sections("irregularities")),
        payout_limit=payout_limit,
        meters=_parse_amounts(root, "meters"),
        resets=_parse_amounts(root, "resets"),
        rates=_parse_rates(root),
        **_parse_draws(root, rules),
    )
    _require_free_meters(scenario)
    _require_known_face_up_cards(scenario)
    root.close()
    return scenario


def _parse_money(section: Section, key: str) -> Cents:
    try:
        return parse_money(section.value(key))
    except InputError as error:
        raise InputError(f"{section.file}, {section.key(key)}", error.reason) from error


def _require_payout_limit(rules: Edition, limit: Cents, place: str) -> None:
    """Refuses a payout limit if the edition has none, or below the edition's minimum."""
    rule = rules.payout_limit
    if rule is None:
        raise InputError(place, f"{rules.name} has no payout limit ({rules.clause('no_payout_limit')})")
    if limit < rule.floor:
        reason = f"a payout limit must be at least {format_money(rule.floor)}, not {format_money(limit)}"
        raise InputError(place, f"{reason} ({rule.clause})")


def _parse_amounts(root: Section, name: str) -> Mapping[str, Cents]:
    section = root.section(name)
    return {meter: _parse_money(section, meter) for meter in section.data}


def _parse_rates(root: Section) -> Mapping[str, Fraction]:
    section = root.section("rates")
    rates = {}
    for meter in section.data:
        text = section.text(meter).removesuffix("%").strip()
        if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", text):
            section.fault(meter, f'{section.text(meter)!r} is not a percentage such as "4.5"')
        rates[meter] = Fraction(text) / 100
    if sum(rates.values()) >= 1:
        root.fault("rates", "all meters together must take less than 100 % of the wager")
    return rates


def _parse_draws(root: Section, rules: Edition) -> dict[str, Any]:
    """What the system drew: a card, and a seat or the dealer."""
    section = root.section("drawn")
    if section.data and not rules.clause("drawn_by_the_system"):
        root.fault("drawn", f"the system draws nothing in {rules.name}")
    cards = _parse_cards(section, "magic_card") if "magic_card" in section else ()
    if "magic_card" in section and len(cards) != 1:
        section.fault("magic_card", "must be one card")
    position = section.value("lucky_position")
    seats = rules.figure("seats")
    is_valid = position is None or position == "dealer" or (type(position) is int and 1 <= position <= seats)
    if not is_valid:
        section.fault("lucky_position", f'{format_value(position)} is neither a seat from 1 to {seats} nor "dealer"')
    section.close()
    return {
        "magic_card": cards[0].index if cards else None,
        "lucky_position": 0 if position == "dealer" else position,
    }


def _require_free_meters(scenario: Scenario) -> None:
    """Refuses meters if the edition has none, and rates and resets if the edition fixes them."""
    edition = scenario.elected.edition
    for key in ("meters", "rates", "resets"):
        values = getattr(scenario, key)
        if values and not edition.progressives:
            reason = f"{edition.name} has no progressive wagers and no meters ({edition.clause('wagers_offered')})"
            raise InputError(f"{scenario.file}, {key}.{next(iter(values))}", reason)
    for key, values in (("rates", scenario.rates), ("resets", scenario.resets)):
        for meter in values:
            if not edition.clause("meter_rate"):
                reason = f"amounts and rates of meters are fixed ({edition.clause('fixed_meters')})"
                raise InputError(f"{scenario.file}, {key}.{meter}", reason)


def _parse_choice(section: Section, key: str, choices: tuple[str, ...], default: str) -> str:
    value = section.text(key, default)
    if value not in choices:
        section.fault(key, f"{value!r} is not one of {', '.join(choices)}")
    return value


def _parse_cards(section: Section, key: str) -> tuple[Card, ...]:
    try:
        return parse_cards(section.text(key))
    except InputError as error:
        raise InputError(f"{section.file}, {section.key(key)}", error.reason) from error


def _parse_deck(root: Section) -> dict[str, Any]:
    """The deck, top card first, and the positions that are not known.

    Cards left out follow in the order of the deck; but if a card is `?`, nothing is known about them either.
    """
    words = root.text("deck").split() if "deck" in root else []
    if UNKNOWN_CARD not in words:
        listed_cards = [card.index for card in (_parse_cards(root, "deck") if words else ())]
        return {"order": (*listed_cards, *(card.index for card in DECK if card.index not in listed_cards))}
    if len(words) > len(DECK):
        root.fault("deck", f"has {len(words)} cards, but a deck has {len(DECK)}")
    try:
        cards = parse_cards(" ".join(word for word in words if word != UNKNOWN_CARD))
    except InputError as error:
        raise InputError(f"{root.file}, deck", error.reason) from error
    card_numbers = iter(card.index for card in cards)
    others = iter(card.index for card in DECK if card not in cards)
    words += [UNKNOWN_CARD] * (len(DECK) - len(words))
    return {
        "order": tuple(next(others if word == UNKNOWN_CARD else card_numbers) for word in words),
        "unknown": frozenset(position for position, word in enumerate(words) if word == UNKNOWN_CARD),
    }


def _require_known_face_up_cards(scenario: Scenario) -> None:
    """Refuses a face-up card that is not among the known cards of an incomplete deck."""
    unknown_cards = {scenario.order[position] for position in scenario.unknown}
    for irregularity in scenario.irregularities:
        if missing := sorted(irregularity.cards & unknown_cards):
            raise InputError(
                f"{scenario.file}, {irregularity.place}.cards",
                f"{DECK[missing[0]]} was found face up: the deck must say where it was",
            )


def _parse_seats(root: Section) -> tuple[SeatPlan, ...]:
    plans: list[SeatPlan] = []
    for section in root.list_of_sections("seats"):
        wagers = section.section("wagers", required=True)
        plan = SeatPlan(
            seat=section.integer("seat"),
            wagers={name: _parse_money(wagers, name) for name in wagers.data},
            decisions=tuple(section.texts("decisions", [])),
            place=section.path,
        )
        if any(other.seat == plan.seat for other in plans):
            section.fault("seat", f"seat {plan.seat} is listed twice")
        section.close()
        plans.append(plan)
    if not plans:
        root.fault("seats", "is missing: at least one seat must play")
    return tuple(plans)


def _parse_irregularity(section: Section) -> Irregularity:
    kind = _parse_choice(section, "kind", IRREGULARITIES, section.text("kind"))
    cards = frozenset(card.index for card in _parse_cards(section, "cards")) if "cards" in section else frozenset()
    if kind == "face_up_card" and not cards:
        section.fault("cards", 'is missing: list the cards found face up, as in "7d 2c"')
    if kind != "face_up_card" and "cards" in section:
        section.fault("cards", f"applies to face_up_card only, not to {kind}")
    if kind != "misdealt" and "where" in section:
        section.fault("where", f"applies to misdealt only, not to {kind}")
    before = _parse_choice(section, "before", WHEN, "decisions")
    irregularity = Irregularity(kind, before, cards, section.path, section.text("where", ""))
    section.close()
    return irregularity


def require_known_cards(scenario: Scenario) -> None:
    """Refuses a round with unknown cards, which cannot be settled; only a ruling says what is certain."""
    if scenario.unknown:
        reason = "has cards that are not known: croupier ruling says what follows from the others"
        raise InputError(f"{scenario.file}, deck", reason)

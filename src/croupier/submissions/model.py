"""A Rules Submission: every election that an operator makes for a table, read from TOML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.money import Cents, parse_money
from croupier.core.toml_reader import Section, format_value, read_toml
from croupier.regulations import Edition, ElectedEdition, edition, is_edition, unknown_edition_message
from croupier.regulations.clauses import clause_ids

DEALING_METHODS = ("manual_shoe", "hand", "automated_shoe")
SHUFFLERS = ("none", "automated", "counting", "reshuffling")
ODD_CENTS = ("exact", "up")
DEFAULT_SMALLEST_CHIP = Cents(50)
_PERCENT = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?%")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a submission: its key, the clause it breaks (if any), and a sentence."""

    key: str
    clause: str
    message: str


@dataclass(frozen=True, slots=True)
class WagerLimits:
    """The minimum and maximum of a wager."""

    minimum: Cents
    maximum: Cents


@dataclass(frozen=True, slots=True)
class Dealing:
    """How cards are shuffled and dealt."""

    method: str
    shuffler: str
    decks: int
    backs: tuple[str, ...]
    same_design: bool
    cover_card: bool
    preshuffled: bool
    device_approval: str
    shoe_location: str
    dealer_cards_first: bool
    four_card_stacks: bool
    substitute_methods: tuple[str, ...]
    """Dealing methods for when the shoe is out of order, besides the manual shoe."""
    substitute_shufflers: tuple[str, ...]
    """Shufflers for when the usual one is out of order, besides a shuffle by hand."""

    @property
    def has_shuffler(self) -> bool:
        return self.shuffler in ("automated", "counting", "reshuffling")


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """What the operator sets for one meter."""

    initial: Cents | None
    reset: Cents | None
    rate: Fraction | None


@dataclass(frozen=True, slots=True)
class Progressive:
    """How a progressive wager is offered."""

    amount: Cents | None
    link: str
    link_system: str
    system: str
    devices: bool
    lock_out: bool
    meters: Mapping[str, MeterTerms]
    limits: Mapping[str, Cents]
    """The highest amount of each meter, by tier; a meter that is not listed has no limit."""


@dataclass(frozen=True, slots=True)
class Electronic:
    """The electronic wagering system of the Five Card Hand Bonus."""

    system: str
    devices: bool
    lock_out: bool
    magic_card_one_round_in: int
    lucky_bonus_one_round_in: int
    limit: Cents | None
    """The highest amount of the meter."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The table as it is described to the regulator."""

    filing: str
    positions: int
    dealer_opposite: bool
    operator_name: bool
    areas: tuple[str, ...]
    card_areas: tuple[str, ...]
    inscriptions: tuple[str, ...]
    odds: str
    payout_limit: str
    drop_box: str
    tip_box: str
    tip_box_approval: str
    discard_rack: bool


@dataclass(frozen=True, slots=True)
class Submission:
    """A Rules Submission. `elected` has all choices; `stated` only those that the file states."""

    edition: Edition
    elected: ElectedEdition
    stated: Mapping[str, str]
    operator: str
    version: str
    approved: date | None
    seats: int
    adjacent_boxes: int | None
    odd_cents: str
    wagers: Mapping[str, WagerLimits]
    payout_limit: Cents | None
    smallest_chip: Cents
    """The chip with the least value that the table takes: every wager is a multiple of it."""
    dealing: Dealing
    progressive: Progressive | None
    electronic: Electronic | None
    layout: TableLayout
    attested: frozenset[str]
    """The keys of all statements that are true or false and that the file makes."""

    def offers(self, wager: str) -> bool:
        """Whether the wager can be made at this table. Wagers made in play or with another wager need no entry."""
        rule = self.edition.wagers[wager]
        return wager in self.wagers or rule.made_in_play or (bool(rule.equals) and rule.equals in self.wagers)


@dataclass()
class _Reader:
    """Reads a file and collects problems of its form."""

    problems: list[Problem] = field(default_factory=list)

    def report(self, key: str, message: str) -> None:
        self.problems.append(Problem(key, "", message))

    def money(self, section: Section, name: str) -> Cents | None:
        if name not in section:
            section.text(name, "")
            return None
        try:
            return parse_money(section.value(name))
        except InputError as error:
            section.fault(name, error.reason)
            return None

    def one_of(self, section: Section, name: str, choices: tuple[str, ...], fallback: str) -> str:
        value = section.text(name, fallback)
        if value not in choices:
            section.fault(name, f"{value!r} is not one of {', '.join(choices)}")
            return fallback
        return value

    def some_of(self, section: Section, name: str, choices: tuple[str, ...]) -> tuple[str, ...]:
        values = section.texts(name, [])
        for value in values:
            if value not in choices:
                section.fault(name, f"{value!r} is not one of {', '.join(choices)}")
        return tuple(value for value in values if value in choices)

    def percent(self, section: Section, name: str) -> Fraction | None:
        text = section.text(name, "")
        if not text:
            return None
        if not _PERCENT.fullmatch(text):
            section.fault(name, f'{text!r} is not a percentage such as "4.5%"')
            return None
        return Fraction(text.removesuffix("%")) / 100


def read_submission(path: Path) -> tuple[Submission | None, list[Problem]]:
    """The submission in a file and the problems of its form; `None` if it names no edition.

    Raises `InputError` for a file that is not TOML.
    """
    return parse_submission(read_toml(path), str(path))


def parse_submission(data: Mapping[str, Any], file: str) -> tuple[Submission | None, list[Problem]]:
    """As `read_submission`, from parsed TOML."""
    reader = _Reader()
    root = Section(data, file, report=reader.report)
    name = root.value("edition")
    if not is_edition(name):
        reader.report("edition", unknown_edition_message(name))
        return None, reader.problems
    rules = edition(name)
    stated = _read_elections(root.section("elections"), rules, reader)
    payout_limit, smallest_chip = _limits(root.section("limits"), reader)
    submission = Submission(
        edition=rules,
        elected=_elect(stated, rules, reader),
        stated=stated,
        operator=root.text("operator", ""),
        version=root.text("version", ""),
        approved=_date(root, "approved"),
        seats=root.integer("seats", rules.figure("seats")),
        adjacent_boxes=root.integer("adjacent_boxes", -1) if "adjacent_boxes" in root else None,
        odd_cents=root.text("odd_cents", "exact"),
        wagers=_wagers(root.section("wagers"), rules, reader),
        payout_limit=payout_limit,
        smallest_chip=smallest_chip,
        dealing=_dealing(root.section("dealing"), reader),
        progressive=_progressive(root.section("progressive"), reader) if "progressive" in root else None,
        electronic=_electronic(root.section("electronic"), reader) if "electronic" in root else None,
        layout=_layout(root.section("layout"), reader),
        attested=frozenset(
            f"{section}.{key}"
            for section in ("dealing", "progressive", "electronic", "layout")
            if isinstance(data.get(section), dict)
            for key, value in data[section].items()
            if isinstance(value, bool)
        ),
    )
    root.value("adjacent_boxes")
    root.close()
    return submission, reader.problems


def _read_elections(section: Section, rules: Edition, reader: _Reader) -> Mapping[str, str]:
    stated: dict[str, str] = {}
    for name in section.data:
        choice = section.text(name)
        if not isinstance(section.data[name], str):
            continue
        try:
            rules.require_choice(name, choice)
            stated[name] = choice
        except InputError as error:
            clauses = rules.elections[name].clauses if name in rules.elections else ()
            # A reading that several regulations share lists clauses of each.
            clause = next((clause for clause in clauses if clause in clause_ids(rules.name)), "")
            reader.problems.append(Problem(section.key(name), clause, error.reason))
    return stated


def _elect(stated: Mapping[str, str], rules: Edition, reader: _Reader) -> ElectedEdition:
    """The choices made; one that contradicts another is reported and left out."""
    try:
        return rules.elect(stated)
    except InputError as error:
        reader.problems.append(Problem(f"elections.{error.place}", error.clause, error.reason))
        return rules.elect({name: choice for name, choice in stated.items() if name != error.place})


def _date(section: Section, name: str) -> date | None:
    value = section.value(name)
    if value is not None and type(value) is not date:
        section.fault(name, f"{format_value(value)} is not a date such as 2026-01-31")
        return None
    return value


def _wagers(section: Section, rules: Edition, reader: _Reader) -> Mapping[str, WagerLimits]:
    limits: dict[str, WagerLimits] = {}
    for name, wager in section.children().items():
        rule = rules.wagers.get(name)
        if rule is None:
            message = f"{rules.name} has no wager {name!r}; it has {', '.join(rules.wagers)}"
            reader.problems.append(Problem(section.key(name), rules.clause("wagers_offered"), message))
            continue
        if rule.is_derived:
            lead = rules.wagers[rule.equals].title if rule.equals else ""
            size = f"placed with the {lead}, in the same amount" if lead else "a multiple of the Ante"
            message = f"the {rule.title} has no limits of its own: it is {size}"
            reader.problems.append(Problem(section.key(name), rule.clause, message))
            continue
        if not isinstance(section.data[name], dict):
            limits[name] = WagerLimits(Cents(0), Cents(0))
            continue
        minimum, maximum = reader.money(wager, "minimum"), reader.money(wager, "maximum")
        for bound, amount in (("minimum", minimum), ("maximum", maximum)):
            if bound not in wager:
                wager.fault(bound, f"is missing: state the {bound} of the {rule.title}")
            elif amount == 0:
                wager.fault(bound, f"the {bound} of the {rule.title} must be more than zero")
        if minimum and maximum and minimum > maximum:
            wager.fault("minimum", f"the minimum of the {rule.title} is above its maximum")
        wager.close()
        limits[name] = WagerLimits(minimum or Cents(0), maximum or Cents(0))
    return limits


def _limits(section: Section, reader: _Reader) -> tuple[Cents | None, Cents]:
    """The payout limit, if there is one, and the smallest chip."""
    limit, chip = reader.money(section, "payout"), reader.money(section, "smallest_chip")
    if chip == 0:
        section.fault("smallest_chip", "the smallest chip must be worth more than zero")
    section.close()
    return limit, chip or DEFAULT_SMALLEST_CHIP


def _dealing(section: Section, reader: _Reader) -> Dealing:
    dealing = Dealing(
        method=reader.one_of(section, "method", DEALING_METHODS, "manual_shoe"),
        shuffler=reader.one_of(section, "shuffler", SHUFFLERS, "none"),
        decks=section.integer("decks", 1),
        backs=tuple(section.texts("backs", [])),
        same_design=section.boolean("same_design", True),
        cover_card=section.boolean("cover_card", True),
        preshuffled=section.boolean("preshuffled", False),
        device_approval=section.text("device_approval", ""),
        shoe_location=section.text("shoe_location", ""),
        dealer_cards_first=section.boolean("dealer_cards_first", False),
        four_card_stacks=section.boolean("four_card_stacks", False),
        substitute_methods=reader.some_of(section, "substitute_methods", DEALING_METHODS),
        substitute_shufflers=reader.some_of(section, "substitute_shufflers", SHUFFLERS),
    )
    section.close()
    return dealing


def _progressive(section: Section, reader: _Reader) -> Progressive:
    meters: dict[str, MeterTerms] = {}
    for name, meter in section.sections("meters").items():
        meters[name] = MeterTerms(
            reader.money(meter, "initial"), reader.money(meter, "reset"), reader.percent(meter, "rate")
        )
        meter.close()
    limits = section.section("limits")
    progressive = Progressive(
        amount=reader.money(section, "amount"),
        link=section.text("link", ""),
        link_system=section.text("link_system", ""),
        system=section.text("system", ""),
        devices=section.boolean("devices", False),
        lock_out=section.boolean("lock_out", False),
        meters=meters,
        limits={tier: reader.money(limits, tier) or Cents(0) for tier in limits.data},
    )
    limits.close()
    section.close()
    return progressive


def _electronic(section: Section, reader: _Reader) -> Electronic:
    electronic = Electronic(
        system=section.text("system", ""),
        devices=section.boolean("devices", False),
        lock_out=section.boolean("lock_out", False),
        magic_card_one_round_in=section.integer("magic_card_one_round_in", -1),
        lucky_bonus_one_round_in=section.integer("lucky_bonus_one_round_in", -1),
        limit=reader.money(section, "limit"),
    )
    section.close()
    return electronic


def _layout(section: Section, reader: _Reader) -> TableLayout:
    layout = TableLayout(
        filing=section.text("filing", ""),
        positions=section.integer("positions", 0),
        dealer_opposite=section.boolean("dealer_opposite", True),
        operator_name=section.boolean("operator_name", False),
        areas=tuple(section.texts("areas", [])),
        card_areas=tuple(section.texts("card_areas", [])),
        inscriptions=tuple(section.texts("inscriptions", [])),
        odds=reader.one_of(section, "odds", ("layout", "sign", "none"), "none"),
        payout_limit=reader.one_of(section, "payout_limit", ("layout", "sign", "none"), "none"),
        drop_box=reader.one_of(section, "drop_box", ("left", "right", "none"), "none"),
        tip_box=reader.one_of(section, "tip_box", ("left", "right", "elsewhere", "none"), "none"),
        tip_box_approval=section.text("tip_box_approval", ""),
        discard_rack=section.boolean("discard_rack", False),
    )
    section.close()
    return layout

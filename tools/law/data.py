"""Mutations of a loaded edition: a number changes by one, a condition is negated, a requirement is dropped."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.regulations.edition import Edition, ProgressiveRule, WagerRule
from croupier.regulations.payouts import Dollars, ForOne, Loss, OfMeter, Payout, Push, ToOne
from croupier.regulations.paytables import Paytable, Row

RESTATED_FIGURES = frozenset({"player_cards", "dealer_cards", "bonus_cards", "community_cards", "decks"})
"""Figures that no code reads, because the deal belongs to the game's definition: its mutation is one of code."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of an edition: what it does, and the function that makes it."""

    description: str
    apply: Callable[[], None]


def changes_at(edition: Edition, path: str, clause: str) -> Iterator[Change]:
    """The changes of the data that an edition has at a path for a clause; none where it has only the clause."""
    kind, _, rest = path.partition(".")
    match kind:
        case "figures" if rest not in RESTATED_FIGURES:
            figure = edition.figures[rest]
            yield _set(figure, "value", figure.value + 1, f"{figure.value} becomes {figure.value + 1}")
        case "odds":
            odds = edition.odds[rest]
            yield _set(odds, "pays", raised(odds.pays), f"{odds.pays} becomes {raised(odds.pays)}")
        case "wagers":
            yield from _wager_changes(edition.wagers[rest])
        case "exposure":
            other = {"decisions": "reveal", "reveal": "decisions"}[edition.exposure.until]
            settles = edition.exposure.settles_optional_wagers
            yield _set(edition.exposure, "until", other, f"until the {other}")
            yield _set(
                edition.exposure, "settles_optional_wagers", not settles, f"settles optional wagers: {not settles}"
            )
        case "payout_limit" if edition.payout_limit is not None:
            floor = edition.payout_limit.floor
            yield _set(edition.payout_limit, "floor", floor + 1, "floor one cent higher")
        case "paytables" | "envies":
            yield from _table_changes(_tables(edition, kind, rest), clause)
        case "progressives":
            yield from _progressive_changes(edition, rest)


def _set(value: object, field: str, new: object, description: str) -> Change:
    return Change(description, lambda: object.__setattr__(value, field, new))


def raised(pays: Payout) -> Payout:
    """A payout changed by one: one more unit, one dollar more, half the share; a push for a loss and the reverse."""
    match pays:
        case ToOne(odds):
            return ToOne(odds + 1)
        case ForOne(multiple):
            return ForOne(multiple + 1)
        case OfMeter(share, meter):
            return OfMeter(share / 2, meter)
        case Dollars(cents):
            return Dollars(type(cents)(cents + 100))
        case Push():
            return Loss()
        case Loss():
            return Push()


def _wager_changes(rule: WagerRule) -> Iterator[Change]:
    if rule.needs_all:
        yield _set(rule, "needs_all", (), f"needs no {' or '.join(rule.needs_all)}")
    if rule.needs_any:
        yield _set(rule, "needs_any", (), f"needs neither {' nor '.join(rule.needs_any)}")
    if rule.multiples:
        more = (*rule.multiples, rule.multiples[-1] + 1)
        yield _set(rule, "multiples", more, f"up to {more[-1]} times the Ante")
    if rule.between is not None:
        low, high = rule.between
        yield _set(rule, "between", (low, high + 1), f"up to {high + 1} times the Ante")


def _tables(edition: Edition, kind: str, rest: str) -> Iterator[Paytable]:
    """The tables under a path: `aces_up`, `aces_up.A`, `aces_up.A.flush` or `envy.A.wager_1`."""
    name, _, inner = rest.partition(".")
    letter = inner.partition(".")[0]
    if kind == "paytables":
        yield from (t for each, t in edition.paytables[name].tables.items() if each == letter)
        return
    for each, by_wager in edition.envies[name].tables.items():
        for wager, table in by_wager.items():
            if each == letter and inner.split(".")[1:2] in ([], [f"wager_{wager}"]):
                yield table


def _table_changes(tables: Iterator[Paytable], clause: str) -> Iterator[Change]:
    """One row of each table, chosen by its name, pays one more."""
    for table in tables:
        rows = [row for row in table.rows if row.clause == clause]
        if rows:
            row = rows[zlib.crc32(f"{table.name} {table.letter} {clause}".encode()) % len(rows)]
            description = f"{row.hand.replace('_', ' ')} pays {raised(row.pays)} instead of {row.pays}"
            yield Change(description, _row_changer(table, row))


def _row_changer(table: Paytable, row: Row) -> Callable[[], None]:
    def change() -> None:
        object.__setattr__(row, "pays", raised(row.pays))
        vars(table).pop("row_numbers", None)

    return change


def _progressive_changes(edition: Edition, rest: str) -> Iterator[Change]:
    name, _, inner = rest.partition(".")
    rule: ProgressiveRule = edition.progressives[name]
    if inner == "amounts":
        more = (*rule.amounts, type(rule.amounts[-1])(rule.amounts[-1] + 100))
        yield _set(rule, "amounts", more, "one more amount is allowed")
    elif inner == "scales":
        yield _set(rule, "scales", not rule.scales, f"scales with the wager: {not rule.scales}")
    elif inner:
        letter, _, tier = inner.partition(".")
        meter: Any = rule.meters[letter][tier]
        for field in ("seed", "reseed", "minimum"):
            value = getattr(meter, field)
            if value is not None:
                yield _set(meter, field, type(value)(value + 100), f"{field} one dollar higher")
        for field in ("rate", "reserve_rate"):
            value = getattr(meter, field)
            if value is not None:
                yield _set(meter, field, value + Fraction(1, 100), f"{field.replace('_', ' ')} one percent higher")

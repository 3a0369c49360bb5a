"""Paytables of one's own: turn one number, or bring a whole table, and see what it does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from croupier.errors import Malformed
from croupier.rules import Elected
from croupier.rules.payouts import Dollars, ForOne, Payout, Push, ToOne, parse_payout
from croupier.rules.paytables import Paytable, Row
from croupier.strict import Section, read_toml


def with_pay(elected: Elected, text: str) -> Elected:
    """Elections with one row changed: `aces_up.flush=6 to 1`, or `aces_up.flush=6` in the table's unit."""
    place, equals, pays = text.partition("=")
    name, dot, hand = place.partition(".")
    if not equals or not dot:
        raise Malformed("--pay", f"{text!r} is not of the form TABLE.HAND=PAYOUT")
    table = _table(elected, name, "--pay")
    if hand not in {row.hand for row in table.rows}:
        known = ", ".join(row.hand for row in table.rows)
        raise Malformed("--pay", f"table {name} has no row {hand!r}; it has {known}")
    payout = _payout(pays.strip(), table, "--pay")
    return elected.with_paytable(table.with_pays({hand: payout}))


def with_paytable_file(elected: Elected, path: Path) -> Elected:
    """Elections with a table from a file: `table`, and `[pays]` with a payout for each hand."""
    root = Section(read_toml(path), str(path))
    table = _table(elected, root.text("table"), f"{path}, table")
    section = root.section("pays", required=True)
    rows = []
    for hand in section.data:
        value = section.value(hand)
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        place = f"{path}, pays.{hand}"
        if not isinstance(text, str):
            raise Malformed(place, f"{value!r} is not a payout")
        rows.append(Row(hand, _payout(text, table, place), table.clause))
    root.close()
    changed = replace(table, rows=tuple(rows))
    for hand, problem in changed.problems():
        raise Malformed(f"{path}, pays.{hand}", problem)
    return elected.with_paytable(changed)


def _table(elected: Elected, name: str, place: str) -> Paytable:
    if name not in elected.edition.paytables:
        known = ", ".join(elected.edition.paytables)
        raise Malformed(place, f"{elected.edition.name} has no table {name!r}; it has {known}")
    return elected.paytable(name)


def _payout(text: str, table: Paytable, place: str) -> Payout:
    """A payout, a bare number in the unit of the table; odds below zero are taken, and warned about."""
    negative = text.startswith("-")
    text = text.removeprefix("-")
    if text.isascii() and text.isdigit():
        kind = next((type(row.pays) for row in table.rows if isinstance(row.pays, ToOne | ForOne)), ToOne)
        text = f"{text} {'for' if kind is ForOne else 'to'} 1"
    try:
        payout = parse_payout(text)
        if not negative:
            return payout
        match payout:
            case ToOne(odds):
                return ToOne(-odds)
            case ForOne(multiple):
                return ForOne(-multiple)
            case _:
                raise Malformed("", f"{'-' + text!r} is not a payout: only odds can be below zero")
    except Malformed as error:
        raise Malformed(place, error.reason) from error


def warnings(table: Paytable) -> Iterator[str]:
    """What is odd about a table, though it can be analysed: a negative payout, a better hand that pays less."""
    last: tuple[str, float] | None = None
    for row in table.rows:
        worth = _worth(row.pays)
        if worth is None:
            continue
        if (isinstance(row.pays, ToOne) and worth < 0) or worth < -1:
            yield f"{row.hand} pays {row.pays}, which takes more from the patron than nothing would"
        if last is not None and worth > last[1]:
            yield f"{row.hand} pays more than {last[0]}, which is the better hand"
        last = (row.hand, worth)


def _worth(pays: Payout) -> float | None:
    match pays:
        case ToOne(odds):
            return float(odds)
        case ForOne(multiple):
            return float(multiple) - 1
        case Push():
            return 0.0
        case Dollars():
            return None
        case _:
            return None

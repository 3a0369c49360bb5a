"""Custom paytables: change one payout or load a whole paytable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from croupier.core.errors import InputError
from croupier.core.toml_reader import Section, read_toml
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import Dollars, ForOne, Payout, Push, ToOne, parse_payout
from croupier.regulations.paytables import Paytable, Row


def with_pay(elected: ElectedEdition, text: str) -> ElectedEdition:
    """Elections with one row changed: `aces_up.flush=6 to 1`, or `aces_up.flush=6` in the table's unit."""
    place, equals, pays = text.partition("=")
    name, dot, hand = place.partition(".")
    if not equals or not dot:
        raise InputError("--pay", f"{text!r} is not of the form TABLE.HAND=PAYOUT")
    table = _find_table(elected, name, "--pay")
    if hand not in {row.hand for row in table.rows}:
        hands = ", ".join(row.hand for row in table.rows)
        raise InputError("--pay", f"table {name} has no row {hand!r}; it has {hands}")
    payout = _parse_payout(pays.strip(), table, "--pay")
    return elected.with_paytable(table.with_pays({hand: payout}))


def with_paytable_file(elected: ElectedEdition, path: Path) -> ElectedEdition:
    """Elections with a table from a file: `table`, and `[pays]` with a payout for each hand."""
    root = Section(read_toml(path), str(path))
    table = _find_table(elected, root.text("table"), f"{path}, table")
    section = root.section("pays", required=True)
    rows = []
    for hand in section.data:
        value = section.value(hand)
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        place = f"{path}, pays.{hand}"
        if not isinstance(text, str):
            raise InputError(place, f"{value!r} is not a payout")
        rows.append(Row(hand, _parse_payout(text, table, place), table.clause))
    root.close()
    changed = replace(table, rows=tuple(rows))
    for hand, problem in changed.problems():
        raise InputError(f"{path}, pays.{hand}", problem)
    return elected.with_paytable(changed)


def _find_table(elected: ElectedEdition, name: str, place: str) -> Paytable:
    if name not in elected.edition.paytables:
        names = ", ".join(elected.edition.paytables)
        raise InputError(place, f"{elected.edition.name} has no table {name!r}; it has {names}")
    return elected.paytable(name)


def _parse_payout(text: str, table: Paytable, place: str) -> Payout:
    """Parses a payout; a bare number is in the table's unit. Negative odds are accepted, with a warning."""
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
                raise InputError("", f"{'-' + text!r} is not a payout: only odds can be negative")
    except InputError as error:
        raise InputError(place, error.reason) from error


def paytable_warnings(table: Paytable) -> Iterator[str]:
    """Suspicious rows that can still be analyzed: a negative payout, or a better hand that pays less."""
    previous: tuple[str, float] | None = None
    for row in table.rows:
        odds = _net_odds(row.pays)
        if odds is None:
            continue
        if (isinstance(row.pays, ToOne) and odds < 0) or odds < -1:
            yield f"{row.hand} pays {row.pays}, a negative payout"
        if previous is not None and odds > previous[1]:
            yield f"{row.hand} pays more than {previous[0]}, which is the better hand"
        previous = (row.hand, odds)


def _net_odds(pays: Payout) -> float | None:
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

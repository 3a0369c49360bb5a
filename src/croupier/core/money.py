"""Money as integer cents: read from a decimal string in dollars, never from a float."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NewType

from croupier.core.errors import InputError
from croupier.core.toml_reader import format_value

Cents = NewType("Cents", int)

_DOLLARS = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")


def parse_money(text: object, place: str = "") -> Cents:
    """Parses a decimal string of dollars.

    >>> parse_money("12.50")
    1250
    >>> parse_money("12.505")
    Traceback (most recent call last):
    croupier.core.errors.InputError: '12.505' is not an amount in dollars and cents such as "12.50"
    """
    match = _DOLLARS.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InputError(place, f'{format_value(text)} is not an amount in dollars and cents such as "12.50"')
    dollars, fraction = match.groups()
    return Cents(int(dollars) * 100 + int((fraction or "0").ljust(2, "0")))


def is_amount(text: str) -> bool:
    """Whether a string is an amount in dollars and cents."""
    return _DOLLARS.fullmatch(text) is not None


def format_money(cents: int) -> str:
    """Cents as people write them.

    >>> format_money(1250)
    '$12.50'
    >>> format_money(-5_000_000)
    '-$50,000'
    """
    sign = "-" if cents < 0 else ""
    dollars, fraction = divmod(abs(cents), 100)
    return f"{sign}${dollars:,}" + (f".{fraction:02d}" if fraction else "")


def format_amounts(amounts: Sequence[int]) -> str:
    """Amounts to choose from.

    >>> format_amounts([10_00, 20_00, 30_00]), format_amounts([5_00])
    ('$10, $20 or $30', '$5')
    """
    *others, last = (format_money(cents) for cents in amounts)
    return f"{', '.join(others)} or {last}" if others else last


def format_signed_money(cents: int) -> str:
    """A gain or a loss, with its sign.

    >>> format_signed_money(1250), format_signed_money(-500), format_signed_money(0)
    ('+$12.50', '-$5', '$0')
    """
    return f"+{format_money(cents)}" if cents > 0 else format_money(cents)

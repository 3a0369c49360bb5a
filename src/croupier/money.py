"""Money as integer cents: read from a decimal string in dollars, never from a float."""

from __future__ import annotations

import re
from typing import NewType

from croupier.errors import Malformed
from croupier.written import as_written

Cents = NewType("Cents", int)

_DOLLARS = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")


def dollars(text: object, place: str = "") -> Cents:
    """The cents in a decimal string of dollars.

    >>> dollars("12.50")
    1250
    >>> dollars("12.505")
    Traceback (most recent call last):
    croupier.errors.Malformed: '12.505' is not an amount in dollars and cents such as "12.50"
    """
    match = _DOLLARS.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise Malformed(place, f'{as_written(text)} is not an amount in dollars and cents such as "12.50"')
    whole, fraction = match.groups()
    return Cents(int(whole) * 100 + int((fraction or "0").ljust(2, "0")))


def is_amount(text: str) -> bool:
    """Whether a text is an amount in dollars and cents."""
    return _DOLLARS.fullmatch(text) is not None


def show(cents: int) -> str:
    """Cents as people write them.

    >>> show(1250)
    '$12.50'
    >>> show(-5_000_000)
    '-$50,000'
    """
    sign = "-" if cents < 0 else ""
    whole, fraction = divmod(abs(cents), 100)
    return f"{sign}${whole:,}" + (f".{fraction:02d}" if fraction else "")


def signed(cents: int) -> str:
    """A gain or a loss, with its sign.

    >>> signed(1250), signed(-500), signed(0)
    ('+$12.50', '-$5', '$0')
    """
    return f"+{show(cents)}" if cents > 0 else show(cents)

"""The payouts of paytable rows, as types."""

from __future__ import annotations

import re
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.money import Cents, format_money


@dataclass(frozen=True, slots=True)
class ToOne:
    """Odds: winnings on top of the stake, which is returned."""

    odds: Fraction

    def __str__(self) -> str:
        return f"{self.odds.numerator:,} to {self.odds.denominator}"


@dataclass(frozen=True, slots=True)
class ForOne:
    """The total paid per unit of a stake that is not returned."""

    multiple: Fraction

    def __str__(self) -> str:
        return f"{self.multiple.numerator:,} for {self.multiple.denominator}"


@dataclass(frozen=True, slots=True)
class OfMeter:
    """A share of a progressive meter: `main` if there is only one, otherwise mega, major or minor."""

    share: Fraction
    meter: str

    def __str__(self) -> str:
        return f"{self.share * 100}% of {'meter' if self.meter == 'main' else self.meter}"


@dataclass(frozen=True, slots=True)
class Dollars:
    """A fixed amount regardless of the stake, which is returned."""

    cents: Cents

    def __str__(self) -> str:
        return format_money(self.cents)


@dataclass(frozen=True, slots=True)
class Push:
    """The stake is returned and nothing is paid."""

    def __str__(self) -> str:
        return "push"


@dataclass(frozen=True, slots=True)
class Loss:
    """The stake is collected."""

    def __str__(self) -> str:
        return "loss"


Payout = ToOne | ForOne | OfMeter | Dollars | Push | Loss

METERS = ("main", "mega", "major", "minor")


def parse_payout(text: str) -> Payout:
    """Parses a payout: `3 to 2`, `300 for 1`, `10% of meter`, `$100`, `push`, `loss`.

    >>> parse_payout("3 to 2")
    ToOne(odds=Fraction(3, 2))
    """
    if text == "push":
        return Push()
    if text == "loss":
        return Loss()
    if match := re.fullmatch(r"([1-9]\d*) (to|for) ([1-9]\d*)", text):
        ratio = Fraction(int(match[1]), int(match[3]))
        return ToOne(ratio) if match[2] == "to" else ForOne(ratio)
    if match := re.fullmatch(r"([1-9]\d?|100)% of (meter|mega|major|minor)", text):
        return OfMeter(Fraction(int(match[1]), 100), "main" if match[2] == "meter" else match[2])
    if match := re.fullmatch(r"\$([1-9]\d*)", text):
        return Dollars(Cents(int(match[1]) * 100))
    raise InputError("", f'{text!r} is not a payout such as "3 to 2", "300 for 1", "10% of meter", "$100", "push"')

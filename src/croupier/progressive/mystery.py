"""A must-hit-by mystery meter. None of the five regulations provides for it: it is off by default.

Pennsylvania has a chapter 641b about such a bonus; it is not among those regulations, and this does not implement it.

A hidden trigger between seed and ceiling is drawn when the meter is set, and committed to by a public hash. The wager
that takes the meter to the trigger wins it; then trigger and nonce are revealed, and anybody can check that they
were fixed from the start. After a restart the trigger is read from the record: it is never drawn again.
"""

from __future__ import annotations

import hashlib
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.progressive.meter_plans import MeterPlan

MYSTERY = "mystery"
"""The name of the meter."""


@dataclass(frozen=True, slots=True)
class MysteryPlan:
    """The plan of a mystery meter: amounts in cents, and the wagers that feed it."""

    seed: int
    ceiling: int
    rate: Fraction
    wagers: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.seed < self.ceiling:
            raise InputError("mystery", "the seed must be $0 or more and below the must-hit-by amount")
        if not 0 < self.rate < 1 or not self.wagers:
            raise InputError("mystery", "name the wagers that feed it, at a rate above 0 and below 100 percent")

    @property
    def meter(self) -> MeterPlan:
        """The plan of its meter, which keeps books like any other."""
        seed = Fraction(self.seed)
        return MeterPlan(MYSTERY, MYSTERY, "main", seed, seed, self.rate)


@dataclass(frozen=True, slots=True)
class Trigger:
    """A drawn amount with the nonce that hides it."""

    cents: int
    nonce: str

    @property
    def commitment(self) -> str:
        """The published commitment: SHA-256 over the amount in cents, a colon, and the nonce.

        >>> Trigger(75000, "00ff").commitment[:16]
        '8f0e4519eee777ad'
        """
        return hashlib.sha256(f"{self.cents}:{self.nonce}".encode()).hexdigest()


def seat_reaching_trigger(
    amount: Fraction, contributions: tuple[tuple[int, Fraction], ...], trigger: int
) -> int | None:
    """The seat whose contribution, in order, takes a meter to its trigger; `None` if none does."""
    for seat, contribution in contributions:
        amount += contribution
        if amount >= trigger:
            return seat
    return None

"""A must-hit-by mystery meter. None of the five texts provides for it: it is off unless a table asks for it.

Pennsylvania has a chapter 641b about such a bonus; it is not among the texts, and this is not it.

A trigger between seed and ceiling is drawn when the meter is set, hidden, and committed to by a hash
that anybody may see. The wager that takes the meter to the trigger wins it; then trigger and nonce are
shown, and everybody can check that they were fixed from the start. A restart finds the same trigger
in the record: it is never drawn again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction

from croupier.errors import Malformed
from croupier.progressive.plans import MeterPlan

MYSTERY = "mystery"
"""What the meter is called."""


@dataclass(frozen=True, slots=True)
class MysteryPlan:
    """How a mystery meter works: amounts in cents, and the wagers that feed it."""

    seed: int
    ceiling: int
    rate: Fraction
    wagers: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 0 <= self.seed < self.ceiling:
            raise Malformed("mystery", "it starts at nothing or more, and under the amount it must be hit by")
        if not 0 < self.rate < 1 or not self.wagers:
            raise Malformed("mystery", "say which wagers feed it, at a rate above 0 and under 100 percent")

    @property
    def meter(self) -> MeterPlan:
        """Its meter, which keeps books like any other."""
        seed = Fraction(self.seed)
        return MeterPlan(MYSTERY, MYSTERY, "main", seed, seed, self.rate)


@dataclass(frozen=True, slots=True)
class Trigger:
    """A drawn amount with the nonce that hides it."""

    cents: int
    nonce: str

    @property
    def commitment(self) -> str:
        """What is shown before: SHA-256 over the amount in cents, a colon, and the nonce.

        >>> Trigger(75000, "00ff").commitment[:16]
        '8f0e4519eee777ad'
        """
        return hashlib.sha256(f"{self.cents}:{self.nonce}".encode()).hexdigest()


def crossing(amount: Fraction, contributions: tuple[tuple[int, Fraction], ...], trigger: int) -> int | None:
    """The seat whose contribution takes a meter to its trigger, in order; `None` where nobody's does."""
    for seat, contribution in contributions:
        amount += contribution
        if amount >= trigger:
            return seat
    return None

"""What knowledge earns: the flash rate that breaks even, dollars an hour, and how long luck hides it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.protection.value import KnowledgeValue
from croupier.analysis.results import exact
from croupier.core.errors import InputError

DEFAULT_ANTE_CENTS = 1000
DEFAULT_ROUNDS_PER_HOUR = 40


@dataclass(frozen=True, slots=True)
class Earnings:
    """What a seat earns that has the knowledge in a share of the rounds and otherwise plays perfectly without it."""

    value: KnowledgeValue
    ante_cents: int = DEFAULT_ANTE_CENTS
    rounds_per_hour: int = DEFAULT_ROUNDS_PER_HOUR
    flash_rate: Fraction = Fraction(1)
    """The share of rounds in which the knowledge is there."""

    def __post_init__(self) -> None:
        if not 0 < self.flash_rate <= 1:
            raise InputError("--flash-rate", "must be more than 0 and at most 1")
        if self.rounds_per_hour <= 0:
            raise InputError("--rounds-per-hour", "must be more than zero")
        if self.ante_cents <= 0:
            raise InputError("--ante", "must be more than zero")

    @property
    def edge(self) -> Fraction:
        """The seat's gain per round, in Antes; an estimate if the value is one."""
        with_knowledge = self.value.player_edge
        informed_edge = Fraction(self.value.estimate) if with_knowledge is None else with_knowledge
        return self.flash_rate * informed_edge - (1 - self.flash_rate) * self.value.house_edge_without

    @property
    def break_even_rate(self) -> Fraction | None:
        """The share of rounds from which the game is beaten; `None` if it never is."""
        with_knowledge = self.value.player_edge
        informed_edge = Fraction(self.value.estimate) if with_knowledge is None else with_knowledge
        if informed_edge <= 0:
            return None
        return max(self.value.house_edge_without, Fraction(0)) / (
            informed_edge + max(self.value.house_edge_without, Fraction(0))
        )

    @property
    def cents_per_hour(self) -> Fraction:
        return self.edge * self.ante_cents * self.rounds_per_hour

    @property
    def variance(self) -> float:
        """Of a round, in squared Antes: a mixture of rounds with and without the knowledge."""
        rate, without = float(self.flash_rate), self.value.without
        squares = rate * (self.value.variance + self.value.estimate**2)
        squares += (1 - rate) * float(without.variance + without.house_edge**2)
        return squares - float(self.edge) ** 2

    @property
    def rounds_to_one_deviation(self) -> float | None:
        """N0: the rounds after which the expected gain is one standard deviation; `None` without a gain."""
        return self.variance / float(self.edge) ** 2 if self.edge > 0 else None

    def as_json(self) -> dict[str, Any]:
        rate, rounds = self.break_even_rate, self.rounds_to_one_deviation
        break_even = exact("break_even_flash_rate", rate) if rate is not None else {"break_even_flash_rate": None}
        return {
            **break_even,
            **exact("flash_rate", self.flash_rate),
            "ante_cents": self.ante_cents,
            "rounds_per_hour": self.rounds_per_hour,
            "edge_percent": float(100 * self.edge),
            "dollars_per_hour_float": float(self.cents_per_hour / 100),
            "standard_deviation_float": self.variance**0.5,
            "n0_rounds_float": rounds,
            "n0_hours_float": None if rounds is None else rounds / self.rounds_per_hour,
        }

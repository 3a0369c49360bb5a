"""What an analysis finds, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class RowResult:
    """One line of a paytable with how often it is hit."""

    hand: str
    pays: str
    combinations: int
    returned: Fraction
    """What it adds to the player's expectation, per unit wagered."""


@dataclass(frozen=True, slots=True)
class MeterResult:
    """A meter of a progressive wager."""

    worth_of_a_dollar: Fraction
    """What each dollar on the meter adds to the return of one dollar wagered."""
    break_even: Fraction | None
    """The meter, in dollars, at which the wager is even; others at their seed."""
    hit_frequency: Fraction
    seed: Fraction
    """Dollars that the meter starts with."""


@dataclass(frozen=True, slots=True)
class WagerResult:
    """A wager that is settled by tables alone."""

    house_edge: Fraction
    variance: Fraction
    hit_frequency: Fraction
    push_frequency: Fraction
    combinations: int
    rows: tuple[RowResult, ...]
    meters: Mapping[str, MeterResult] = field(default_factory=dict)
    long_run_return: Fraction | None = None
    """For a wager on meters: what comes back in the end, contributions and reseeding included."""
    envy_per_other_hand: Fraction | None = None
    """What an Envy Bonus adds for each other hand at the table, per unit wagered."""

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            **exact("house_edge", self.house_edge, percent=True),
            "variance_float": float(self.variance),
            **exact("hit_frequency", self.hit_frequency),
            **exact("push_frequency", self.push_frequency),
            "combinations": self.combinations,
            "rows": [
                {
                    "hand": row.hand,
                    "pays": row.pays,
                    "combinations": row.combinations,
                    **exact("return", row.returned),
                }
                for row in self.rows
            ],
        }
        if self.meters:
            found["meters"] = {name: _meter(meter, self.house_edge) for name, meter in self.meters.items()}
        if self.long_run_return is not None:
            found |= exact("long_run_return", self.long_run_return, percent=True)
        if self.envy_per_other_hand is not None:
            found |= exact("envy_per_other_hand", self.envy_per_other_hand, percent=True)
            found["envy_by_other_seats"] = [ratio(self.envy_per_other_hand * seats) for seats in range(1, 7)]
        return found


def _meter(meter: MeterResult, edge_at_seed: Fraction) -> dict[str, Any]:
    rounds = 1 / meter.hit_frequency if meter.hit_frequency else None
    found = {
        **exact("worth_of_a_dollar", meter.worth_of_a_dollar),
        **exact("hit_frequency", meter.hit_frequency),
        **exact("seed_dollars", meter.seed),
        **exact("house_edge_at_seed", edge_at_seed, percent=True),
    }
    if rounds is not None:
        found |= exact("rounds_between_hits", rounds)
    if meter.break_even is not None:
        found |= exact("break_even_dollars", meter.break_even)
    return found


@dataclass(frozen=True, slots=True)
class RequiredResult:
    """The required wagers together, under optimal play."""

    house_edge: Fraction
    """Per Ante."""
    average_wager: Fraction
    """All that is staked, per Ante."""
    variance: Fraction
    """Of the net result per Ante."""
    hit_frequency: Fraction
    """How often the round ends with a profit."""
    push_frequency: Fraction
    decisions: tuple[Mapping[str, Fraction], ...]
    """For each street how often each choice is made; later streets count those who get there."""
    combinations: int
    smaller_average_wager: Fraction | None = None
    """The average wager where equal choices are broken towards the smaller one."""

    @property
    def element_of_risk(self) -> Fraction:
        """The house edge per total wagered."""
        return self.house_edge / self.average_wager

    def as_json(self) -> dict[str, Any]:
        streets = [{choice: ratio(value) for choice, value in street.items()} for street in self.decisions]
        floats = [{choice: float(value) for choice, value in street.items()} for street in self.decisions]
        return {
            **exact("house_edge", self.house_edge, percent=True),
            **exact("element_of_risk", self.element_of_risk, percent=True),
            **exact("average_wager", self.average_wager),
            "variance_float": float(self.variance),
            "standard_deviation_float": float(self.variance) ** 0.5,
            **exact("hit_frequency", self.hit_frequency),
            **exact("push_frequency", self.push_frequency),
            **exact("lose_frequency", 1 - self.hit_frequency - self.push_frequency),
            **(
                exact("average_wager_if_smaller", self.smaller_average_wager)
                if self.smaller_average_wager is not None
                else {}
            ),
            "decisions": streets[0] if len(streets) == 1 else streets,
            "decisions_float": floats[0] if len(floats) == 1 else floats,
            "combinations": self.combinations,
        }


def ratio(value: Fraction) -> str:
    """A fraction in lowest terms as `n/d`."""
    return f"{value.numerator}/{value.denominator}"


def exact(key: str, value: Fraction, *, percent: bool = False) -> dict[str, Any]:
    """An exact number and a float beside it."""
    beside = {f"{key}_percent": float(value * 100)} if percent else {f"{key}_float": float(value)}
    return {key: ratio(value), **beside}

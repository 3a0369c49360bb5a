"""Results of an analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.regulations.payouts import Payout


@dataclass(frozen=True, slots=True)
class RowResult:
    """One row of a paytable with its combinations."""

    hand: str
    payout: Payout
    combinations: int
    returned: Fraction
    """Contribution to the player's expectation, per unit wagered."""

    @property
    def pays(self) -> str:
        return str(self.payout)


@dataclass(frozen=True, slots=True)
class MeterResult:
    """A meter of a progressive wager."""

    worth_of_a_dollar: Fraction
    """Return added by each dollar on the meter, per dollar wagered."""
    break_even: Fraction | None
    """The amount in dollars at which the wager breaks even, other meters at their seeds."""
    hit_frequency: Fraction
    seed: Fraction
    """The starting amount in dollars."""


@dataclass(frozen=True, slots=True)
class EnvyResult:
    """The value of a progressive wager's Envy Bonuses, per unit wagered."""

    per_other_hand: Fraction
    other_seats: int
    """The number of other seats at a full table."""

    def as_json(self) -> dict[str, Any]:
        values = [self.per_other_hand * seats for seats in range(1, self.other_seats + 1)]
        return {
            **exact("envy_per_other_hand", self.per_other_hand, percent=True),
            "envy_by_other_seats": [ratio(value) for value in values],
            "envy_by_other_seats_percent": [float(value * 100) for value in values],
        }


@dataclass(frozen=True, slots=True)
class WagerResult:
    """A wager that paytables alone settle."""

    house_edge: Fraction
    variance: Fraction
    hit_frequency: Fraction
    push_frequency: Fraction
    combinations: int
    rows: tuple[RowResult, ...]
    stake: Fraction | None = None
    """The stake in dollars if the result depends on it: a row pays fixed dollars or from a meter."""
    meters: Mapping[str, MeterResult] = field(default_factory=dict)
    long_run_return: Fraction | None = None
    """For a progressive wager: the long-run return including contributions and reseeds."""
    envy: EnvyResult | None = None

    @property
    def net_results(self) -> Mapping[Fraction, int]:
        """The number of deals by net result per unit wagered."""
        counts: Counter[Fraction] = Counter()
        for row in self.rows:
            if row.combinations:
                counts[row.returned * self.combinations / row.combinations] += row.combinations
        return counts

    @property
    def skewness(self) -> float:
        """Of the net result per unit wagered."""
        return skewness(self.net_results)

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            **exact("house_edge", self.house_edge, percent=True),
            "variance_float": float(self.variance),
            "standard_deviation_float": float(self.variance) ** 0.5,
            "skewness_float": self.skewness,
            **exact("hit_frequency", self.hit_frequency),
            **exact("push_frequency", self.push_frequency),
            **exact("lose_frequency", 1 - self.hit_frequency - self.push_frequency),
            **({} if self.stake is None else {"wager_cents": int(self.stake * 100)}),
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
            document["meters"] = {name: _meter_json(meter, self.house_edge) for name, meter in self.meters.items()}
        if self.long_run_return is not None:
            document |= exact("long_run_return", self.long_run_return, percent=True)
        return document | ({} if self.envy is None else self.envy.as_json())


def _meter_json(meter: MeterResult, edge_at_seed: Fraction) -> dict[str, Any]:
    rounds = 1 / meter.hit_frequency if meter.hit_frequency else None
    document = {
        **exact("worth_of_a_dollar", meter.worth_of_a_dollar),
        **exact("hit_frequency", meter.hit_frequency),
        **exact("seed_dollars", meter.seed),
        **exact("house_edge_at_seed", edge_at_seed, percent=True),
    }
    if rounds is not None:
        document |= exact("rounds_between_hits", rounds)
    if meter.break_even is not None:
        document |= exact("break_even_dollars", meter.break_even)
    return document


@dataclass(frozen=True, slots=True)
class RequiredResult:
    """The required wagers combined, under optimal play."""

    house_edge: Fraction
    """Per Ante."""
    average_wager: Fraction
    """The average total stake, per Ante."""
    net_results: Mapping[Fraction, int]
    """The number of deals by net result per Ante, from the largest loss to the largest gain."""
    decisions: tuple[Mapping[str, Fraction], ...]
    """The frequency of each choice by street; later streets count only rounds that reach them."""
    combinations: int
    smaller_average_wager: Fraction
    """The average wager if ties between choices go to the smaller wager."""

    @property
    def variance(self) -> Fraction:
        """Of the net result per Ante."""
        return central_moment(self.net_results, 2)

    @property
    def skewness(self) -> float:
        """Of the net result per Ante."""
        return skewness(self.net_results)

    @property
    def hit_frequency(self) -> Fraction:
        """The probability of a net win."""
        return Fraction(sum(count for net, count in self.net_results.items() if net > 0), self.combinations)

    @property
    def push_frequency(self) -> Fraction:
        """The probability of breaking even."""
        return Fraction(self.net_results.get(Fraction(0), 0), self.combinations)

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
            "skewness_float": self.skewness,
            **exact("hit_frequency", self.hit_frequency),
            **exact("push_frequency", self.push_frequency),
            **exact("lose_frequency", 1 - self.hit_frequency - self.push_frequency),
            **exact("average_wager_if_smaller", self.smaller_average_wager),
            **exact("element_of_risk_if_smaller", self.house_edge / self.smaller_average_wager, percent=True),
            "decisions": streets[0] if len(streets) == 1 else streets,
            "decisions_float": floats[0] if len(floats) == 1 else floats,
            "combinations": self.combinations,
            "net_results": [
                {"net": ratio(net), "combinations": count, **exact("return", net * count / self.combinations)}
                for net, count in self.net_results.items()
            ],
        }


@dataclass(frozen=True, slots=True)
class SampledResult:
    """An estimate from simulated rounds, for a wager that has no exact analysis."""

    house_edge: Fraction
    """The house edge of the named strategy in the simulated rounds; optimal play can only lower it."""
    variance: Fraction
    hit_frequency: Fraction
    standard_error: float
    rounds: int
    strategy: str
    parts: tuple[str, ...]
    """The parts of the game that the exact analysis does not support."""

    def as_json(self) -> dict[str, Any]:
        return {
            "exact": False,
            "house_edge_percent": float(self.house_edge * 100),
            "standard_error_percent": 100 * self.standard_error,
            "variance_float": float(self.variance),
            "hit_frequency_float": float(self.hit_frequency),
            "rounds": self.rounds,
            "strategy": self.strategy,
            "not_exact": list(self.parts),
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """The value of every choice per Ante, and the best choice; ties go to the larger wager."""

    values: dict[str, Fraction]

    @property
    def best(self) -> str:
        """The best choice. Values are ordered from the smallest wager to the largest."""
        highest = max(self.values.values())
        return [choice for choice, value in self.values.items() if value == highest][-1]


class NotExact(InputError):
    """A wager has no exact analysis; `parts` names the unsupported parts of the game, one sentence each."""

    def __init__(self, wager: str, parts: tuple[str, ...]) -> None:
        super().__init__("", f"{wager} has no exact analysis: {'; '.join(parts)}")
        self.wager = wager
        self.parts = parts


def central_moment(results: Mapping[Fraction, int], order: int) -> Fraction:
    """The central moment of an order.

    >>> central_moment({Fraction(-1): 1, Fraction(1): 1}, 2)
    Fraction(1, 1)
    """
    total = sum(results.values())
    mean = sum((net * count for net, count in results.items()), Fraction(0)) / total
    return sum(((net - mean) ** order * count for net, count in results.items()), Fraction(0)) / total


def skewness(results: Mapping[Fraction, int]) -> float:
    """The standardized third central moment; 0 if the variance is 0.

    >>> skewness({Fraction(-1): 4, Fraction(4): 1})
    1.5
    """
    variance = central_moment(results, 2)
    return float(central_moment(results, 3)) / float(variance) ** 1.5 if variance else 0.0


def ratio(value: Fraction) -> str:
    """A fraction in lowest terms as `n/d`."""
    return f"{value.numerator}/{value.denominator}"


def exact(key: str, value: Fraction, *, percent: bool = False) -> dict[str, Any]:
    """A JSON entry with an exact fraction and its float or percentage."""
    approximation = {f"{key}_percent": float(value * 100)} if percent else {f"{key}_float": float(value)}
    return {key: ratio(value), **approximation}

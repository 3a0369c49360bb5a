"""Results of a run: house edges with standard errors and exact values, payouts, sessions, meters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, erfc, sqrt
from typing import Any

from croupier.analysis.counting.histogram import hand_count, histogram
from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.wagers import REQUIRED
from croupier.core.statistics import CONFIDENCE, CONFIDENCE_DEVIATIONS
from croupier.games.definition import DEALER
from croupier.hands.lookup_tables import Array
from croupier.simulation.job import Job
from croupier.simulation.kernel.plan import EnvyGroup, TableGroup, forfeited_wagers
from croupier.simulation.sessions import sessions_json
from croupier.simulation.strategies.exact_value import ExactValue
from croupier.simulation.strategies.strategy import OPTIMAL
from croupier.simulation.tally import Tally

DEFAULT_DIFFERENCE = Fraction(1, 1000)
"""The difference in house edge whose detection is planned unless another is given."""
DETECTION_POWER = 0.9
POWER_DEVIATIONS = 1.2815515655446004
"""The 90% quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One result of a simulation, per unit of its stake."""

    hands: int
    """Rounds times seats."""
    stake: int
    mean: float
    variance: float
    """Variance of one seat's result in one round."""
    seat_covariance: float | None
    """Covariance of two seats' results in one round."""
    standard_error: float
    """Standard error of the mean, allowing for dependence between seats."""

    @property
    def house_edge(self) -> float:
        return -self.mean


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a job."""

    tally: Tally

    @property
    def job(self) -> Job:
        return self.tally.job

    def estimate(self, label: str) -> Estimate:
        """Mean, variance and standard error of one result."""
        seats, rounds = self.job.bets.seats, self.tally.rounds
        hands = seats * rounds
        stake = self.stake(label)
        net_counts = self.tally.net_counts(label)
        factor = seats - 1 if self.is_envy(label) else 1
        total = factor * sum(net * count for net, count in net_counts.items())
        square_total = factor * factor * sum(net * net * count for net, count in net_counts.items())
        mean, variance = Fraction(total, hands), Fraction(square_total, hands) - Fraction(total, hands) ** 2
        covariance, per_round = None, variance
        if seats > 1:
            square = self.tally.squares[1 + self.job.labels.index(label)]
            per_round = (Fraction(square, rounds) - (mean * seats) ** 2) / seats
            covariance = float((per_round - variance) / (seats - 1)) / stake**2
        return Estimate(
            hands,
            stake,
            float(mean) / stake,
            float(variance) / stake**2,
            covariance,
            sqrt(max(float(per_round), 0.0) / hands) / stake,
        )

    def stake(self, label: str) -> int:
        """The stake of a result in cents: its wager, or the progressive wager for an Envy Bonus."""
        group = self._envy_group(label)
        return self.job.bets.stakes[group.on if group else label]

    def is_envy(self, label: str) -> bool:
        """Whether a result is an Envy Bonus."""
        return self._envy_group(label) is not None

    def _envy_group(self, label: str) -> EnvyGroup | None:
        return next((g for g in self.job.plan.groups if isinstance(g, EnvyGroup) and g.name == label), None)

    @cached_property
    def exact(self) -> Mapping[str, ExactValue]:
        """The exact values of the results that have one."""
        return {label: value for label in self.job.labels if (value := self._exact(label)) is not None}

    def _exact(self, label: str) -> ExactValue | None:
        plan, bets = self.job.plan, self.job.bets
        if label == REQUIRED:
            return self.job.strategy.exact(plan)
        if (envy := self._envy_group(label)) is not None:
            return self._exact_envy(envy)
        group = next(group for group in plan.groups if label in group.wagers)
        if label in forfeited_wagers(bets) and self.job.strategy.name != OPTIMAL:
            return None  # the analysis assumes no fold; optimal play never folds a paid hand
        if isinstance(group, TableGroup) and self._has_custom_meter(group, label):
            return self._exact_from_cells(group, label)
        result = analyze_wager(bets.elected, label, wager_dollars=Fraction(bets.stakes[label], 100))
        return ExactValue(result.house_edge, float(result.variance))

    def _has_custom_meter(self, group: TableGroup, label: str) -> bool:
        """Whether the exact analysis does not apply: the operator sets the meter, or the jackpot is shared."""
        is_on_meter = group.tables[label] in self.job.bets.elected.edition.progressives
        is_shared = group.hand.cards.places == (DEALER,) and self.job.bets.seats > 1
        return is_on_meter and (is_shared or bool(self.job.bets.resets))

    def _exact_from_cells(self, group: TableGroup, label: str) -> ExactValue:
        """The exact value from the settlement's payouts and the histogram of hands."""
        cells = self.job.cells[self.job.plan.groups.index(group)]
        step = 2 if group.by_fold else 1
        return _exact_from_nets(cells.nets[label][::step], group, self.stake(label))

    def _exact_envy(self, group: EnvyGroup) -> ExactValue | None:
        """The exact value of the other seats' hands to one seat."""
        if self.job.strategy.name != OPTIMAL:
            return None
        cells = self.job.cells[self.job.plan.groups.index(group)]
        in_play, folded = cells.nets[group.name][::2], cells.nets[group.name][1::2]
        if (in_play != folded).any():
            return None
        per_hand = _exact_from_nets(in_play, group, self.stake(group.name))
        return ExactValue(
            per_hand.house_edge * (self.job.bets.seats - 1), per_hand.variance * (self.job.bets.seats - 1) ** 2
        )

    def as_json(self, seconds: float, difference: Fraction, bankroll: int | None, interrupted: bool) -> dict[str, Any]:
        """The document that `croupier simulate --json` prints."""
        job, rounds = self.job, self.tally.rounds
        return {
            "edition": job.bets.elected.edition.name,
            "elections": dict(job.bets.elected.choices),
            "strategy": job.strategy.name,
            "seats": job.bets.seats,
            "stakes_cents": dict(job.bets.stakes),
            "rounds": rounds,
            "seconds": seconds,
            "rounds_per_second": rounds / seconds if seconds > 0 else 0.0,
            "interrupted": interrupted,
            "wagers": {label: self._wager_json(label, difference) for label in job.labels} if rounds else {},
            "all_wagers": self._all_wagers_json() if rounds else {},
            "sessions": sessions_json(self.tally, bankroll),
            "meters": self._meters_json(),
        }

    def _wager_json(self, label: str, difference: Fraction) -> dict[str, Any]:
        estimate, exact = self.estimate(label), self.exact.get(label)
        document: dict[str, Any] = {
            "house_edge_percent": 100 * estimate.house_edge,
            "standard_error_percent": 100 * estimate.standard_error,
            "stake_cents": estimate.stake,
            "hands": estimate.hands,
            "variance_float": estimate.variance,
        }
        if estimate.seat_covariance is not None and not self.is_envy(label):
            document["seat_covariance_float"] = estimate.seat_covariance
        document["exact"] = None if exact is None else _comparison(estimate, exact)
        error = estimate.standard_error if exact is None else standard_error(estimate, exact)
        document["to_see_a_difference"] = hands_needed(error**2 * estimate.hands, difference)
        unit = estimate.hands * estimate.stake
        document["pays"] = [
            {"row": row, "count": count, "frequency": count / estimate.hands, "return_percent": 100 * cents / unit}
            for row, (count, cents) in self.tally.rows_of(label).items()
        ]
        if label in self.tally.meters.paid:
            document["paid_from_meters_cents"] = self.tally.meters.paid[label]
        return document

    def _all_wagers_json(self) -> dict[str, Any]:
        """All wagers of all seats combined, in cents per round."""
        rounds, seats = self.tally.rounds, self.job.bets.seats
        cents = 0
        for label in self.job.labels:
            factor = seats - 1 if self.is_envy(label) else 1
            cents += factor * sum(net * count for net, count in self.tally.net_counts(label).items())
        mean = Fraction(cents, rounds)
        variance = Fraction(self.tally.squares[0], rounds) - mean**2
        staked = sum(
            int(cells.staked[cell]) * self.tally.counts[self.job.plan.offsets[number] + cell]
            for number, cells in enumerate(self.job.cells)
            for cell in range(len(cells.staked))
        )
        return {
            "net_cents_a_round": float(mean),
            "standard_deviation_cents_a_round": sqrt(max(float(variance), 0.0)),
            "staked_cents_a_round": staked / rounds,
            "hold_percent": float(-100 * Fraction(cents, staked)) if staked else 0.0,
        }

    def _meters_json(self) -> dict[str, Any]:
        document = {}
        for name, totals in self.tally.meters.totals.items():
            document[name] = {
                "seed_cents": float(totals.seed),
                "contributed_cents": float(totals.fed),
                "reseeded_cents": float(totals.reseeded),
                "moved_in_cents": float(totals.moved),
                "paid_cents": totals.paid,
                "now_cents": int(totals.amount),
                "highest_cents": int(totals.highest),
                "payments": totals.payments,
                "resets": totals.resets,
                "jackpots": [
                    {"round": payment.round + 1, "seat": payment.seat, "wager": payment.wager, "cents": payment.cents}
                    for payment in self.tally.meters.jackpots.get(name, [])
                ],
            }
        return document


def _exact_from_nets(nets: Array, group: TableGroup | EnvyGroup, stake: int) -> ExactValue:
    from croupier.hands import ranking_named

    ranking = ranking_named(group.hand.ranking)
    counts, hands = histogram(ranking), hand_count(ranking)
    values = [int(nets[segment]) for segment in group.segments.of_strength.tolist()]
    mean = Fraction(sum(value * count for value, count in zip(values, counts, strict=True)), hands * stake)
    mean_square = Fraction(
        sum(value * value * count for value, count in zip(values, counts, strict=True)), hands * stake**2
    )
    return ExactValue(-mean, float(mean_square - mean**2))


def standard_error(estimate: Estimate, exact: ExactValue) -> float:
    """The standard error from the exact variance, plus the measured covariance between seats.

    The measured variance would be too small as long as the largest payouts have not occurred.
    """
    covariance_term = estimate.standard_error**2 - estimate.variance / estimate.hands
    return sqrt(exact.variance / estimate.hands + max(covariance_term, 0.0))


def z_score(estimate: Estimate, exact: ExactValue) -> float:
    """The distance of a result from the exact value in standard errors."""
    error = standard_error(estimate, exact)
    difference = estimate.house_edge - float(exact.house_edge)
    return difference / error if error else 0.0


def _comparison(estimate: Estimate, exact: ExactValue) -> dict[str, Any]:
    z = z_score(estimate, exact)
    return {
        "house_edge": f"{exact.house_edge.numerator}/{exact.house_edge.denominator}",
        "house_edge_percent": float(100 * exact.house_edge),
        "variance_float": exact.variance,
        "z": z,
        "p": erfc(abs(z) / sqrt(2)),
    }


def hands_needed(variance: float, difference: Fraction) -> dict[str, Any]:
    """The number of hands needed to detect a difference in house edge of this size."""
    deviations = (CONFIDENCE_DEVIATIONS + POWER_DEVIATIONS) ** 2
    return {
        "difference_percent": float(100 * difference),
        "hands": max(1, ceil(deviations * variance / float(difference) ** 2)),
        "confidence": CONFIDENCE,
        "power": DETECTION_POWER,
    }

"""What a tally says: house edges with their errors beside the exact values, pays, sessions, meters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, erfc, sqrt
from typing import Any

from croupier.confidence import CONFIDENCE, CONFIDENCE_DEVIATIONS
from croupier.games.definition import DEALER
from croupier.hands.tables import Array
from croupier.maths.analysis import REQUIRED, analyse_wager
from croupier.maths.histogram import histogram, total
from croupier.simulation.exact import Exact
from croupier.simulation.job import Job
from croupier.simulation.plan import EnvyGroup, TableGroup, forfeits
from croupier.simulation.sessions import sessions_json
from croupier.simulation.strategies import OPTIMAL
from croupier.simulation.tally import Tally

POWER = 0.9
POWER_DEVIATIONS = 1.2815515655446004
"""Standard deviations below which 90% of a normal distribution lie."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One result of a simulation, per unit of its stake."""

    hands: int
    """Rounds times seats."""
    stake: int
    mean: float
    variance: float
    """Of one seat in one round."""
    seat_covariance: float | None
    """Of two seats in one round."""
    standard_error: float
    """Of the mean, seats of one round being dependent."""

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
        counted = self.tally.of(label)
        factor = seats - 1 if self.is_envy(label) else 1
        first = factor * sum(net * times for net, times in counted.items())
        second = factor * factor * sum(net * net * times for net, times in counted.items())
        mean, variance = Fraction(first, hands), Fraction(second, hands) - Fraction(first, hands) ** 2
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
        """The cents that a result is counted per: its wager, or for an envy bonus the progressive wager."""
        group = self._envy(label)
        return self.job.bets.stakes[group.on if group else label]

    def is_envy(self, label: str) -> bool:
        """Whether a result is what a hand earns the other seats."""
        return self._envy(label) is not None

    def _envy(self, label: str) -> EnvyGroup | None:
        return next((g for g in self.job.plan.groups if isinstance(g, EnvyGroup) and g.name == label), None)

    @cached_property
    def exact(self) -> Mapping[str, Exact]:
        """The exact values that the results are to agree with, where there are some."""
        return {label: found for label in self.job.labels if (found := self._exact(label)) is not None}

    def _exact(self, label: str) -> Exact | None:
        plan, bets = self.job.plan, self.job.bets
        if label == REQUIRED:
            return self.job.strategy.exact(plan)
        if (envy := self._envy(label)) is not None:
            return self._exact_envy(envy)
        group = next(group for group in plan.groups if label in group.wagers)
        if label in forfeits(bets) and self.job.strategy.name != OPTIMAL:
            return None  # the analysis is of hands that stay in; perfect play folds none that is paid
        if isinstance(group, TableGroup) and self._is_its_own(group, label):
            return self._from_cells(group, label)
        found = analyse_wager(bets.elected, label, wager_dollars=Fraction(bets.stakes[label], 100))
        return Exact(found.house_edge, float(found.variance))

    def _is_its_own(self, group: TableGroup, label: str) -> bool:
        """Whether the analysis is of another wager: on a meter that the operator sets, or on a jackpot undivided."""
        on_meter = group.tables[label] in self.job.bets.elected.edition.progressives
        divided = group.reading.cards.places == (DEALER,) and self.job.bets.seats > 1
        return on_meter and (divided or bool(self.job.bets.resets))

    def _from_cells(self, group: TableGroup, label: str) -> Exact:
        """From what the settlement pays and how many hands there are of each strength."""
        cells = self.job.cells[self.job.plan.groups.index(group)]
        step = 2 if group.by_fold else 1
        return _exact_of(cells.nets[label][::step], group, self.stake(label))

    def _exact_envy(self, group: EnvyGroup) -> Exact | None:
        """What the other hands are worth; one seat's share of it varies with hands that it does not hold itself."""
        if self.job.strategy.name != OPTIMAL:
            return None
        cells = self.job.cells[self.job.plan.groups.index(group)]
        held, folded = cells.nets[group.name][::2], cells.nets[group.name][1::2]
        if (held != folded).any():
            return None
        one = _exact_of(held, group, self.stake(group.name))
        return Exact(one.house_edge * (self.job.bets.seats - 1), one.variance * (self.job.bets.seats - 1) ** 2)

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
            "all_wagers": self._everything() if rounds else {},
            "sessions": sessions_json(self.tally, bankroll),
            "meters": self._meters_json(),
        }

    def _wager_json(self, label: str, difference: Fraction) -> dict[str, Any]:
        found, exact = self.estimate(label), self.exact.get(label)
        document: dict[str, Any] = {
            "house_edge_percent": 100 * found.house_edge,
            "standard_error_percent": 100 * found.standard_error,
            "stake_cents": found.stake,
            "hands": found.hands,
            "variance_float": found.variance,
        }
        if found.seat_covariance is not None and not self.is_envy(label):
            document["seat_covariance_float"] = found.seat_covariance
        document["exact"] = None if exact is None else _comparison(found, exact)
        error = found.standard_error if exact is None else standard_error(found, exact)
        document["to_see_a_difference"] = needed(error**2 * found.hands, difference)
        unit = found.hands * found.stake
        document["pays"] = [
            {"row": row, "count": times, "frequency": times / found.hands, "return_percent": 100 * cents / unit}
            for row, (times, cents) in self.tally.rows_of(label).items()
        ]
        if label in self.tally.meters.paid:
            document["paid_from_meters_cents"] = self.tally.meters.paid[label]
        return document

    def _everything(self) -> dict[str, Any]:
        """All wagers of all seats together, in cents a round."""
        rounds, seats = self.tally.rounds, self.job.bets.seats
        cents = 0
        for label in self.job.labels:
            factor = seats - 1 if self.is_envy(label) else 1
            cents += factor * sum(net * times for net, times in self.tally.of(label).items())
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
        found = {}
        for name, totals in self.tally.meters.totals.items():
            found[name] = {
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
        return found


def _exact_of(nets: Array, group: TableGroup | EnvyGroup, stake: int) -> Exact:
    from croupier.hands import ranking_named

    ranking = ranking_named(group.reading.ranking)
    counts, hands = histogram(ranking), total(ranking)
    values = [int(nets[segment]) for segment in group.segments.of_strength.tolist()]
    mean = Fraction(sum(value * count for value, count in zip(values, counts, strict=True)), hands * stake)
    square = Fraction(sum(value * value * count for value, count in zip(values, counts, strict=True)), hands * stake**2)
    return Exact(-mean, float(square - mean**2))


def standard_error(found: Estimate, exact: Exact) -> float:
    """The error of a result from the exact variance; what seats have in common is measured.

    A measured error would be too small where the largest pays have not been seen yet.
    """
    between = found.standard_error**2 - found.variance / found.hands
    return sqrt(exact.variance / found.hands + max(between, 0.0))


def z_score(found: Estimate, exact: Exact) -> float:
    """How many standard errors a result is from the exact value."""
    error = standard_error(found, exact)
    difference = found.house_edge - float(exact.house_edge)
    return difference / error if error else 0.0


def _comparison(found: Estimate, exact: Exact) -> dict[str, Any]:
    z = z_score(found, exact)
    return {
        "house_edge": f"{exact.house_edge.numerator}/{exact.house_edge.denominator}",
        "house_edge_percent": float(100 * exact.house_edge),
        "variance_float": exact.variance,
        "z": z,
        "p": erfc(abs(z) / sqrt(2)),
    }


def needed(variance: float, difference: Fraction) -> dict[str, Any]:
    """How many hands tell a difference of the house edge of this size from none."""
    deviations = (CONFIDENCE_DEVIATIONS + POWER_DEVIATIONS) ** 2
    return {
        "difference_percent": float(100 * difference),
        "hands": max(1, ceil(deviations * variance / float(difference) ** 2)),
        "confidence": CONFIDENCE,
        "power": POWER,
    }

"""Meter plans: the seed, contribution rate and limit of each meter of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.games import game
from croupier.regulations import ElectedEdition
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import MeterRule, ProgressiveRule
from croupier.submissions.model import Submission
from croupier.submissions.table_terms import RESERVE


@dataclass(frozen=True, slots=True)
class MeterPlan:
    """How one meter of a table works. `table` is the paytable that pays from it."""

    name: str
    table: str
    tier: str
    seed: Fraction
    reseed: Fraction
    rate: Fraction
    reserve: str = ""
    """The reserve meter that moves to this one after a win; empty if there is none."""
    limit: Fraction | None = None
    """The maximum that the meter shows; contributions above it overflow and wait for the next reset."""
    largest: Fraction | None = None
    """The largest contribution that one round can make."""


def meter_name(table: str, tier: str) -> str:
    """The name of a meter: its table's, with the tier if there are several."""
    return table if tier == "main" else f"{table}_{tier}"


@carries_out("progressives")
def meter_plans(
    elected: ElectedEdition,
    table: str,
    wager: int,
    resets: Mapping[str, int] | None = None,
    rates: Mapping[str, Fraction] | None = None,
) -> Iterator[MeterPlan]:
    """The meter plans of a progressive paytable for a wager in cents.

    `resets` and `rates` are the operator's choices where the edition leaves them open.
    """
    rule = elected.edition.progressives[table]
    for tier, meter in rule.meters[elected.choices.get(table, "A")].items():
        name = meter_name(table, tier)
        reserve = meter_name(table, RESERVE) if meter.reserve_rate is not None else ""
        if meter.minimum is None:
            scale = Fraction(wager, 100) if rule.scales else Fraction(1)
            seed, reseed = Fraction(meter.seed or 0) * scale, Fraction(meter.reseed or 0) * scale
            yield MeterPlan(name, table, tier, seed, reseed, meter.rate or Fraction(0), reserve)
            if reserve:
                zero = Fraction(0)
                yield MeterPlan(reserve, table, RESERVE, zero, zero, meter.reserve_rate or zero)
        else:
            seed = Fraction((resets or {}).get(name, meter.minimum))
            _require_minimum(rule, name, meter, seed)
            yield MeterPlan(name, table, tier, seed, seed, (rates or {}).get(name, Fraction(0)))


def _require_minimum(rule: ProgressiveRule, name: str, meter: MeterRule, seed: Fraction) -> None:
    if meter.minimum is not None and seed < meter.minimum:
        minimum = f"${meter.minimum // 100:,}"
        raise InputError(name, f"the {rule.wager} meter starts and resets at {minimum} or more ({meter.clause})")


def submitted_meters(submission: Submission) -> Iterator[MeterPlan]:
    """The meter plans of a valid Rules Submission, with the limits that it states.

    An electronic wager may have any amount within its limits: its meter is planned for the minimum.
    """
    edition, progressive, electronic = submission.edition, submission.progressive, submission.electronic
    table_of = game(edition.game).table_of
    for table, rule in edition.progressives.items():
        offered_wagers = [wager for wager in submission.wagers if table_of(wager) == table]
        if not offered_wagers:
            continue
        amount = progressive.amount if progressive and rule.amounts else None
        wager = amount or min(submission.wagers[name].minimum for name in offered_wagers)
        highest_stakes = max(submission.wagers[name].maximum for name in offered_wagers) * len(offered_wagers)
        for planned in meter_plans(submission.elected, table, wager):
            plan = planned
            terms = progressive.meters.get(plan.tier) if progressive and rule.amounts else None
            if terms is not None and terms.initial is not None and terms.reset is not None:
                seed, reseed = Fraction(terms.initial), Fraction(terms.reset)
                plan = replace(plan, seed=seed, reseed=reseed, rate=terms.rate or Fraction(0))
            limit = electronic.limit if electronic and plan.tier == "main" else None
            if rule.amounts:
                limit = progressive.limits.get(plan.tier) if progressive else None
            yield replace(
                plan,
                limit=Fraction(limit) if limit is not None else None,
                largest=plan.rate * highest_stakes * submission.seats,
            )

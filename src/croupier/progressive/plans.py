"""How the meters of a table are planned: what each starts with, what feeds it, what it shows at most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from croupier.errors import Malformed
from croupier.games import game
from croupier.rules import Elected
from croupier.rules.clauses import carries_out
from croupier.rules.edition import MeterRule, ProgressiveRule
from croupier.submissions.submission import Submission

RESERVE = "reserve"


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
    """The meter that goes over to this one when it is won; empty where there is none."""
    limit: Fraction | None = None
    """What the meter shows at most; contributions above it overflow and wait for the next reset."""
    largest: Fraction | None = None
    """The largest contribution that one round can reasonably make."""


def meter_name(table: str, tier: str) -> str:
    """What a meter is called: after the table, and after its tier where there are several."""
    return table if tier == "main" else f"{table}_{tier}"


@carries_out("fixed_meters", "meter_rate", "meter_amounts", "progressives")
def meter_plans(
    elected: Elected,
    table: str,
    wager: int,
    resets: Mapping[str, int] | None = None,
    rates: Mapping[str, Fraction] | None = None,
) -> Iterator[MeterPlan]:
    """The meters of a progressive table for a wager of so many cents.

    `resets` and `rates` are the operator's, where the edition leaves them to him.
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
                nothing = Fraction(0)
                yield MeterPlan(reserve, table, RESERVE, nothing, nothing, meter.reserve_rate or nothing)
        else:
            seed = Fraction((resets or {}).get(name, meter.minimum))
            _require_minimum(rule, name, meter, seed)
            yield MeterPlan(name, table, tier, seed, seed, (rates or {}).get(name, Fraction(0)))


def _require_minimum(rule: ProgressiveRule, name: str, meter: MeterRule, seed: Fraction) -> None:
    if meter.minimum is not None and seed < meter.minimum:
        least = f"${meter.minimum // 100:,}"
        raise Malformed(name, f"the {rule.wager} meter starts and resets at {least} or more ({meter.clause})")


def submitted_meters(submission: Submission) -> Iterator[MeterPlan]:
    """The meters that a valid Rules Submission describes, with limits where it states them.

    An electronic wager may have any amount within its limits: its meter is for the least of them.
    """
    edition, progressive, electronic = submission.edition, submission.progressive, submission.electronic
    table_of = game(edition.game).table_of
    for table, rule in edition.progressives.items():
        offered = [wager for wager in submission.wagers if table_of(wager) == table]
        if not offered:
            continue
        amount = progressive.amount if progressive and rule.amounts else None
        wager = amount or min(submission.wagers[name].minimum for name in offered)
        most = max(submission.wagers[name].maximum for name in offered) * len(offered)
        for planned in meter_plans(submission.elected, table, wager):
            plan = planned
            stated = progressive.meters.get(plan.tier) if progressive and rule.amounts else None
            if stated is not None and stated.initial is not None and stated.reset is not None:
                seed, reseed = Fraction(stated.initial), Fraction(stated.reset)
                plan = replace(plan, seed=seed, reseed=reseed, rate=stated.rate or Fraction(0))
            limit = electronic.limit if electronic and plan.tier == "main" else None
            if rule.amounts:
                limit = progressive.limits.get(plan.tier) if progressive else None
            yield replace(
                plan,
                limit=Fraction(limit) if limit is not None else None,
                largest=plan.rate * most * submission.seats,
            )

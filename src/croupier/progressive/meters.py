"""Progressive meters: what each starts with, what feeds it, and what a win takes out.

Amounts are exact fractions of a cent; what is shown and paid is whole cents, rounded down, and the
fraction stays on the meter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from croupier.errors import Malformed
from croupier.rules import Elected
from croupier.rules.clauses import carries_out
from croupier.rules.edition import MeterRule, ProgressiveRule

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


@dataclass(slots=True)
class MeterChange:
    """A meter that goes from one amount to another, and why."""

    meter: str
    before: Fraction
    after: Fraction
    cause: str


class Meters:
    """The meters of a table while a seat is settled: a copy that records every change."""

    def __init__(self, plans: Mapping[str, MeterPlan], amounts: Mapping[str, Fraction], reserve: str) -> None:
        self.plans = plans
        self.amounts = dict(amounts)
        self.reserve = reserve
        self.changes: list[MeterChange] = []

    def take(self, table: str, tier: str, share: Fraction, parts: int = 1) -> int:
        """Takes a share of a meter out, for so many equal parts; gives the whole cents of one part.

        A meter that is taken whole is reset, and its reserve goes over to it, if there is one.
        """
        plan = self.plans[meter_name(table, tier)]
        before = self.amounts[plan.name]
        part = int(before * share / parts)
        self._change(plan.name, before - part * parts, "paid")
        self._reset(plan, share)
        return part

    def take_by_weight(self, table: str, tier: str, share: Fraction, weights: Mapping[int, int]) -> dict[int, int]:
        """As `take`, in proportion to weights."""
        plan = self.plans[meter_name(table, tier)]
        before = self.amounts[plan.name]
        total = sum(weights.values())
        parts = {key: int(before * share * weight / total) for key, weight in weights.items()}
        self._change(plan.name, before - sum(parts.values()), "paid")
        self._reset(plan, share)
        return parts

    def _reset(self, plan: MeterPlan, share: Fraction) -> None:
        if share == 1:
            moved = self.amounts[plan.reserve] if plan.reserve and self.reserve == "to_meter" else Fraction(0)
            if plan.reserve and moved:
                self._change(plan.reserve, Fraction(0), "moved to the meter")
            self._change(plan.name, self.amounts[plan.name] + plan.reseed + moved, "reset")

    def _change(self, name: str, after: Fraction, cause: str) -> None:
        if after != self.amounts[name]:
            self.changes.append(MeterChange(name, self.amounts[name], after, cause))
            self.amounts[name] = after

"""Demo tables without a Rules Submission: every wager with its meters, for play money, practice and trials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.progressive.meter_plans import MeterPlan, meter_plans
from croupier.regulations import Edition, ElectedEdition
from croupier.table.model.setup import Setup

DEFAULT_METER_RATE = Fraction(1, 10)
"""The share of a wager that feeds each meter where the edition leaves it to the operator."""


def progressives_on_chips(rules: Edition) -> list[str]:
    """The progressive wagers with fixed amounts; a table offers one of them (AMB-37)."""
    return [name for name, rule in rules.progressives.items() if rule.amounts]


def build_demo_setup(
    elected: ElectedEdition,
    *,
    method: str = "automated_shoe",
    progressive: str = "",
    amount: int = 100,
    rate: Fraction = DEFAULT_METER_RATE,
    draws: Mapping[str, int] | None = None,
    name: str = "",
) -> Setup:
    """A setup with every wager, and one of the progressives on chips: the first unless `progressive` names another."""
    rules = elected.edition
    on_chips = progressives_on_chips(rules)
    offered = progressive or next(iter(on_chips), "")
    plans = {
        plan.name: plan
        for table, rule in rules.progressives.items()
        if table == offered or not rule.amounts
        for plan in _demo_plans(elected, table, amount if rule.amounts else 100, rate)
    }
    setup = Setup.open(elected, method, meters=plans, progressive_amount=amount, draws=draws, name=name)
    not_offered = [wager for wager in on_chips if wager != offered]
    return replace(setup, limits={name: limits for name, limits in setup.limits.items() if name not in not_offered})


def _demo_plans(elected: ElectedEdition, table: str, wager: int, rate: Fraction) -> list[MeterPlan]:
    """The meters of a paytable, with `rate` where the edition leaves it to the operator."""
    plans = list(meter_plans(elected, table, wager))
    return [replace(plan, rate=rate) for plan in plans] if elected.edition.clause("meter_rate") else plans

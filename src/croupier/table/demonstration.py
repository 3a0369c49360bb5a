"""A table without a Rules Submission: every wager and its meters, for play money, practice and trials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from croupier.progressive.plans import MeterPlan, meter_plans
from croupier.rules import Edition, Elected
from croupier.table.setup import Setup

RATE = Fraction(1, 10)
"""What of a wager goes to each meter where that is the operator's choice."""


def progressives_on_chips(rules: Edition) -> list[str]:
    """The progressive wagers of one size; a table offers one of them (AMB-37)."""
    return [name for name, rule in rules.progressives.items() if rule.amounts]


def demonstration(
    elected: Elected,
    *,
    method: str = "automated_shoe",
    progressive: str = "",
    amount: int = 100,
    rate: Fraction = RATE,
    draws: Mapping[str, int] | None = None,
    name: str = "",
) -> Setup:
    """A table with every wager; of several progressives on chips it offers one, the first unless another is named."""
    rules = elected.edition
    sized = progressives_on_chips(rules)
    chosen = progressive or next(iter(sized), "")
    plans = {
        plan.name: plan
        for table, rule in rules.progressives.items()
        if table == chosen or not rule.amounts
        for plan in _plans(elected, table, amount if rule.amounts else 100, rate)
    }
    setup = Setup.open(elected, method, meters=plans, progressive_amount=amount, draws=draws, name=name)
    others = [wager for wager in sized if wager != chosen]
    return replace(setup, limits={name: limits for name, limits in setup.limits.items() if name not in others})


def _plans(elected: Elected, table: str, wager: int, rate: Fraction) -> list[MeterPlan]:
    """The meters of a table; with the rate where the edition leaves it to the operator."""
    plans = list(meter_plans(elected, table, wager))
    return [replace(plan, rate=rate) for plan in plans] if elected.edition.clause("meter_rate") else plans

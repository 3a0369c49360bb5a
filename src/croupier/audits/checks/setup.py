"""Checks the setup in the head of a record against the regulation, as `croupier check` checks a submission."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.audits.finding import Finding, NumberedEvents
from croupier.progressive.meter_plans import meter_name
from croupier.progressive.mystery import MYSTERY
from croupier.submissions.table_checks import table_problems
from croupier.submissions.table_terms import RESERVE
from croupier.table.model.setup import Setup


def check_setup(setup: Setup, events: NumberedEvents) -> Iterator[Finding]:
    """The rules that the terms of the table break, and meters that belong to no wager."""
    del events
    for problem in table_problems(setup.terms):
        yield Finding(0, problem.clause, f"the setup of the table breaks a rule: {problem.key}: {problem.message}")
    for clause, message in (*_meter_faults(setup), *_reserve_faults(setup), *_opening_amount_faults(setup)):
        yield Finding(0, clause, f"the setup of the table breaks a rule: {message}")


Faults = Iterator[tuple[str, str]]
"""Clauses and sentences."""


def _meter_faults(setup: Setup) -> Faults:
    for name, plan in setup.meters.items():
        if name != MYSTERY and plan.table not in setup.elected.edition.progressives:
            yield _meters_clause(setup), f"no wager feeds the meter {name!r}"


def _meters_clause(setup: Setup) -> str:
    return setup.clause("progressive_system") or setup.clause("wagers_offered")


def _reserve_faults(setup: Setup) -> Faults:
    """A meter has the reserve that its clause gives it, and the reserve grows and starts as the clause says."""
    progressives = setup.elected.edition.progressives
    for table in dict.fromkeys(plan.table for plan in setup.meters.values() if plan.table in progressives):
        for tier, meter in progressives[table].meters[setup.choice(table) or "A"].items():
            reserve = meter_name(table, RESERVE) if meter.reserve_rate is not None else ""
            plan = setup.meters.get(meter_name(table, tier))
            if plan is not None and plan.reserve != reserve:
                yield meter.clause, f"the reserve of the meter {plan.name} is {plan.reserve!r}, not {reserve!r}"
            if not reserve:
                continue
            reserve_plan = setup.meters.get(reserve)
            if reserve_plan is None:
                yield meter.clause, f"the meter {reserve} is missing"
            elif reserve_plan.rate != meter.reserve_rate or reserve_plan.seed or reserve_plan.reseed:
                yield meter.clause, f"the meter {reserve} starts and resets at $0 and grows by {meter.reserve_rate}"


def _opening_amount_faults(setup: Setup) -> Faults:
    for name, amount in setup.meter_amounts.items():
        if name not in setup.meters:
            yield _meters_clause(setup), f"there is no meter {name!r} to stand at an amount"
        elif amount < 0:
            yield _meters_clause(setup), f"the meter {name} stands below $0"

"""Checks the setup in the head of a record against the regulation, as `croupier check` checks a submission."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.audits.finding import Finding, NumberedEvents
from croupier.progressive.mystery import MYSTERY
from croupier.submissions.table_checks import table_problems
from croupier.table.model.setup import Setup


def check_setup(setup: Setup, events: NumberedEvents) -> Iterator[Finding]:
    """The rules that the terms of the table break, and meters that belong to no wager."""
    del events
    for problem in table_problems(setup.terms):
        yield Finding(0, problem.clause, f"the setup of the table breaks a rule: {problem.key}: {problem.message}")
    for name, plan in setup.meters.items():
        if name != MYSTERY and plan.table not in setup.elected.edition.progressives:
            clause = setup.clause("progressive_system") or setup.clause("wagers_offered")
            yield Finding(0, clause, f"the setup of the table breaks a rule: no wager feeds the meter {name!r}")

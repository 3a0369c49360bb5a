"""Warnings about what a Rules Submission states: no rule forbids it, but somebody should look at it before it is filed.

Warnings about house edges are in `croupier.analysis.submission_warnings`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from croupier.core.money import format_money
from croupier.regulations import ElectedEdition, readings
from croupier.regulations.edition import MeterRule, ProgressiveRule
from croupier.regulations.payouts import OfMeter
from croupier.submissions.model import Problem, Submission
from croupier.submissions.table_terms import offered_progressives
from croupier.submissions.template import submission_template

PLACEHOLDER_KEYS = ("operator", "layout.filing", "progressive.system", "electronic.system")
LEAST_AMOUNTS_READING = "maryland_table_d_minimums"


def warn_of_statements(submission: Submission) -> Iterator[Problem]:
    """The warnings that need no analysis."""
    yield from _warn_of_placeholders(submission)
    yield from _warn_of_least_amounts(submission)


def _warn_of_placeholders(s: Submission) -> Iterator[Problem]:
    """Values that a template contains so that it can be checked."""
    template = tomllib.loads(submission_template(s.edition, s.edition.optional))
    stated: Mapping[str, str] = {
        "operator": s.operator,
        "layout.filing": s.layout.filing,
        "progressive.system": s.progressive.system if s.progressive else "",
        "electronic.system": s.electronic.system if s.electronic else "",
    }
    clauses = {
        "operator": s.edition.layout.operator_name,
        "layout.filing": s.edition.layout.filing,
        "progressive.system": s.edition.clause("progressive_system"),
        "electronic.system": s.edition.clause("electronic_wagering"),
    }
    for key in PLACEHOLDER_KEYS:
        placeholder: Any = template
        for name in key.split("."):
            placeholder = placeholder.get(name, {})
        if stated[key] and stated[key] == placeholder:
            yield Problem(key, clauses[key], f"{stated[key]!r} is the placeholder of the template: state your own")


def _warn_of_least_amounts(s: Submission) -> Iterator[Problem]:
    """Meters that may start below what other tables of the edition demand for the same hand (AMB-45)."""
    reading = readings()[LEAST_AMOUNTS_READING]
    for rule in offered_progressives(s):
        letter = s.elected.choices[rule.wager]
        for tier, meter in rule.meters[letter].items():
            stated = s.progressive.meters.get(tier) if s.progressive else None
            if stated is None or meter.clause not in reading.clauses:
                continue
            hands = _hands_on(s.elected, rule, letter, tier)
            usual = max(
                (
                    other_meter.minimum or 0
                    for other_letter, others in rule.meters.items()
                    for other, other_meter in others.items()
                    if _hands_on(s.elected, rule, other_letter, other) & hands
                ),
                default=0,
            )
            yield from _warn_of_amounts(f"progressive.meters.{tier}", meter, stated.initial, stated.reset, usual)


def _hands_on(elected: ElectedEdition, rule: ProgressiveRule, letter: str, tier: str) -> set[str]:
    """The hands that take the whole of a meter."""
    rows = elected.paytable_with_letter(rule.wager, letter).rows
    return {row.hand for row in rows if row.pays == OfMeter(Fraction(1), tier)}


def _warn_of_amounts(
    key: str, meter: MeterRule, initial: int | None, reset: int | None, usual: int
) -> Iterator[Problem]:
    number = readings()[LEAST_AMOUNTS_READING].number
    for part, amount in (("initial", initial), ("reset", reset)):
        if amount is not None and amount < usual:
            amounts = f"{format_money(amount)} is allowed, but other tables start at {format_money(usual)}"
            yield Problem(f"{key}.{part}", meter.clause, f"{amounts} for the same hand ({number})")

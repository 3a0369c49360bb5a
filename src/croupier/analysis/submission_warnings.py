"""Warnings about a Rules Submission: what no rule forbids, but somebody should look at before it is filed.

House edges come from the exact analysis.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.analysis.house_edges import REQUIRED, analyze_wager
from croupier.core.errors import InputError
from croupier.core.money import format_money
from croupier.regulations import ElectedEdition, readings
from croupier.regulations.clauses import clause_ids
from croupier.regulations.edition import MeterRule, ProgressiveRule
from croupier.regulations.payouts import OfMeter
from croupier.submissions.model import Problem, Submission, parse_submission, read_submission
from croupier.submissions.table_terms import offered_progressives
from croupier.submissions.template import submission_template

NOTABLE_SHARE = Fraction(1, 10)
"""A reading is worth a warning if it moves a house edge by more than this share of it."""
PLACEHOLDER_KEYS = ("operator", "layout.filing", "progressive.system", "electronic.system")
LEAST_AMOUNTS_READING = "maryland_table_d_minimums"


def warnings_of_file(path: Path) -> list[Problem]:
    """The warnings about the submission in a file; none if it names no edition."""
    submission, _ = read_submission(path)
    return [] if submission is None else list(warn_of(submission))


def warnings_of_data(data: Mapping[str, Any], file: str) -> list[Problem]:
    """As `warnings_of_file`, from parsed TOML."""
    submission, _ = parse_submission(data, file)
    return [] if submission is None else list(warn_of(submission))


def warn_of(submission: Submission) -> Iterator[Problem]:
    """Every warning about a submission: a key, a clause and a sentence."""
    yield from _warn_of_placeholders(submission)
    yield from _warn_of_least_amounts(submission)
    yield from _warn_of_readings(submission)


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


def _warn_of_readings(s: Submission) -> Iterator[Problem]:
    """Readings whose other choices move the house edge of a wager offered by more than a tenth of it."""
    wagers = [wager for wager in (REQUIRED, *s.edition.optional) if wager in s.wagers]
    edges = {wager: _house_edge(s.elected, wager) for wager in wagers}
    for name, election in s.edition.elections.items():
        if election.kind != "reading" or readings()[name].changes != "money":
            continue
        chosen = s.elected.choices[name]
        for other in election.choices:
            if other == chosen:
                continue
            alternative = s.edition.elect({**s.elected.choices, name: other})
            for wager, edge in edges.items():
                moved = _house_edge(alternative, wager)
                if edge is not None and moved is not None and abs(moved - edge) > NOTABLE_SHARE * abs(edge):
                    clause = next((clause for clause in election.clauses if clause in clause_ids(s.edition.name)), "")
                    title = s.edition.wagers[wager].title
                    percents = f"{_format_percent(edge)} as {chosen!r} and {_format_percent(moved)} as {other!r}"
                    message = f"the house edge of the {title} is {percents} ({readings()[name].number})"
                    yield Problem(f"elections.{name}", clause, message)


def _house_edge(elected: ElectedEdition, wager: str) -> Fraction | None:
    """The exact house edge; `None` if the wager has no exact analysis under these elections."""
    try:
        return analyze_wager(elected, wager).house_edge
    except InputError:
        return None


def _format_percent(edge: Fraction) -> str:
    return f"{float(edge * 100):.4f}%"

"""Warnings about a Rules Submission: what no rule forbids, but somebody should look at before it is filed.

House edges come from the exact analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from croupier.analysis.exact_results import find_result
from croupier.analysis.reading_effects import other_readings
from croupier.analysis.wagers import REQUIRED
from croupier.core.errors import InputError
from croupier.regulations import ElectedEdition
from croupier.regulations.clauses import clause_ids
from croupier.submissions.model import Problem, Submission, parse_submission, read_submission
from croupier.submissions.warnings import warn_of_statements

NOTABLE_SHARE = Fraction(1, 10)
"""A reading is worth a warning if it moves a house edge by more than this share of it."""


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
    yield from warn_of_statements(submission)
    yield from warn_of_readings(submission)


def warn_of_readings(s: Submission) -> Iterator[Problem]:
    """Readings whose other choices move the house edge of a wager offered by more than a tenth of it."""
    wagers = [wager for wager in (REQUIRED, *s.edition.optional) if wager in s.wagers]
    edges = {wager: _house_edge(s.elected, wager) for wager in wagers}
    for reading, other, alternative in other_readings(s.elected):
        clauses, chosen = s.edition.elections[reading.name].clauses, s.elected.choices[reading.name]
        for wager, edge in edges.items():
            moved = _house_edge(alternative, wager)
            if edge is not None and moved is not None and abs(moved - edge) > NOTABLE_SHARE * abs(edge):
                clause = next((clause for clause in clauses if clause in clause_ids(s.edition.name)), "")
                title = s.edition.wagers[wager].title
                percents = f"{_format_percent(edge)} as {chosen!r} and {_format_percent(moved)} as {other!r}"
                message = f"the house edge of the {title} is {percents} ({reading.number})"
                yield Problem(f"elections.{reading.name}", clause, message)


def _house_edge(elected: ElectedEdition, wager: str) -> Fraction | None:
    """The exact house edge; `None` if the wager has no exact analysis under these elections."""
    try:
        return find_result(elected, wager).house_edge
    except InputError:
        return None


def _format_percent(edge: Fraction) -> str:
    return f"{float(edge * 100):.4f}%"

"""Submissions for tests: the valid template with a small change."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import pytest

from croupier.regulations import edition
from croupier.submissions import Problem, submission_template
from croupier.submissions.checks import check_data

LEFT_OUT = object()
"""The value of a change that removes its key."""
EDITIONS = {
    "682a": ("pa-682a", "pa-682a-proposed"),
    "683a": ("pa-683a",),
    "679a": ("pa-679a",),
    "641a": ("pa-641a",),
    "md-4cp": ("md-4cp",),
}
Changes = Mapping[str, object]
Expected = tuple[str, str, str]
"""A key, the clause, and a part of the message."""


def changed_template(edition_name: str, changes: Changes, offer: tuple[str, ...] | None = None) -> dict[str, Any]:
    """The template of an edition as data, with values at paths such as `dealing.method` replaced."""
    data = tomllib.loads(submission_template(edition(edition_name), offer))
    for path, value in changes.items():
        *tables, key = path.split(".")
        table = data
        for name in tables:
            table = table.setdefault(name, {})
        if value is LEFT_OUT:
            del table[key]
        else:
            table[key] = value
    return data


def problems(edition_name: str, changes: Changes, offer: tuple[str, ...] | None = None) -> list[Problem]:
    """Every problem of a changed template."""
    return check_data(changed_template(edition_name, changes, offer), "changed draft")


def refuses(edition_name: str, changes: Changes, *expected: Expected, offer: tuple[str, ...] | None = None) -> None:
    """Asserts that a change causes these problems, in this order, and no other."""
    reported = problems(edition_name, changes, offer)
    assert [(problem.key, problem.clause) for problem in reported] == [(key, clause) for key, clause, _ in expected]
    for problem, (_, _, gist) in zip(reported, expected, strict=True):
        assert gist in problem.message, problem
        assert "\n" not in problem.message, "a message is one sentence"
        assert not problem.message.endswith("."), "a message ends without a period"


def accepts(edition_name: str, changes: Changes, offer: tuple[str, ...] | None = None) -> None:
    """Asserts that a change leaves the submission valid."""
    assert problems(edition_name, changes, offer) == []


def of_clauses(*ids: str) -> pytest.MarkDecorator:
    """Runs a test for each clause, as `edition` and `clause`; for both texts of 682a if they share it.

    Ids are written as in the index of clauses: `682a.9(a)(1)`, and for Maryland `md-4cp:9.A(1)`.
    """
    cases = [(name, clause) for clause_id in ids for name, clause in editions_of(clause_id)]
    return pytest.mark.parametrize(("edition", "clause"), cases, ids=[" ".join(case) for case in cases])


def editions_of(clause_id: str) -> list[tuple[str, str]]:
    """The editions that have a clause, each with the id it cites."""
    document, _, clause = clause_id.rpartition(":")
    return [(name, clause) for name in EDITIONS[document or clause.partition(".")[0]]]


def each(*rows: tuple[str, str]) -> pytest.MarkDecorator:
    """As `of_clauses`, with a parameter for each clause as `part`."""
    cases = [(name, clause, part) for clause_id, part in rows for name, clause in editions_of(clause_id)]
    return pytest.mark.parametrize(("edition", "clause", "part"), cases, ids=[" ".join(case) for case in cases])

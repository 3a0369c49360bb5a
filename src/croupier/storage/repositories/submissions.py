"""Rules Submissions on file: versions that never change, each approved or not (SUB-1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.sql import schema as s

_submissions = s.submissions.c


@dataclass(frozen=True, slots=True)
class FiledSubmission:
    """One version; `approved_at` is 0 until it is approved."""

    name: str
    version: int
    edition: str
    text: str
    filed_at: int
    filed_by: str
    approved_at: int
    approved_by: str


def all_versions(connection: sa.Connection) -> list[FiledSubmission]:
    """Every version, by name and number."""
    query = sa.select(s.submissions).order_by(_submissions.name, _submissions.version)
    return [_submission_from_row(row) for row in connection.execute(query)]


def find(connection: sa.Connection, name: str, version: int) -> FiledSubmission | None:
    """One version."""
    row = connection.execute(sa.select(s.submissions).where(_version_condition(name, version))).one_or_none()
    return None if row is None else _submission_from_row(row)


def insert(
    connection: sa.Connection, *, name: str, edition: str, text: str, filed_at: int, filed_by: str
) -> FiledSubmission:
    """Files the next version under a name."""
    last = sa.select(sa.func.coalesce(sa.func.max(_submissions.version), 0)).where(_submissions.name == name)
    version = connection.execute(last).scalar_one() + 1
    filed = FiledSubmission(name, version, edition, text, filed_at, filed_by, 0, "")
    values = {column: getattr(filed, column) for column in FiledSubmission.__slots__}
    connection.execute(sa.insert(s.submissions).values(**values))
    return filed


def approve(connection: sa.Connection, name: str, version: int, *, approved_at: int, approved_by: str) -> bool:
    """Approves a version; false if it is already approved."""
    change = sa.update(s.submissions).where(_version_condition(name, version), _submissions.approved_at == 0)
    return bool(connection.execute(change.values(approved_at=approved_at, approved_by=approved_by)).rowcount)


def _version_condition(name: str, version: int) -> sa.ColumnElement[bool]:
    return (_submissions.name == name) & (_submissions.version == version)


def _submission_from_row(row: sa.Row[Any]) -> FiledSubmission:
    return FiledSubmission(**{column: getattr(row, column) for column in FiledSubmission.__slots__})

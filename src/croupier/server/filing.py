"""Rules Submissions on file: versions that are never changed, each approved or not (SUB-1)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from croupier.errors import Malformed, NotPermitted
from croupier.rules import Edition, edition, is_edition, no_edition
from croupier.server.errors import not_found
from croupier.server.seen import Viewer
from croupier.store import Store
from croupier.store import schema as s
from croupier.submissions import Problem, Submission
from croupier.submissions.checks import check_data
from croupier.submissions.submission import parse_submission
from croupier.table.setup import Setup

Note = Callable[[Viewer, str, Mapping[str, Any], str], None]


@dataclass(frozen=True, slots=True)
class Filed:
    """One version."""

    name: str
    version: int
    edition: str
    text: str
    filed_at: int
    filed_by: str
    approved_at: int
    approved_by: str


def checked(text: str) -> tuple[list[Problem], dict[str, Any] | None]:
    """What is wrong with a text, all at once, and what it says; nothing where it is not TOML."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return _read(text)[1], None
    return check_data(data, "submission"), data


def edition_and_choices(text: str) -> tuple[Edition, dict[str, str], tuple[str, ...]]:
    """The edition of a text, the choices that it states and the optional wagers that it offers.

    Refuses a text that is not TOML or names no edition; what else is wrong with it does not matter here.
    """
    problems, data = checked(text)
    if data is None:
        raise Malformed(problems[0].key, problems[0].message)
    name, elections, wagers = data.get("edition"), data.get("elections", {}), data.get("wagers", {})
    if not is_edition(name):
        raise Malformed("edition", no_edition(str(name)[:40]))
    rules = edition(name)
    known = elections if isinstance(elections, dict) else {}
    stated = {
        key: choice
        for key, choice in known.items()
        if key in rules.elections and choice in rules.elections[key].choices
    }
    offered = wagers if isinstance(wagers, dict) else {}
    return rules, stated, tuple(wager for wager in rules.optional if wager in offered)


def _read(text: str) -> tuple[Submission | None, list[Problem]]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        return None, [Problem("", "", f"is not TOML: {str(error)[:200]}")]
    return parse_submission(data, "submission")[0], check_data(data, "submission")


class Filing:
    """The file of a house."""

    def __init__(self, store: Store, note: Note) -> None:
        self._database = store.database
        self._note = note

    def every(self) -> Sequence[Filed]:
        """Every version, by name and number."""
        with self._database.reading() as connection:
            query = sa.select(s.submissions).order_by(s.submissions.c.name, s.submissions.c.version)
            return [_filed(row) for row in connection.execute(query)]

    def one(self, name: str, version: int) -> Filed:
        """One version; refuses what there is not."""
        which = (s.submissions.c.name == name) & (s.submissions.c.version == version)
        with self._database.reading() as connection:
            row = connection.execute(sa.select(s.submissions).where(which)).one_or_none()
        if row is None:
            raise not_found(f"there is no version {version} of a Rules Submission {name!r}")
        return _filed(row)

    def file(self, name: str, text: str, by: Viewer, at: int) -> Filed:
        """Another version, if it is valid; refuses with the first problem and its clause."""
        submission, problems = _read(text)
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise Malformed(problems[0].key, problems[0].message + more, problems[0].clause)
        if submission is None:
            raise Malformed("edition", "is missing")
        with self._database.writing() as connection:
            last = sa.select(sa.func.coalesce(sa.func.max(s.submissions.c.version), 0))
            version = connection.execute(last.where(s.submissions.c.name == name)).scalar_one() + 1
            filed = Filed(name, version, submission.edition.name, text, at, by.name, 0, "")
            values = {field: getattr(filed, field) for field in Filed.__slots__}
            connection.execute(sa.insert(s.submissions).values(**values))
        self._note(by, "submission_filed", {"name": name, "version": version}, "")
        return filed

    def approve(self, name: str, version: int, by: Viewer, at: int) -> Filed:
        """Approves a version; one that is approved stays as it is, and nobody approves his own."""
        filed = self.one(name, version)
        if filed.approved_at:
            raise NotPermitted("", f"version {version} of {name} is approved already")
        if filed.filed_by == by.name:
            raise NotPermitted("", "somebody else has to approve what you filed")
        which = (
            (s.submissions.c.name == name) & (s.submissions.c.version == version) & (s.submissions.c.approved_at == 0)
        )
        with self._database.writing() as connection:
            done = sa.update(s.submissions).where(which).values(approved_at=at, approved_by=by.name)
            if not connection.execute(done).rowcount:  # another regulator was quicker
                raise NotPermitted("", f"version {version} of {name} is approved already")
        self._note(by, "submission_approved", {"name": name, "version": version}, "")
        return replace(filed, approved_at=at, approved_by=by.name)

    def setup(self, name: str, version: int, table: str, *, verifiable: bool, reads_cards: bool) -> Setup:
        """How a table of an approved version is set up; refuses one that is not approved."""
        filed = self.one(name, version)
        if not filed.approved_at:
            raise NotPermitted("", f"version {version} of {name} is not approved: no round may start on it")
        submission, problems = _read(filed.text)
        if submission is None or problems:
            why = problems[0].message if problems else "it cannot be read"
            raise NotPermitted("", f"version {version} of {name} is no longer valid: {why}")
        setup = replace(Setup.of(submission), name=table, verifiable=verifiable, reads_cards=reads_cards)
        if reads_cards and (verifiable or setup.preshuffled):
            what = "dealt verifiably" if verifiable else "preshuffled"
            raise NotPermitted("", f"cards that are read at the shoe cannot be {what}")
        return setup


def _filed(row: sa.Row[Any]) -> Filed:
    return Filed(**{field: getattr(row, field) for field in Filed.__slots__})

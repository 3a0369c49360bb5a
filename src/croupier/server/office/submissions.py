"""Rules Submissions on file: versions that are never changed, each approved or not (SUB-1)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.regulations import Edition, edition, is_edition, unknown_edition_message
from croupier.storage import Store
from croupier.storage.repositories import submissions
from croupier.storage.repositories.submissions import FiledSubmission
from croupier.submissions import Problem, Submission
from croupier.submissions.checks import check_data
from croupier.submissions.model import parse_submission
from croupier.table.model.setup import Setup
from croupier.table.visibility import Viewer

SubmissionNote = Callable[[Viewer, str, Mapping[str, Any], str], None]


def check_text(text: str) -> tuple[list[Problem], dict[str, Any] | None]:
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
    problems, data = check_text(text)
    if data is None:
        raise InputError(problems[0].key, problems[0].message)
    name, elections, wagers = data.get("edition"), data.get("elections", {}), data.get("wagers", {})
    if not is_edition(name):
        raise InputError("edition", unknown_edition_message(str(name)[:40]))
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


class SubmissionRegister:
    """The file of a house."""

    def __init__(self, store: Store, note: SubmissionNote) -> None:
        self._database = store.database
        self._note = note

    def list_versions(self) -> Sequence[FiledSubmission]:
        """Every version, by name and number."""
        with self._database.read_transaction() as connection:
            return submissions.all_versions(connection)

    def get_version(self, name: str, version: int) -> FiledSubmission:
        """One version; refuses what there is not."""
        with self._database.read_transaction() as connection:
            filed = submissions.find(connection, name, version)
        if filed is None:
            raise NotFound("version", f"there is no version {version} of a Rules Submission {name!r}")
        return filed

    def file(self, name: str, text: str, by: Viewer, at: int) -> FiledSubmission:
        """Another version, if it is valid; refuses with the first problem and its clause."""
        submission, problems = _read(text)
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise InputError(problems[0].key, problems[0].message + more, problems[0].clause)
        if submission is None:
            raise InputError("edition", "is missing")
        with self._database.write_transaction() as connection:
            filed = submissions.insert(
                connection, name=name, edition=submission.edition.name, text=text, filed_at=at, filed_by=by.name
            )
        self._note(by, "submission_filed", {"name": name, "version": filed.version}, "")
        return filed

    def approve(self, name: str, version: int, by: Viewer, at: int) -> FiledSubmission:
        """Approves a version; one that is approved stays as it is, and nobody approves their own."""
        filed = self.get_version(name, version)
        if filed.approved_at:
            raise RuleViolation("", f"version {version} of {name} is approved already")
        if filed.filed_by == by.name:
            raise RuleViolation("", "somebody else has to approve what you filed")
        with self._database.write_transaction() as connection:
            if not submissions.approve(connection, name, version, approved_at=at, approved_by=by.name):
                raise RuleViolation("", f"version {version} of {name} is approved already")
        self._note(by, "submission_approved", {"name": name, "version": version}, "")
        return replace(filed, approved_at=at, approved_by=by.name)

    def setup(self, name: str, version: int, table: str, *, verifiable: bool, reads_cards: bool) -> Setup:
        """How a table of an approved version is set up; refuses one that is not approved."""
        filed = self.get_version(name, version)
        if not filed.approved_at:
            raise RuleViolation("", f"version {version} of {name} is not approved: no round may start on it")
        submission, problems = _read(filed.text)
        if submission is None or problems:
            why = problems[0].message if problems else "it cannot be read"
            raise RuleViolation("", f"version {version} of {name} is no longer valid: {why}")
        setup = replace(Setup.from_submission(submission), name=table, verifiable=verifiable, reads_cards=reads_cards)
        if reads_cards and (verifiable or setup.preshuffled):
            what = "dealt verifiably" if verifiable else "preshuffled"
            raise RuleViolation("", f"cards that are read at the shoe cannot be {what}")
        return setup

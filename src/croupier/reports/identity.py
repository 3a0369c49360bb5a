"""Identifies what a document is about: game, edition, submission, readings and program."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from croupier.core.errors import InputError
from croupier.core.program_digest import installed_files, program_digest
from croupier.core.version import VERSION
from croupier.regulations import Edition, ElectedEdition, readings
from croupier.regulations.edition import Election
from croupier.submissions.checks import check_data
from croupier.submissions.model import Submission, parse_submission


@dataclass(frozen=True, slots=True)
class DocumentSubject:
    """A valid Rules Submission and its TOML text."""

    submission: Submission
    text: str


def read_subject(path: Path) -> DocumentSubject:
    """Reads a submission from a file; refuses an invalid one with its first problem."""
    try:
        return parse_subject(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(str(path), "is not a text file in UTF-8") from error


def parse_subject(text: str, place: str) -> DocumentSubject:
    """Parses a submission; refuses an invalid one with its first problem."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(place, f"is not TOML: {error}") from error
    submission, _ = parse_submission(data, place)
    problems = check_data(data, place)
    if submission is None or problems:
        raise InputError(f"{place}, {problems[0].key}", problems[0].message, problems[0].clause)
    return DocumentSubject(submission, text)


def edition_identity(rules: Edition) -> dict[str, Any]:
    """The edition that a document is based on."""
    return {
        "edition": rules.name,
        "title": rules.title,
        "jurisdiction": rules.jurisdiction,
        "regulation": rules.regulation,
    }


def document_identity(subject: DocumentSubject) -> dict[str, Any]:
    """The facts for the first page, and for the footer of every page."""
    submission = subject.submission
    rules = submission.edition
    return {
        **edition_identity(rules),
        "status": rules.status,
        "regulator": rules.regulator,
        "operator": submission.operator,
        "operator_is": rules.operator,
        "version": submission.version,
        "approved": None if submission.approved is None else submission.approved.isoformat(),
        "submission_sha256": hashlib.sha256(subject.text.encode()).hexdigest(),
        "elections": dict(submission.elected.choices),
        "readings": readings_in_force(submission.elected),
        "program": program_identity(),
    }


def readings_in_force(elected: ElectedEdition) -> list[dict[str, Any]]:
    """Every passage of the edition with more than one reading, and the reading in force."""
    entries = []
    for reading in readings().values():
        if elected.edition.name in reading.editions:
            choice = elected.choices.get(reading.name, reading.default)
            entries.append(
                {
                    "id": reading.number,
                    "reading": reading.name,
                    "title": reading.title,
                    "choice": choice,
                    "means": reading.choices[choice],
                    "elective": reading.elective,
                    "changes": reading.changes,
                }
            )
    return entries


def elections_in_force(elected: ElectedEdition) -> list[tuple[str, str]]:
    """The title of every election of an edition and the choice in force, in words."""
    elections = elected.edition.elections
    return [(elections[name].title, choice_label(elections[name], choice)) for name, choice in elected.choices.items()]


def choice_label(election: Election, choice: str) -> str:
    """A choice in words; a paytable is elected by its letter."""
    return f"table {choice}" if election.kind == "paytable" else choice.replace("_", " ")


def program_identity() -> dict[str, str]:
    """The program that writes the document."""
    return {"version": VERSION, "digest": program_digest(installed_files())}

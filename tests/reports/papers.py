"""Helpers for tests of documents: submissions, and the text of a PDF by page."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

from pypdf import PdfReader

from croupier.regulations import edition
from croupier.reports.identity import DocumentSubject, parse_subject
from croupier.submissions.template import submission_template
from croupier.table.model.setup import progressives_on_chips

APPROVED = date(2026, 1, 31)
APPROVAL_COMMENT = "# approved = 2026-01-31"


def submission_text(name: str) -> str:
    """A valid, approved submission of an edition."""
    text = submission_template(edition(name))
    assert APPROVAL_COMMENT in text
    return text.replace(APPROVAL_COMMENT, f"approved = {APPROVED.isoformat()}")


def full_submission(name: str) -> DocumentSubject:
    """An approved submission with every wager one table can offer: one progressive on chips at most (AMB-37)."""
    rules = edition(name)
    excluded = progressives_on_chips(rules)[1:]
    text = submission_template(rules, tuple(wager for wager in rules.optional if wager not in excluded))
    return parse_subject(text.replace(APPROVAL_COMMENT, f"approved = {APPROVED.isoformat()}"), f"{name}.toml")


def submission_file(folder: Path, name: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(submission_text(name), encoding="utf-8")
    return path


def document_subject(name: str) -> DocumentSubject:
    return parse_subject(submission_text(name), f"{name}.toml")


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page, with single spaces and rejoined hyphenated words."""
    return [
        " ".join((page.extract_text() or "").split()).replace("- ", "-") for page in PdfReader(io.BytesIO(pdf)).pages
    ]


def pages_in(path: Path) -> list[str]:
    return pages_of(path.read_bytes())

"""What tests of papers share: submissions, and the text of a PDF page by page."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

from pypdf import PdfReader

from croupier.regulations import edition
from croupier.reports.identity import DocumentSubject, filed
from croupier.submissions.template import submission_template
from croupier.table.model.demo_setup import progressives_on_chips

APPROVED = date(2026, 1, 31)
UNCHECKED = "# approved = 2026-01-31"


def submission_text(name: str) -> str:
    """A valid submission of an edition, approved."""
    text = submission_template(edition(name))
    assert UNCHECKED in text
    return text.replace(UNCHECKED, f"approved = {APPROVED.isoformat()}")


def everything_offered(name: str) -> DocumentSubject:
    """An approved submission with every wager that one table can offer: of progressives on chips one (AMB-37)."""
    rules = edition(name)
    others = progressives_on_chips(rules)[1:]
    text = submission_template(rules, tuple(wager for wager in rules.optional if wager not in others))
    return filed(text.replace(UNCHECKED, f"approved = {APPROVED.isoformat()}"), f"{name}.toml")


def submission_file(folder: Path, name: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(submission_text(name), encoding="utf-8")
    return path


def paper_of(name: str) -> DocumentSubject:
    return filed(submission_text(name), f"{name}.toml")


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page, runs of spaces as one, words broken at their hyphen whole again."""
    return [
        " ".join((page.extract_text() or "").split()).replace("- ", "-") for page in PdfReader(io.BytesIO(pdf)).pages
    ]


def pages_in(path: Path) -> list[str]:
    return pages_of(path.read_bytes())

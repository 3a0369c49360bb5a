"""What can be audited: a record in a file, or a database by its path or URL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.audits.database.audit import DatabaseAudit
    from croupier.audits.record import Audit

SQLITE_HEADER = b"SQLite format 3\0"


def is_database(source: str) -> bool:
    """Whether a source is the URL of a database or the path of an SQLite file."""
    if "://" in source:
        return True
    try:
        with Path(source).open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def audit_source(source: str, table: str = "") -> Audit | DatabaseAudit:
    """Audits a record, or a database with all its tables or one of them."""
    if is_database(source):
        from croupier.audits.database.audit import audit_database

        return audit_database(source, table)
    if table:
        raise InputError("--table", f"{source} is not a database: a record has only one table")
    from croupier.audits.record import audit_file

    return audit_file(Path(source))

"""Backup of an SQLite database while it is in use."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from croupier.core.errors import RuleViolation
from croupier.storage.event_store import Store
from croupier.storage.private_files import create_private_file
from croupier.storage.sql.database import StorageUnavailable


def backup(store: Store, path: Path) -> None:
    """Writes a consistent, compact copy to a new file; commands continue meanwhile."""
    if not store.database.is_sqlite:
        raise RuleViolation("", "use pg_dump to back up a PostgreSQL database")
    try:
        is_new = create_private_file(path)  # SQLite fills an empty file and keeps its mode
    except OSError as error:
        raise StorageUnavailable("the file cannot be opened or created", place=str(path)) from error
    if not is_new:
        raise RuleViolation("", f"{path} already exists")
    try:
        with store.database.autocommit() as connection:  # VACUUM cannot run in a transaction
            connection.execute(sa.text("VACUUM INTO :path"), {"path": str(path)})
    except DBAPIError as error:
        path.unlink(missing_ok=True)
        raise store.database.unavailable(error, str(path)) from error

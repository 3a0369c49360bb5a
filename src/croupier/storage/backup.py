"""Backup of an SQLite database while it is in use."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from croupier.core.errors import RuleViolation
from croupier.storage.event_store import Store
from croupier.storage.sql.database import StorageUnavailable


def backup(store: Store, path: Path) -> None:
    """Writes a consistent, compact copy to a new file; commands continue meanwhile."""
    if not store.database.is_sqlite:
        raise RuleViolation("", "use pg_dump to back up a PostgreSQL database")
    if path.exists():
        raise RuleViolation("", f"{path} already exists")
    try:
        with store.database.autocommit() as connection:  # VACUUM cannot run in a transaction
            connection.execute(sa.text("VACUUM INTO :path"), {"path": str(path)})
    except DBAPIError as error:
        raise StorageUnavailable(f"{path}: {store.database.describe_error(error)}") from error

"""A copy of an SQLite store while it is in use."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from croupier.errors import NotPermitted
from croupier.store.database import Unavailable
from croupier.store.store import Store


def backup(store: Store, path: Path) -> None:
    """Writes a whole, compact copy of one moment to a new file; commands go on meanwhile."""
    if not store.database.is_sqlite:
        raise NotPermitted("", "a PostgreSQL database is backed up with pg_dump")
    if path.exists():
        raise NotPermitted("", f"{path} is there already")
    try:
        with store.database.without_transaction() as connection:  # as SQLite wants it
            connection.execute(sa.text("VACUUM INTO :path"), {"path": str(path)})
    except DBAPIError as error:
        raise Unavailable(f"{path}: {store.database.sentence(error)}") from error

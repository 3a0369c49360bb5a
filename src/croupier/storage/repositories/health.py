"""Whether the database can be used."""

from __future__ import annotations

import sqlalchemy as sa

from croupier.storage.sql.database import Database


def require_writable(database: Database) -> None:
    """Begins and ends an empty write transaction; raises `StorageUnavailable` if that fails."""
    with database.write_transaction() as connection:
        connection.execute(sa.text("SELECT 1"))

"""Brings the schema of a database up to date when it is opened, and refuses one from a newer program."""

from __future__ import annotations

import sqlalchemy as sa

from croupier.core.errors import InputError
from croupier.storage.sql.database import Database
from croupier.storage.sql.schema import HEAD

_ADVISORY_LOCK = 0x43524F55
"""A PostgreSQL advisory lock, so that one process migrates at a time; SQLite has a single writer."""


def migrate(database: Database) -> None:
    """Migrates to the current schema; refuses a newer one."""
    with database.read_transaction() as connection:
        version = schema_version(connection)
    if version == HEAD:
        return
    with database.write_transaction() as connection:
        if not database.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        version = schema_version(connection)
        if version > HEAD:
            newer = f"its schema version {version} is newer than {HEAD}, the newest this program knows"
            raise InputError(database.name, f"{newer}: use the newer program that wrote it")
        if version < HEAD:
            _upgrade(connection)


def require_schema(connection: sa.Connection, name: str) -> None:
    """Refuses a database of another schema version; nothing is migrated here."""
    version = schema_version(connection)
    if not version:
        raise InputError(name, "is not a Croupier database")
    if version != HEAD:
        raise InputError(name, f"its schema version is {version}, and this program reads version {HEAD}")


def schema_version(connection: sa.Connection) -> str:
    """The version of a database's schema, empty if it has none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return str(version or "")


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command  # imported here because starting on an up-to-date database is faster without it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "croupier.storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

"""Brings the schema of a database up to date when it is opened, and refuses one from a newer program."""

from __future__ import annotations

import sqlalchemy as sa

from croupier.errors import Malformed
from croupier.store.database import Database
from croupier.store.schema import HEAD

_LOCK = 0x43524F55
"""One process migrates at a time: the number of an advisory lock of PostgreSQL. SQLite has one writer anyhow."""


def migrate(database: Database) -> None:
    """The schema of today; a newer one is refused with a sentence."""
    with database.reading() as connection:
        found = schema_version(connection)
    if found == HEAD:
        return
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        found = schema_version(connection)
        if found > HEAD:
            newer = f"its schema is version {found} and this program knows those up to {HEAD}"
            raise Malformed(database.name, f"{newer}: it was written by a newer program, so use that one")
        if found < HEAD:
            _upgrade(connection)


def require_schema(connection: sa.Connection, name: str) -> None:
    """Refuses a database of another schema than this program's: it is not brought up to date here."""
    found = schema_version(connection)
    if not found:
        raise Malformed(name, "is not a database of Croupier")
    if found != HEAD:
        raise Malformed(name, f"its schema is version {found} and this program reads version {HEAD}")


def schema_version(connection: sa.Connection) -> str:
    """The version of a database's schema, empty where it has none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return str(found or "")


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command  # here, because a database that is up to date starts quicker without it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "croupier.store:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

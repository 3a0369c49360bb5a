"""Raw SQL through the database driver, one statement at a time or pipelined, inside SQLAlchemy's transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError


def execute_raw(connection: sa.Connection, statement: str, values: Any) -> Any:
    """Executes a statement on the driver and returns its cursor: SQLAlchemy's overhead may exceed the statement's cost.

    Errors are raised as SQLAlchemy's.
    """
    with _translate_errors(connection) as driver:
        return driver.execute(statement, values)


@contextmanager
def pipeline(connection: sa.Connection) -> Iterator[None]:
    """Pipelines the statements inside it on PostgreSQL: each round trip costs a context switch.

    Cursors have their rows, and errors are raised, when the block ends.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    try:
        with _translate_errors(connection), driver.pipeline():
            yield
    except DBAPIError as error:
        if not error.connection_invalidated and driver.info.pipeline_status:
            # The connection is stuck in the pipeline and cannot be used again.
            connection.invalidate(error)
            error.connection_invalidated = True
        raise


@contextmanager
def _translate_errors(connection: sa.Connection) -> Iterator[Any]:
    dialect, driver = connection.dialect, connection.connection.driver_connection
    errors = dialect.loaded_dbapi.Error
    try:
        yield driver
    except errors as error:
        lost = dialect.is_disconnect(error, driver, None)
        if lost:
            connection.invalidate(error)
        raise DBAPIError.instance(None, None, error, errors, connection_invalidated=lost, dialect=dialect) from error

"""Statements by the driver of a database itself, one by one or several together, within SQLAlchemy's transactions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError


def on_driver(connection: sa.Connection, statement: str, values: Any) -> Any:
    """A statement of a transaction by the driver itself, and its cursor; SQLAlchemy's way to it may cost more than it.

    What fails is told as SQLAlchemy tells it.
    """
    with _told(connection) as driver:
        return driver.execute(statement, values)


@contextmanager
def together(connection: sa.Connection) -> Iterator[None]:
    """Statements by the driver in here go to PostgreSQL at once, one after another, and are answered at once.

    Each way there and back is a wait for a processor. What their cursors hold is there when all are through; what
    fails is told then, too.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    try:
        with _told(connection), driver.pipeline():
            yield
    except DBAPIError as error:
        if not error.connection_invalidated and driver.info.pipeline_status:
            # Broken in the middle, it does not get out of the middle: nothing more can be said on it.
            connection.invalidate(error)
            error.connection_invalidated = True
        raise


@contextmanager
def _told(connection: sa.Connection) -> Iterator[Any]:
    dialect, driver = connection.dialect, connection.connection.driver_connection
    errors = dialect.loaded_dbapi.Error
    try:
        yield driver
    except errors as error:
        lost = dialect.is_disconnect(error, driver, None)
        if lost:
            connection.invalidate(error)
        raise DBAPIError.instance(None, None, error, errors, connection_invalidated=lost, dialect=dialect) from error

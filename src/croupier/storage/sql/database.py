"""One SQLite or PostgreSQL database: connection pool, transactions, file lock, raw statements, plain error messages."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from croupier.core.errors import CroupierError, InputError


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


class FileLock:
    """The file lock of one process; its threads queue on a mutex first."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-turn")
        self._lock = Lock()
        self._file = -1

    @contextmanager
    def acquire(self) -> Iterator[None]:
        """Holds the lock inside the block."""
        with self._lock:
            if self._file < 0:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1


BUSY_TIMEOUT_MILLISECONDS = 5_000
"""How long SQLite waits for the lock of another connection."""
POOL_SIZE = 12
"""Connections in the pool: opening a connection costs more than most queries."""
WAL_CHECKPOINT_PAGES = 8_000
"""Pages in SQLite's write-ahead log (32 MB) before a checkpoint: most are rewritten by the next commits anyway."""
Connection = sa.Connection
"""A connection in a transaction, which callers pass on to repositories."""
_WRITE_OPTION = "croupier_writes"
_NO_TRANSACTION_OPTION = "croupier_no_transaction"


class StorageUnavailable(CroupierError):
    """The database cannot be used; nothing was acknowledged, and everything stored before is kept.

    `lost` says that the connection broke, so a retry on another one may work.
    """

    def __init__(self, message: str, *, lost: bool = False) -> None:
        super().__init__(message)
        self.lost = lost


class WriteConflict(Exception):
    """The database refused these rows, most likely because another process has just written them."""


def default_path() -> Path:
    """The SQLite file in the user's data directory."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "croupier" / "croupier.db"


def url_of(location: str | Path | None) -> sa.URL:
    """The URL of a database; accepts a URL, the path of an SQLite file, or `None` for the default file."""
    if location is None:
        default_path().parent.mkdir(parents=True, exist_ok=True)
        location = default_path()
    if isinstance(location, Path) or "://" not in location:
        return sa.URL.create("sqlite", database=str(location))
    try:
        url = sa.make_url(location)
    except (ArgumentError, ValueError) as error:
        raise InputError("database", f"{location!r} is not a valid database URL") from error
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database not in (None, "", ":memory:"):
        return url
    raise InputError("database", "the URL must begin with postgresql:// or sqlite:/// and name a database")


class Database:
    """Connections to one database."""

    def __init__(
        self, location: str | Path | None = None, *, read_only: bool = False, serialize_writers: bool = False
    ) -> None:
        """With `read_only` nothing is written and no file is created.

        `serialize_writers` is for several processes that write to one SQLite file; an advisory lock serializes them.
        """
        self.url = url_of(location)
        self.is_sqlite = self.url.drivername == "sqlite"
        self.read_only = read_only
        self._pinned: sa.Connection | None = None
        self._file_lock = FileLock(Path(str(self.url.database))) if serialize_writers and self.is_sqlite else None
        try:
            # An SQLite connection may move between threads but is never used by two at once.
            options: dict[str, Any] = {"isolation_level": "READ COMMITTED"}
            if self.is_sqlite:
                options = {"connect_args": {"check_same_thread": False}}
            address = self.url if not (self.is_sqlite and read_only) else self._read_only_url()
            # Last in, first out: the connection used last has prepared statements and warm caches.
            pool: dict[str, Any] = {"poolclass": QueuePool, "pool_size": POOL_SIZE, "pool_use_lifo": True}
            self.engine = sa.create_engine(address, **pool, **options)
        except (ModuleNotFoundError, NoSuchModuleError) as error:
            raise InputError("database", "PostgreSQL needs the extra: pip install croupier[postgresql]") from error
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _set_up_read_only_sqlite if read_only else _set_up_sqlite)
            sa.event.listen(self.engine, "begin", _begin_sqlite)

    def _read_only_url(self) -> sa.URL:
        """A URL with which SQLite writes nothing, not even a lock if nobody else has the file open."""
        path = Path(str(self.url.database)).resolve()
        if not path.is_file():
            raise InputError(self.name, "the file does not exist")
        # In a read-only folder SQLite cannot create the shared-memory file that it needs beside writers.
        is_frozen = not path.with_name(f"{path.name}-wal").exists() and not os.access(path.parent, os.W_OK)
        query = {"mode": "ro", "uri": "true"} | ({"immutable": "1"} if is_frozen else {})
        return self.url.set(database=f"file:{quote(str(path))}", query=query)

    @property
    def name(self) -> str:
        """The name of the database in messages, without a password."""
        if self.is_sqlite:
            return str(self.url.database)
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)

    @contextmanager
    def read_transaction(self) -> Iterator[sa.Connection]:
        """A read-only transaction on one consistent state."""
        with self._translate_errors(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextmanager
    def write_transaction(self) -> Iterator[sa.Connection]:
        """A transaction that commits at the end and rolls back on any error."""
        with self._translate_errors(), self._checked_connection() as connection, self._lock_file(), connection.begin():
            yield connection

    @contextmanager
    def pinned_write_transaction(self) -> Iterator[sa.Connection]:
        """A write transaction for a frequent writer, whose connection stays checked out between transactions.

        Unlike in `write_transaction` the connection is not tested first and may be broken. Not thread-safe.
        """
        with self._translate_errors(), self._pinned_connection() as connection, self._lock_file(), connection.begin():
            yield connection

    def _lock_file(self) -> AbstractContextManager[None]:
        return nullcontext() if self._file_lock is None else self._file_lock.acquire()

    @contextmanager
    def autocommit(self) -> Iterator[sa.Connection]:
        """A connection for SQLite statements that cannot run in a transaction."""
        with self.engine.connect() as connection:
            connection.execution_options(**{_NO_TRANSACTION_OPTION: True})
            yield connection

    @contextmanager
    def _checked_connection(self) -> Iterator[sa.Connection]:
        """A connection for writing; replaces one that the server has dropped."""
        connection = self._write_connection()
        if not self.is_sqlite:
            try:
                connection.exec_driver_sql("")  # an empty statement is the cheapest test
                connection.rollback()
            except DBAPIError as error:
                connection.close()
                if not error.connection_invalidated:
                    raise
                connection = self._write_connection()
        with connection:
            yield connection

    @contextmanager
    def _pinned_connection(self) -> Iterator[sa.Connection]:
        connection, self._pinned = self._pinned or self._write_connection(), None
        try:
            yield connection
        except BaseException:
            connection.close()  # start with another connection next time
            raise
        self._pinned = connection

    def _write_connection(self) -> sa.Connection:
        return self.engine.connect().execution_options(**{_WRITE_OPTION: True})

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except (IntegrityError, DataError) as error:
            raise WriteConflict(str(error.orig)) from error
        except DBAPIError as error:
            lost = error.connection_invalidated
            raise StorageUnavailable(f"{self.name}: {self.describe_error(error)}", lost=lost) from error

    def describe_error(self, error: DBAPIError) -> str:
        """Describes a failure in one plain sentence."""
        text = str(error.orig).strip()
        if self.is_sqlite:
            for phrase, sentence in _SQLITE_FAILURES.items():
                if phrase in text:
                    return sentence
        if error.connection_invalidated or "connect" in text:
            return "the database cannot be reached, so nothing was acknowledged; the next command tries again"
        return f"the database reports an error: {text.splitlines()[0] if text else type(error.orig).__name__}"

    def close(self) -> None:
        if self._pinned is not None:
            self._pinned.close()
            self._pinned = None
        self.engine.dispose()
        if self._file_lock is not None:
            self._file_lock.close()


_SQLITE_FAILURES = {
    "disk is full": "the disk is full, so nothing was acknowledged; what was stored before is kept",
    "disk I/O error": "the disk cannot be read or written, so nothing was acknowledged",
    "readonly": "the file is read-only, so nothing can be stored",
    "unable to open": "the file cannot be opened or created",
    "malformed": "the file is damaged: restore a backup",
    "not a database": "the file is not a database, or is damaged: restore a backup",
    "locked": "another program has locked the file",
}


def _set_up_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin explicitly
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {WAL_CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _set_up_read_only_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    # The audit must also find bytes that are not valid UTF-8.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    for pragma in (f"busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}", "query_only = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    options = connection.get_execution_options()
    if not options.get(_NO_TRANSACTION_OPTION):
        execute_raw(connection, "BEGIN IMMEDIATE" if options.get(_WRITE_OPTION) else "BEGIN", ())


def require_writable(database: Database) -> None:
    """Begins and ends an empty write transaction; raises `StorageUnavailable` if that fails."""
    with database.write_transaction() as connection:
        connection.execute(sa.text("SELECT 1"))

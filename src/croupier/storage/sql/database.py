"""One SQLite or PostgreSQL database: connection pool, transactions, file lock, bulk statements, plain error messages.

The bulk statements load and insert the rows of many tables at once. Each has one parameter per column, so that its
text never changes and stays prepared. On SQLite the result is one row of JSON: its driver releases the GIL at every
row and then has to wait for it.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    OperationalError,
    PendingRollbackError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import QueuePool

from croupier.core.errors import CroupierError, InputError
from croupier.core.extras import install_hint
from croupier.storage.private_files import create_private_file, make_private_folder, open_private


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
    is_sent = False
    try:
        with _translate_errors(connection), driver.pipeline():
            yield
            is_sent = True
    except IndexError as error:
        if not is_sent:
            raise
        # The driver got more results than it knows statements for: the state of the connection is unknown.
        connection.invalidate(error)
        raise OperationalError(None, None, error, connection_invalidated=True) from error
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
                self._file = open_private(self._path, os.O_RDWR)
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

    `reason` is one sentence for anybody; the text of the error also has the path or address of the database and the
    driver's words, for operators only. `lost` says that the connection broke, so a retry on another one may work.
    """

    def __init__(self, reason: str, *, place: str = "", detail: str = "", lost: bool = False) -> None:
        super().__init__(": ".join(part for part in (place, reason, detail) if part))
        self.reason = reason
        self.detail = detail
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
        make_private_folder(default_path().parent)
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
            raise InputError("database", f"PostgreSQL needs the extra: {install_hint('postgresql')}") from error
        if self.is_sqlite:
            if not read_only:
                with suppress(OSError):  # the first connection says what is wrong
                    create_private_file(Path(str(self.url.database)))
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
        with self.translated_errors(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin() as transaction:
                yield connection
                transaction.rollback()  # SQLite cannot commit, not even nothing, after it has met a damaged page

    @contextmanager
    def write_transaction(self) -> Iterator[sa.Connection]:
        """A transaction that commits at the end and rolls back on any error."""
        with self.translated_errors(), self._checked_connection() as connection, self._lock_file(), connection.begin():
            yield connection

    @contextmanager
    def pinned_write_transaction(self) -> Iterator[sa.Connection]:
        """A write transaction for a frequent writer, whose connection stays checked out between transactions.

        Unlike in `write_transaction` the connection is not tested first and may be broken. Not thread-safe.
        """
        with self.translated_errors(), self._pinned_connection() as connection, self._lock_file(), connection.begin():
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
    def translated_errors(self) -> Iterator[None]:
        """Raises `StorageUnavailable` or `WriteConflict` where the driver fails inside the block."""
        try:
            yield
        except (IntegrityError, DataError) as error:
            raise WriteConflict(str(error.orig)) from error
        except DBAPIError as error:
            raise self.unavailable(error) from error
        except PoolTimeoutError as error:
            raise StorageUnavailable(_ALL_CONNECTIONS_BUSY, place=self.name) from error
        except (PendingRollbackError, self.engine.dialect.loaded_dbapi.Error) as error:
            # The connection broke, and SQLAlchemy was told of it by the driver, not the other way around.
            raise StorageUnavailable(_UNREACHABLE, place=self.name, detail=str(error).strip(), lost=True) from error

    def unavailable(self, error: DBAPIError, place: str = "") -> StorageUnavailable:
        """A failure of the driver as an error of the storage."""
        reason, detail = self._describe_error(error)
        lost = error.connection_invalidated
        return StorageUnavailable(reason, place=place or self.name, detail=detail, lost=lost)

    def _describe_error(self, error: DBAPIError) -> tuple[str, str]:
        """A failure in one plain sentence, and in the driver's words if it is none of the usual ones."""
        text = str(error.orig).strip()
        if self.is_sqlite:
            for phrase, sentence in _SQLITE_FAILURES.items():
                if phrase in text:
                    return sentence, ""
        if error.connection_invalidated or "connect" in text:
            return _UNREACHABLE, ""
        detail = text.splitlines()[0] if text else type(error.orig).__name__
        return "the database reports an error, so nothing was acknowledged", detail

    def close(self) -> None:
        if self._pinned is not None:
            self._pinned.close()
            self._pinned = None
        self.engine.dispose()
        if self._file_lock is not None:
            self._file_lock.close()


_UNREACHABLE = "the database cannot be reached, so nothing was acknowledged; the next command tries again"
_ALL_CONNECTIONS_BUSY = "all connections to the database are in use, so nothing was acknowledged; try again"
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


def probe(database: Database) -> None:
    """Commits a write that changes nothing; raises `StorageUnavailable` if that fails.

    An empty transaction would not do: on a full disk it succeeds, because it writes nothing.
    """
    with database.write_transaction() as connection:
        if database.is_sqlite:  # to set a row to what it is writes nothing; the number is Croupier's to use
            (number,) = connection.exec_driver_sql("PRAGMA user_version").one()
            connection.exec_driver_sql(f"PRAGMA user_version = {(number + 1) % 1_000_000}")
        else:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def file_faults(connection: sa.Connection, *, quick: bool = False) -> list[str]:
    """Faults that SQLite reports about its own file; `quick` leaves out whether indexes agree with their tables."""
    if connection.dialect.name != "sqlite":
        return []
    try:
        rows = list(connection.exec_driver_sql(f"PRAGMA {'quick_check' if quick else 'integrity_check'}"))
    except DatabaseError as error:
        if "malformed" not in str(error.orig):
            raise
        return ["a page of it cannot be read"]
    return [fault for (fault,) in rows if fault != "ok"]


# Bulk statements.

_INT64_LIMIT = 2**63
_MAX_ROWS_PER_STATEMENT = 64
"""For SQLite; smaller batches are powers of two, so that there are few distinct statements."""


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Inserts rows that have every column of a table, in the order of its columns."""
    if connection.dialect.name == "sqlite":
        start = 0
        while start < len(rows):
            count = min(_MAX_ROWS_PER_STATEMENT, 1 << (len(rows) - start).bit_length() - 1)
            values = tuple(chain.from_iterable(rows[start : start + count]))
            execute_raw(connection, _values_statement(table, connection.dialect, count), values)
            start += count
    else:
        columns = zip(table.columns, zip(*rows, strict=True), strict=True)
        arrays = {
            column.name: array_text(values, quoted=column.name in _text_columns(table)) for column, values in columns
        }
        execute_raw(connection, _arrays_statement(table, connection.dialect), arrays)


def array_text(values: Iterable[Any], *, quoted: bool) -> str:
    """A PostgreSQL array literal; strings are quoted, numbers are not."""
    if not quoted:
        return f"{{{','.join(map(str, values))}}}"
    texts = [value.replace("\\", "\\\\").replace('"', '\\"') for value in values]
    return '{"' + '","'.join(texts) + '"}' if texts else "{}"


@cache
def _text_columns(table: sa.Table) -> frozenset[str]:
    return frozenset(column.name for column in table.columns if isinstance(column.type, sa.String))


@cache
def _values_statement(table: sa.Table, dialect: Dialect, count: int) -> str:
    """An insert with a group of placeholders for each row."""
    placeholders: dict[str, Any] = {column.name: sa.bindparam(column.name) for column in table.columns}
    head, _, row = str(sa.insert(table).values(placeholders).compile(dialect=dialect)).partition(" VALUES ")
    return f"{head} VALUES {', '.join([row] * count)}"


@cache
def _arrays_statement(table: sa.Table, dialect: Dialect) -> str:
    """An insert with one array per column, however many rows there are."""
    names = [column.name for column in table.columns]
    arrays = [sa.bindparam(column.name, type_=ARRAY(column.type)) for column in table.columns]
    columns = [sa.cast(array, array.type) for array in arrays]
    rows = sa.func.unnest(*columns).table_valued(*names).render_derived()
    return str(sa.insert(table).from_select(names, sa.select(*rows.c)).compile(dialect=dialect))


def is_storable(text: str) -> bool:
    """Whether both databases can store a string: no NUL, no unpaired surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def require_storable(text: str, number: int) -> None:
    """Refuses a string or number that does not fit into a column."""
    if not is_storable(text):
        raise InputError("name", "contains a character that cannot be stored")
    if not -_INT64_LIMIT < number < _INT64_LIMIT:
        raise InputError("number", f"{number} is too large to be stored")


class TableHead(NamedTuple):
    """Identity, status and last event of a table, as the database has them."""

    id: int
    name: str
    status: str
    seq: int


CommandKey = tuple[int, str, str]
"""A table's number, the sender and their idempotency key."""


class StoredCommand(NamedTuple):
    """A command with a key: a row of `commands`, whose column `said` is `identity`."""

    table_id: int
    sender: str
    key: str
    identity: str
    first_seq: int
    last_seq: int
    outcome: str
    clause: str
    reason: str


_TABLES_SQLITE = """
    SELECT json_group_array(json_array(t.id, t.name, t.status,
        coalesce((SELECT max(e.seq) FROM events e WHERE e.table_id = t.id), 0)))
    FROM tables t WHERE t.name IN (SELECT value FROM json_each(?))"""
_TABLES_POSTGRESQL = """
    SELECT t.id, t.name, t.status, coalesce((SELECT max(e.seq) FROM events e WHERE e.table_id = t.id), 0)
    FROM tables t WHERE t.name = ANY(%(names)s::text[])"""
_LOCK_TABLES = "SELECT id FROM tables WHERE name = ANY(%(names)s::text[]) ORDER BY id FOR NO KEY UPDATE"
"""Locked in the order of their numbers, so that two processes never deadlock."""
_KEYS_SQLITE = """
    SELECT c.table_id, c.sender, c.key, c.said, c.first_seq, c.last_seq, c.outcome, c.clause, c.reason
    FROM json_each(?) w CROSS JOIN tables t ON t.name = json_extract(w.value, '$[0]')
    CROSS JOIN commands c ON c.table_id = t.id AND c.sender = json_extract(w.value, '$[1]')
        AND c.key = json_extract(w.value, '$[2]')"""
_KEYS_POSTGRESQL = """
    SELECT c.table_id, c.sender, c.key, c.said, c.first_seq, c.last_seq, c.outcome, c.clause, c.reason
    FROM unnest(%(names)s::text[], %(senders)s::text[], %(keys)s::text[]) AS w(name, sender, key)
    JOIN tables t ON t.name = w.name JOIN commands c ON c.table_id = t.id AND c.sender = w.sender AND c.key = w.key"""


def is_among(connection: sa.Connection, column: sa.Column[str], values: Sequence[str]) -> sa.ColumnElement[bool]:
    """Whether a column is one of several values, however many, without changing the statement's text."""
    if connection.dialect.name == "sqlite":
        values_table = sa.func.json_each(sa.literal(json.dumps(values))).table_valued("value")
        return column.in_(sa.select(values_table.c.value))
    return column == sa.any_(sa.literal(list(values), ARRAY(sa.Text)))


def load_table_heads(connection: sa.Connection, names: Collection[str], *, lock: bool) -> list[TableHead]:
    """The current heads of tables; `lock` locks their rows until the transaction ends (SQLite has a single writer)."""
    with pipeline(connection):
        tables = _query_tables(connection, names, lock=lock)
    return _read_tables(connection, tables)


def load_tables_and_keys(
    connection: sa.Connection, names: Collection[str], keys: Collection[tuple[str, str, str]]
) -> tuple[list[TableHead], dict[CommandKey, StoredCommand]]:
    """The current rows of tables, locked; and the keys used before, each with its table's name and its sender."""
    storable_keys = [key for key in keys if all(map(is_storable, key))]
    with pipeline(connection):
        tables = _query_tables(connection, names, lock=True)
        commands = _query_keys(connection, storable_keys) if storable_keys else ()
    return _read_tables(connection, tables), {(row[0], row[1], row[2]): StoredCommand(*row) for row in commands}


def _query_tables(connection: sa.Connection, names: Collection[str], *, lock: bool) -> Any:
    storable_names = [name for name in names if is_storable(name)]
    if connection.dialect.name == "sqlite":
        return execute_raw(connection, _TABLES_SQLITE, (json.dumps(storable_names),))
    parameters = {"names": array_text(storable_names, quoted=True)}
    if lock:
        execute_raw(connection, _LOCK_TABLES, parameters)
    return execute_raw(connection, _TABLES_POSTGRESQL, parameters)


def _read_tables(connection: sa.Connection, cursor: Any) -> list[TableHead]:
    rows = json.loads(cursor.fetchone()[0]) if connection.dialect.name == "sqlite" else cursor
    return [TableHead(*row) for row in rows]


def _query_keys(connection: sa.Connection, stored_keys: Sequence[tuple[str, str, str]]) -> Any:
    if connection.dialect.name == "sqlite":
        return execute_raw(connection, _KEYS_SQLITE, (json.dumps(stored_keys),))
    names, senders, keys = (array_text(part, quoted=True) for part in zip(*stored_keys, strict=True))
    return execute_raw(connection, _KEYS_POSTGRESQL, {"names": names, "senders": senders, "keys": keys})

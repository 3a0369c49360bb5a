"""One database, SQLite or PostgreSQL: how it is reached, how transactions begin, what its failures mean in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from croupier.errors import CroupierError, Malformed
from croupier.store.driver import on_driver
from croupier.store.turns import Turns

BUSY_MILLISECONDS = 5_000
"""How long a connection waits for another one's lock."""
CONNECTIONS = 12
"""How many stay open: making one anew costs more than most queries."""
LOG_PAGES = 8_000
"""How long SQLite's log grows (32 MB) before its pages go to the file: most are written again with the next commits."""
_WRITES = "croupier_writes"
_ALONE = "croupier_alone"


class Unavailable(CroupierError):
    """The database cannot do it; nothing was acknowledged, and what was stored stays.

    `lost` says that the connection broke, so that another one may do.
    """

    def __init__(self, message: str, *, lost: bool = False) -> None:
        super().__init__(message)
        self.lost = lost


class Overtaken(Exception):
    """The database does not take these rows, most likely because another process has written them meanwhile."""


def default_path() -> Path:
    """The file in the user's data directory."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "croupier" / "croupier.db"


def url_of(where: str | Path | None) -> sa.URL:
    """Where a database is: a URL, the path of an SQLite file, or nothing for the usual file."""
    if where is None:
        default_path().parent.mkdir(parents=True, exist_ok=True)
        where = default_path()
    if isinstance(where, Path) or "://" not in where:
        return sa.URL.create("sqlite", database=str(where))
    try:
        url = sa.make_url(where)
    except (ArgumentError, ValueError) as error:
        raise Malformed("database", f"{where!r} is not the address of a database") from error
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database not in (None, "", ":memory:"):
        return url
    raise Malformed("database", "the address must begin with postgresql:// or sqlite:/// and name a database")


class Database:
    """Connections to one database."""

    def __init__(self, where: str | Path | None = None, *, read_only: bool = False, turns: bool = False) -> None:
        """With `read_only` nothing is ever written, not even a file that is not there yet.

        `turns` says that several processes write into an SQLite file all the time, and wait in line.
        """
        self.url = url_of(where)
        self.is_sqlite = self.url.drivername == "sqlite"
        self.read_only = read_only
        self._own: sa.Connection | None = None
        self._turns = Turns(Path(str(self.url.database))) if turns and self.is_sqlite else None
        try:
            # A connection of SQLite may be handed from one thread to the next, never used by two at once.
            options: dict[str, Any] = {"isolation_level": "READ COMMITTED"}
            if self.is_sqlite:
                options = {"connect_args": {"check_same_thread": False}}
            address = self.url if not (self.is_sqlite and read_only) else self._without_writing()
            # The one used last comes first: it has statements prepared, and what it works with is still in the cache.
            kept: dict[str, Any] = {"poolclass": QueuePool, "pool_size": CONNECTIONS, "pool_use_lifo": True}
            self.engine = sa.create_engine(address, **kept, **options)
        except (ModuleNotFoundError, NoSuchModuleError) as error:
            raise Malformed("database", "PostgreSQL needs the extra: pip install croupier[postgresql]") from error
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _set_up_reading if read_only else _set_up_sqlite)
            sa.event.listen(self.engine, "begin", _begin_sqlite)

    def _without_writing(self) -> sa.URL:
        """An address under which SQLite writes nothing; where nobody else has it open, not even a lock."""
        path = Path(str(self.url.database)).resolve()
        if not path.is_file():
            raise Malformed(self.name, "there is no such file")
        # Beside a file in a folder that cannot be written SQLite could not make the memory that it shares with writers.
        alone = not path.with_name(f"{path.name}-wal").exists() and not os.access(path.parent, os.W_OK)
        query = {"mode": "ro", "uri": "true"} | ({"immutable": "1"} if alone else {})
        return self.url.set(database=f"file:{quote(str(path))}", query=query)

    @property
    def name(self) -> str:
        """What messages call it, without a password."""
        if self.is_sqlite:
            return str(self.url.database)
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state and writes nothing."""
        with self._plain(), self.engine.connect() as connection:
            if not self.is_sqlite:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that commits at the end; where anything fails nothing of it is stored."""
        with self._plain(), self._connected() as connection, self._turn(), connection.begin():
            yield connection

    @contextmanager
    def writing_again(self) -> Iterator[sa.Connection]:
        """The same for one who writes all the time: the connection stays open in between.

        It may be found broken, which `writing` would have tried before. Not for two threads at once.
        """
        with self._plain(), self._kept() as connection, self._turn(), connection.begin():
            yield connection

    def _turn(self) -> AbstractContextManager[None]:
        return nullcontext() if self._turns is None else self._turns.mine()

    @contextmanager
    def without_transaction(self) -> Iterator[sa.Connection]:
        """A connection for statements of SQLite that stand alone."""
        with self.engine.connect() as connection:
            connection.execution_options(**{_ALONE: True})
            yield connection

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        """A connection to write with. One that the server has dropped meanwhile is replaced."""
        connection = self._for_writing()
        if not self.is_sqlite:
            try:
                connection.exec_driver_sql("")  # an empty statement: the cheapest way to ask
                connection.rollback()
            except DBAPIError as error:
                connection.close()
                if not error.connection_invalidated:
                    raise
                connection = self._for_writing()
        with connection:
            yield connection

    @contextmanager
    def _kept(self) -> Iterator[sa.Connection]:
        connection, self._own = self._own or self._for_writing(), None
        try:
            yield connection
        except BaseException:
            connection.close()  # whatever was the matter, the next time it is another one
            raise
        self._own = connection

    def _for_writing(self) -> sa.Connection:
        return self.engine.connect().execution_options(**{_WRITES: True})

    @contextmanager
    def _plain(self) -> Iterator[None]:
        try:
            yield
        except (IntegrityError, DataError) as error:
            raise Overtaken(str(error.orig)) from error
        except DBAPIError as error:
            lost = error.connection_invalidated
            raise Unavailable(f"{self.name}: {self.sentence(error)}", lost=lost) from error

    def sentence(self, error: DBAPIError) -> str:
        """What a failure means, in words."""
        text = str(error.orig).strip()
        if self.is_sqlite:
            for words, sentence in _SQLITE.items():
                if words in text:
                    return sentence
        if error.connection_invalidated or "connect" in text:
            return (
                "the database cannot be reached, so nothing was acknowledged; it is tried again with the next command"
            )
        return f"the database refuses: {text.splitlines()[0] if text else type(error.orig).__name__}"

    def close(self) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None
        self.engine.dispose()
        if self._turns is not None:
            self._turns.close()


_SQLITE = {
    "disk is full": "the disk is full, so nothing was acknowledged; what was stored before is kept",
    "disk I/O error": "the disk cannot be written or read, so nothing was acknowledged",
    "readonly": "the file is read-only, so nothing can be stored",
    "unable to open": "the file cannot be opened or created",
    "malformed": "the file is damaged: restore a backup",
    "not a database": "the file is not a database, or is damaged: restore a backup",
    "locked": "another program keeps the file locked",
}


def _set_up_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where we say so
    for pragma in (
        f"busy_timeout = {BUSY_MILLISECONDS}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {LOG_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _set_up_reading(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    # What is no text at all must come to light as well.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    for pragma in (f"busy_timeout = {BUSY_MILLISECONDS}", "query_only = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    options = connection.get_execution_options()
    if not options.get(_ALONE):
        on_driver(connection, "BEGIN IMMEDIATE" if options.get(_WRITES) else "BEGIN", ())

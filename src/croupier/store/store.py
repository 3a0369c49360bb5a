"""The store: tables that are created, moved on by commands, read and closed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, TextIO

import sqlalchemy as sa

from croupier.digest import installed, short
from croupier.errors import BrokenInvariant, Malformed, NotPermitted
from croupier.money import show
from croupier.progressive.link import Link, LinkEntry
from croupier.store import schema as s
from croupier.store import wallets
from croupier.store.answers import Answer, Follow, Submission
from croupier.store.batch import Batch, Outcome
from croupier.store.database import Database, Overtaken, Unavailable
from croupier.store.foresight import foresee
from croupier.store.inserting import storable
from croupier.store.linking import StoredLink, journal_of, load_link, write_link
from croupier.store.loading import Stored, catch_up, events_of, lines_of, load, raw_lines, require_record
from croupier.store.looking import fresh_tables
from croupier.store.migrate import migrate
from croupier.table.codec import decode_setup, encode_setup
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.linked import member_of
from croupier.table.record import FORMAT, Record, chained
from croupier.table.setup import Setup
from croupier.table.state import Phase, Table

SNAPSHOT_EVERY = 2_000
"""After so many events a table's state is kept, so that loading does not start from the beginning."""
_TRIES = 3
Begin = Callable[[sa.Connection], None]
Finish = Callable[[sa.Connection, Answer], None]


class _NotBegun(Unavailable):
    """The connection broke before the commit was asked for: trying again is safe."""


class Store:
    """Tables in a database. One lock makes commands of this process happen one after another; see `Writer` for many."""

    def __init__(
        self, where: str | Path | None = None, *, snapshot_every: int = SNAPSHOT_EVERY, turns: bool = False
    ) -> None:
        """Opens a database, creating or updating what is missing; `None` is the user's own SQLite file.

        `turns` is for processes that write into one SQLite file all the time.
        """
        self.database = Database(where, turns=turns)
        self._snapshot_every = snapshot_every
        self._lock = RLock()
        self._tables: dict[str, Stored] = {}
        self._links: dict[int, StoredLink] = {}
        try:
            migrate(self.database)
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        """Lets go of the database."""
        self.database.close()

    # Tables and links.

    def create_link(self, name: str, facility: str, clause: str = "") -> None:
        """A link for meters that tables of one facility share."""
        values = {"name": name, "facility": facility, "clause": clause, "version": 1, "entries": 0}
        try:
            with self._lock, self.database.writing() as connection:
                connection.execute(sa.insert(s.links).values(**values))
        except Overtaken as error:
            raise NotPermitted(clause, f"there is a link {name} already") from error

    def create(self, setup: Setup, at: int, link: str = "") -> None:
        """A table of this setup, under the setup's name; refused where the name is taken or the link does not fit."""
        name = setup.name
        if not name.strip() or not storable(name):
            raise Malformed("name", "a table needs a name")
        said, digest = encode_setup(setup), short(installed())
        values = {
            "name": name,
            "edition": setup.elected.edition.name,
            "setup": json.dumps(said, ensure_ascii=False),
            "digest": digest,
            "hash": chained("", {"record": FORMAT, "digest": digest, "table": said}),
            "opened_at": at,
            "status": "open",
        }
        try:
            with self._lock, self.database.writing() as connection:
                joined = load_link(connection, name=link) if link else None
                if joined is not None:
                    before = joined.copy()
                    joined.link.join(member_of(setup, joined.link.facility))
                    write_link(connection, before, joined, joined=True)
                number = joined.id if joined is not None else None
                connection.execute(sa.insert(s.tables).values(link_id=number, **values))
        except Overtaken as error:
            raise NotPermitted("", f"there is a table {name} already") from error
        self._links.clear()

    def tables(self, status: str = "open") -> list[str]:
        """The names of tables of a status, oldest first."""
        with self.database.reading() as connection:
            query = sa.select(s.tables.c.name).where(s.tables.c.status == status).order_by(s.tables.c.id)
            return list(connection.execute(query).scalars())

    def close_table(self, name: str) -> None:
        """Closes a table for good: its cards are away, and nobody has chips at it. Its record stays."""
        with self._lock, self.database.writing() as connection:
            fresh_tables(connection, [name], lock=not self.database.is_sqlite)
            stored = load(connection, name)
            table = stored.table
            if table.phase is not Phase.CLOSED or table.round is not None:
                raise NotPermitted("", f"table {name} is in use: close it at the table first")
            for what, amounts in (("chips", table.balances), ("credit", table.accounts), ("a win", table.owed)):
                for patron, cents in amounts.items():
                    if cents:
                        raise NotPermitted("", f"{patron} has {what} of {show(cents)} at table {name}")
            connection.execute(sa.update(s.tables).where(s.tables.c.id == stored.id).values(status="closed"))
        self._tables.pop(name, None)

    # Accounts with the house.

    def open_wallet(self, patron: str) -> bool:
        """Opens an account for a patron, with nothing on it; gives whether he had none."""
        if not patron.strip() or not storable(patron):
            raise Malformed("patron", "an account needs a name that can be stored")
        try:
            with self._lock, self.database.writing() as connection:
                return wallets.open_wallet(connection, patron)
        except Overtaken:  # another process opened it this very moment
            return False

    def wallet(self, patron: str) -> int | None:
        """Cents on a patron's account, `None` where he has none."""
        if not storable(patron):
            return None
        with self.database.reading() as connection:
            query = sa.select(s.wallets.c.cents).where(s.wallets.c.patron == patron)
            return connection.execute(query).scalar()

    def wallets(self) -> dict[str, int]:
        """Cents on every patron's account."""
        with self.database.reading() as connection:
            query = sa.select(s.wallets.c.patron, s.wallets.c.cents).order_by(s.wallets.c.patron)
            return {row.patron: row.cents for row in connection.execute(query)}

    # Commands.

    def submit(
        self,
        table: str,
        command: Command,
        *,
        key: str = "",
        expected_seq: int | None = None,
        fingerprint: str = "",
        then: Follow | None = None,
    ) -> Answer:
        """Carries a command out; the answer is given once it is on the disk.

        A refusal by the rules is an answer too. Raises `Stale` where the table has moved on, `Unavailable`
        where the database fails: then the command can be sent again under the same key.
        """
        (outcome,) = self.submit_all([Submission(table, command, key, expected_seq, fingerprint, then)])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def submit_all(self, submissions: Sequence[Submission]) -> list[Outcome]:
        """Carries commands out in order, in one transaction; an answer or an error for each.

        Raises `Unavailable` where the database fails: then nothing of it happened.
        """
        if not submissions:
            return []
        with self._lock:
            try:
                return self._attempt(submissions)
            except Overtaken:
                pass
            except _NotBegun:  # the server was restarted since the last command
                return self._attempt(submissions)
            return [outcome for submission in submissions for outcome in self._alone(submission)]

    def _alone(self, submission: Submission) -> list[Outcome]:
        """One submission in its own transaction, again where another process was quicker."""
        for _ in range(_TRIES):
            try:
                return self._attempt([submission])
            except Overtaken as overtaken:
                why = overtaken
            except Unavailable as error:  # others may have been committed before: this one was not
                return [error]
        return [BrokenInvariant(f"the database does not take what table {submission.table} writes: {why}")]

    def submit_with(self, submission: Submission, begin: Begin, finish: Finish) -> Answer:
        """One command in a transaction with more: `begin` comes before it, `finish` after it with its answer.

        Whatever one of them raises, or the command, undoes everything.
        """
        with self._lock:
            for attempt in range(_TRIES):
                try:
                    (outcome,) = self._attempt([submission], begin, finish)
                except (Overtaken, _NotBegun):
                    if attempt + 1 == _TRIES:
                        raise
                    continue
                break
        if isinstance(outcome, Exception):  # pragma: no cover - `_attempt` has raised it
            raise outcome
        return outcome

    def _attempt(
        self, submissions: Sequence[Submission], begin: Begin | None = None, finish: Finish | None = None
    ) -> list[Outcome]:
        decided = False
        foreseen = foresee(self._tables, submissions) if begin is None else {}
        try:
            with self.database.writing_again() as connection:
                if begin is not None:
                    begin(connection)
                batch = Batch(
                    connection,
                    self._tables,
                    self._links,
                    tells=not self.database.is_sqlite,
                    snapshot_every=self._snapshot_every,
                    foreseen=foreseen,
                )
                outcomes = batch.run(submissions)
                if finish is not None:
                    if isinstance(outcomes[0], Exception):
                        raise outcomes[0]
                    finish(connection, outcomes[0])
                decided = True
        except BaseException as error:
            # What is in memory was not touched; but whether a commit arrived may be unknown, so it is read again.
            for submission in submissions:
                self._tables.pop(submission.table, None)
            self._links.clear()
            if isinstance(error, Unavailable) and error.lost and not decided:
                raise _NotBegun(str(error), lost=True) from error
            raise
        self._tables |= batch.tables
        self._links |= batch.links
        return outcomes

    # What is stored.

    def table(self, name: str) -> Table:
        """The state of a table, with all that any process has stored."""
        return self._fresh(name).table

    def seq(self, name: str) -> int:
        """The number of a table's last event."""
        return self._fresh(name).seq

    def current(self, name: str) -> tuple[Table, int]:
        """State and number of the last event, with all that any process has stored."""
        stored = self._fresh(name)
        return stored.table, stored.seq

    def known(self, name: str) -> tuple[Table, int] | None:
        """State and last number as this process committed or read them last; asks nobody, and may be `None`."""
        stored = self._tables.get(name)
        return None if stored is None else (stored.table, stored.seq)

    def _fresh(self, name: str) -> Stored:
        with self._lock, self.database.reading() as connection:
            stored, now = self._tables.get(name), fresh_tables(connection, [name], lock=False)
            if stored is None or not now or now[0].status != stored.status or now[0].seq < stored.seq:
                stored = load(connection, name)
            elif now[0].seq > stored.seq:
                stored = stored.copy()
                catch_up(connection, stored)
            self._tables[name] = stored
            return stored

    def events(self, name: str, after: int = 0) -> list[tuple[int, Event]]:
        """The events of a table after a number, each with its own."""
        with self._row_of(name) as (connection, row):
            require_record(row)
            previous = row.hash
            if after:
                which = (s.events.c.table_id == row.id) & (s.events.c.seq == after)
                previous = str(connection.execute(sa.select(s.events.c.hash).where(which)).scalar() or "")
            return [(line.seq, event) for line, event in events_of(connection, row.id, name, after, previous)]

    def record(self, name: str) -> Record:
        """The record of a table: its setup and everything that happened."""
        with self._row_of(name) as (connection, row):
            require_record(row)
            found = events_of(connection, row.id, name, 0, row.hash)
            return Record(decode_setup(json.loads(row.setup)), tuple(event for _, event in found))

    def export(self, name: str, file: TextIO, *, checked: bool = True) -> int:
        """Writes the record of a table as `croupier.table.record` does, to the byte; gives the number of events.

        Refused where an event was changed; unless `checked`, what is stored is written as it is, for an audit.
        """
        events = -1  # the first line is the table's setup
        for line in self.lines(name, checked=checked):
            file.write(line)
            events += 1
        return events

    def lines(self, name: str, last: int | None = None, *, checked: bool = True) -> Iterator[str]:
        """The lines of such a record, up to an event where one is given."""
        with self._row_of(name) as (connection, row):
            require_record(row)
            head = f'"record": {FORMAT}, "digest": "{row.digest}", "table": {row.setup}'
            yield f'{{{head}, "hash": "{row.hash}"}}\n'
            found = lines_of(connection, row.id, name, 0, row.hash, last) if checked else raw_lines(connection, row.id)
            for line in found:
                yield f'{{"seq": {line.seq}, {line.data[1:-1]}, "hash": "{line.hash}"}}\n'

    def link(self, name: str) -> tuple[Link, list[LinkEntry]]:
        """A link as it stands, with its journal."""
        with self.database.reading() as connection:
            found = load_link(connection, name=name, lock=False)
            return found.link, journal_of(connection, found.id)

    @contextmanager
    def _row_of(self, name: str) -> Iterator[tuple[sa.Connection, sa.Row[Any]]]:
        with self.database.reading() as connection:
            row = connection.execute(sa.select(s.tables).where(s.tables.c.name == name)).one_or_none()
            if row is None:
                raise Malformed("table", f"there is no table {name!r}")
            yield connection, row

"""The event store: creates tables, carries out their commands, reads and closes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import sqlalchemy as sa

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.core.hash_chain import START, next_hash
from croupier.core.money import format_money
from croupier.core.program_digest import installed_files, short_digest
from croupier.progressive.links import Link, LinkEntry
from croupier.storage import ledger
from croupier.storage.currency import CLAUSE as CURRENCY_CLAUSE
from croupier.storage.currency import Currency, currencies_of_wallets, currency_of_table
from croupier.storage.migrations.runner import migrate
from croupier.storage.repositories.links import journal_of, load_link, write_link
from croupier.storage.snapshots import (
    load_events,
    load_lines,
    load_raw_lines,
    load_table,
    require_record,
)
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database, WriteConflict, is_storable, load_table_heads
from croupier.storage.unit_of_work import CommandEnvelope, CommandResult, NextStep
from croupier.storage.writer import SNAPSHOT_EVERY, CommandExecutor
from croupier.table.linked_session import member_of
from croupier.table.model.commands import Command
from croupier.table.model.events import Event
from croupier.table.model.setup import Setup
from croupier.table.model.state import Phase, Table
from croupier.table.record.codec import decode_setup, encode_setup
from croupier.table.record.file import RECORD_FORMAT, Record, event_line, read_causes


class Store:
    """Tables in a database. `executor` carries out their commands; `GroupCommitWriter` batches them."""

    def __init__(
        self,
        location: str | Path | None = None,
        *,
        snapshot_every: int = SNAPSHOT_EVERY,
        serialize_writers: bool = False,
    ) -> None:
        """Opens a database and creates or migrates its schema; `None` is the SQLite file in the user's data directory.

        `serialize_writers` is for several processes that write to one SQLite file.
        """
        self.database = Database(location, serialize_writers=serialize_writers)
        self.executor = CommandExecutor(self.database, snapshot_every)
        """Carries out the commands of this process, one transaction after the other."""
        try:
            migrate(self.database)
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        """Closes the database."""
        self.database.close()

    # Tables and links.

    def create_link(self, name: str, facility: str, clause: str = "") -> None:
        """Creates a link for meters that tables of one facility share."""
        values = {"name": name, "facility": facility, "clause": clause, "version": 1, "entries": 0}
        try:
            with self.executor.lock, self.database.write_transaction() as connection:
                connection.execute(sa.insert(s.links).values(**values))
        except WriteConflict as error:
            raise RuleViolation(clause, f"a link named {name} already exists") from error

    def create(self, setup: Setup, at: int, link: str = "", currency: Currency = Currency.REAL) -> None:
        """Creates a table under the name in its setup; refused if the name is taken or the link does not fit."""
        name = setup.name
        if not name.strip() or not is_storable(name):
            raise InputError("name", "a table needs a name")
        fields, digest = encode_setup(setup), short_digest(installed_files())
        values = {
            "name": name,
            "edition": setup.elected.edition.name,
            "setup": json.dumps(fields, ensure_ascii=False),
            "digest": digest,
            "hash": next_hash(START, {"record": RECORD_FORMAT, "digest": digest, "table": fields}),
            "opened_at": at,
            "status": "open",
            "currency": currency.value,
        }
        try:
            with self.executor.lock, self.database.write_transaction() as connection:
                stored_link = load_link(connection, name=link) if link else None
                if stored_link is not None:
                    _require_currency_of_link(connection, stored_link.id, link, currency)
                    before = stored_link.copy()
                    stored_link.link.join(member_of(setup, stored_link.link.facility))
                    write_link(connection, before, stored_link, joined=True)
                link_id = stored_link.id if stored_link is not None else None
                connection.execute(sa.insert(s.tables).values(link_id=link_id, **values))
        except WriteConflict as error:
            raise RuleViolation("", f"a table named {name} already exists") from error
        self.executor.forget_links()

    def tables(self, status: str = "open") -> list[str]:
        """The names of the tables with a status, oldest first."""
        with self.database.read_transaction() as connection:
            query = sa.select(s.tables.c.name).where(s.tables.c.status == status).order_by(s.tables.c.id)
            return list(connection.execute(query).scalars())

    def close_table(self, name: str) -> None:
        """Closes a table permanently; refused while it is in use or a patron has money at it. Its record stays."""
        with self.executor.lock, self.database.write_transaction() as connection:
            load_table_heads(connection, [name], lock=not self.database.is_sqlite)
            loaded = load_table(connection, name)
            table = loaded.table
            if table.phase is not Phase.CLOSED or table.round is not None:
                raise RuleViolation("", f"table {name} is in use: the floorperson has to close it first")
            for label, amounts in (("chips", table.balances), ("credit", table.accounts), ("a win", table.owed)):
                for patron, cents in amounts.items():
                    if cents:
                        raise RuleViolation("", f"{patron} still has {label} of {format_money(cents)} at table {name}")
            connection.execute(sa.update(s.tables).where(s.tables.c.id == loaded.id).values(status="closed"))
        self.executor.forget_table(name)

    # Accounts with the house.

    def open_wallet(self, patron: str, currency: Currency = Currency.REAL) -> bool:
        """Opens an empty account for a patron in a currency; false if they have one already."""
        if not patron.strip() or not is_storable(patron):
            raise InputError("patron", "an account needs a name that can be stored")
        try:
            with self.executor.lock, self.database.write_transaction() as connection:
                return ledger.open_wallet(connection, patron, currency.value)
        except WriteConflict:  # another process has just opened it
            return False

    def wallet(self, patron: str) -> int | None:
        """The balance of a patron's account in cents, `None` if they have none."""
        if not is_storable(patron):
            return None
        with self.database.read_transaction() as connection:
            query = sa.select(s.wallets.c.cents).where(s.wallets.c.patron == patron)
            return connection.execute(query).scalar()

    def wallet_currency(self, patron: str) -> Currency | None:
        """The currency of a patron's account, `None` if they have none."""
        with self.database.read_transaction() as connection:
            return currencies_of_wallets(connection, [patron]).get(patron)

    def table_currency(self, table: str) -> Currency:
        """The currency of a table; raises `NotFound`."""
        with self.database.read_transaction() as connection:
            currency = currency_of_table(connection, table)
        if currency is None:
            raise NotFound("table", f"there is no table {table!r}")
        return currency

    def wallets(self) -> dict[str, int]:
        """Cents on every patron's account."""
        with self.database.read_transaction() as connection:
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
        then: NextStep | None = None,
    ) -> CommandResult:
        """Carries out a command; returns once its events are on disk.

        A refusal by the rules is a result too. Raises `StaleTable` if the table has moved on, and `StorageUnavailable`
        if the database fails: the command can then be sent again under the same key.
        """
        (outcome,) = self.executor.submit_all([CommandEnvelope(table, command, key, expected_seq, fingerprint, then)])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    # Reading.

    def table(self, name: str) -> Table:
        """The current state of a table, with the events of every process."""
        return self.current(name)[0]

    def seq(self, name: str) -> int:
        """The sequence number of a table's last event."""
        return self.current(name)[1]

    def current(self, name: str) -> tuple[Table, int]:
        """The current state of a table and the number of its last event."""
        return self.executor.current(name)

    def events(self, name: str, after: int = 0) -> list[tuple[int, Event]]:
        """The events of a table after a sequence number, each with its own number."""
        with self._table_row(name) as (connection, row):
            require_record(row)
            previous = row.hash
            if after:
                condition = (s.events.c.table_id == row.id) & (s.events.c.seq == after)
                previous = str(connection.execute(sa.select(s.events.c.hash).where(condition)).scalar() or "")
            return [(line.seq, event) for line, event in load_events(connection, row.id, name, after, previous)]

    def record(self, name: str) -> Record:
        """The record of a table: its setup, events and their causes."""
        with self._table_row(name) as (connection, row):
            require_record(row)
            lines = list(load_events(connection, row.id, name, 0, row.hash))
            events = tuple(event for _, event in lines)
            cause_fields = {line.seq: json.loads(line.cause) for line, _ in lines if line.cause}
            causes = read_causes(events, cause_fields, lambda seq: f"table {name}, event {seq}")
            return Record(decode_setup(json.loads(row.setup)), events, causes)

    def export(self, name: str, file: TextIO, *, checked: bool = True) -> int:
        """Writes the record of a table as `croupier.table.record.file` does, to the byte; returns the number of events.

        Refused if an event was changed; unless `checked`, the stored rows are written as they are, for an audit.
        """
        events = -1  # the first line is the table's setup
        for line in self.lines(name, checked=checked):
            file.write(line)
            events += 1
        return events

    def lines(self, name: str, last: int | None = None, *, checked: bool = True) -> Iterator[str]:
        """The lines of a table's record as `export` writes them, up to event `last` if given."""
        with self._table_row(name) as (connection, row):
            require_record(row)
            head = f'"record": {RECORD_FORMAT}, "digest": "{row.digest}", "table": {row.setup}'
            yield f'{{{head}, "hash": "{row.hash}"}}\n'
            lines = (
                load_lines(connection, row.id, name, 0, row.hash, last)
                if checked
                else load_raw_lines(connection, row.id)
            )
            for line in lines:
                yield event_line(line.seq, line.data, line.hash, line.cause) + "\n"

    def link(self, name: str) -> tuple[Link, list[LinkEntry]]:
        """The current state of a link, with its journal."""
        with self.database.read_transaction() as connection:
            stored_link = load_link(connection, name=name, lock=False)
            return stored_link.link, journal_of(connection, stored_link.id)

    @contextmanager
    def _table_row(self, name: str) -> Iterator[tuple[sa.Connection, sa.Row[Any]]]:
        with self.database.read_transaction() as connection:
            row = connection.execute(sa.select(s.tables).where(s.tables.c.name == name)).one_or_none()
            if row is None:
                raise NotFound("table", f"there is no table {name!r}")
            yield connection, row


def _require_currency_of_link(connection: sa.Connection, link_id: int, link: str, currency: Currency) -> None:
    """Refuses a table whose wagers are in another currency than those that feed the meters of a link."""
    query = sa.select(s.tables.c.currency).where(s.tables.c.link_id == link_id).distinct()
    if any(other != currency.value for other in connection.execute(query).scalars()):
        raise RuleViolation(CURRENCY_CLAUSE, f"the tables of link {link} are not for {currency.label}")

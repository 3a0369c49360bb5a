"""One transaction of commands: decided one after another on the states in memory, then written together.

Nothing is written before every command of the batch is decided, so one that fails leaves no trace and does not
affect the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import sqlalchemy as sa

from croupier.core.errors import CroupierError, InputError, NotFound, RuleViolation
from croupier.storage.messages import CommandEnvelope, CommandResult, StaleTable
from croupier.storage.repositories import wallets
from croupier.storage.repositories.links import StoredLink, link_versions, load_link, write_link
from croupier.storage.snapshots import LoadedTable, catch_up, load_events, load_table, pack_table, state_shape
from croupier.storage.speculation import Speculation
from croupier.storage.sql import schema as s
from croupier.storage.sql.bulk_insert import insert_rows, is_storable
from croupier.storage.sql.queries import StoredCommand, TableHead, load_tables_and_keys
from croupier.storage.sql.raw_sql import execute_raw, pipeline
from croupier.storage.unit_of_work import Row, UnitOfWork
from croupier.table.model.commands import BuyIn, CashOut, Command
from croupier.table.model.events import Event, Refusal

Outcome = CommandResult | Exception
NOTIFY_CHANNEL = "croupier"
"""The PostgreSQL channel on which new events are announced, as `<table id> <seq>,<table id> <seq>,…`."""
_MAX_TABLES_PER_NOTIFICATION = 200
"""PostgreSQL limits the payload of one notification to 8,000 bytes."""


class CommandBatch:
    """The work of one transaction. `tables` and `links` are the stored states once it has been committed."""

    def __init__(
        self,
        connection: sa.Connection,
        tables: Mapping[str, LoadedTable],
        links: Mapping[int, StoredLink],
        *,
        notifies: bool,
        snapshot_every: int,
        speculations: Mapping[int, Speculation] = MappingProxyType({}),
    ) -> None:
        """`notifies`: whether to announce new events. `speculations`: results decided in advance, by position."""
        self._connection = connection
        self._speculations = speculations
        self._notifies = notifies
        self._snapshot_every = snapshot_every
        self._cached_tables, self._cached_links = tables, links
        self.tables: dict[str, LoadedTable] = {}
        self.links: dict[int, StoredLink] = {}
        self._wallets: dict[str, int] = {}
        self._wallets_before: dict[str, int] = {}
        self._changed_tables: set[str] = set()
        self._unreadable: dict[str, CroupierError] = {}
        self._keys: dict[tuple[int, str], StoredCommand] = {}
        self._batch_events: dict[tuple[int, str], tuple[Event, ...]] = {}
        """Events that commands of this batch caused, by table and key."""
        self._events: list[Row] = []
        self._ledger: list[Row] = []
        self._commands: list[StoredCommand] = []

    def run(self, envelopes: Sequence[CommandEnvelope]) -> list[Outcome]:
        """Decides all commands and writes their events; returns a result or an error for each."""
        self._lock_tables(envelopes)
        self._lock_links()
        self._lock_wallets([command for envelope in envelopes for command in (envelope.command, *envelope.also)])
        outcomes: list[Outcome] = []
        for place, envelope in enumerate(envelopes):
            try:
                outcomes.append(self._run_one(envelope, self._speculations.get(place)))
            except Exception as error:  # a bug or bad input: only this command fails
                outcomes.append(error)
        self._write()
        return outcomes

    def _lock_tables(self, envelopes: Sequence[CommandEnvelope]) -> None:
        names = {envelope.table for envelope in envelopes}
        keys = [(envelope.table, envelope.key) for envelope in envelopes if envelope.key]
        tables, self._keys = load_tables_and_keys(self._connection, names, keys)
        for row in tables:
            try:
                self._load_locked_table(row)
            except CroupierError as error:  # its record was changed or archived: only this table fails
                self._unreadable[row.name] = error

    def _load_locked_table(self, row: TableHead) -> None:
        cached_table = self._cached_tables.get(row.name)
        if cached_table is None or cached_table.id != row.id or cached_table.seq > row.seq or row.status == "archived":
            self.tables[row.name] = load_table(self._connection, row.name)
            return
        loaded = cached_table.copy()
        loaded.status = row.status
        if loaded.seq < row.seq:
            catch_up(self._connection, loaded)
        self.tables[row.name] = loaded

    def _lock_links(self) -> None:
        link_ids = {loaded.link for loaded in self.tables.values() if loaded.link is not None}
        if not link_ids:
            return
        for link_id, version in link_versions(self._connection, sorted(link_ids)).items():
            stored_link = self._cached_links.get(link_id)
            if stored_link is None or stored_link.version != version:
                stored_link = load_link(self._connection, number=link_id)
            self._cached_links = {**self._cached_links, link_id: stored_link}
            self.links[link_id] = stored_link.copy()

    def _lock_wallets(self, commands: Sequence[Command]) -> None:
        patrons = [command.patron for command in commands if isinstance(command, BuyIn | CashOut)]
        if patrons:
            balances = wallets.lock_balances(self._connection, patrons)
            self._wallets_before |= balances
            self._wallets |= balances

    def _run_one(self, envelope: CommandEnvelope, speculation: Speculation | None) -> CommandResult:
        if envelope.table in self._unreadable:
            raise self._unreadable[envelope.table]
        loaded = self.tables.get(envelope.table)
        if loaded is None:
            raise NotFound("table", f"there is no table {envelope.table!r}")
        earlier = self._keys.get((loaded.id, envelope.key)) if envelope.key else None
        if earlier is not None:
            return self._repeat_result(loaded, envelope, earlier)
        if envelope.expected_seq is not None and envelope.expected_seq != loaded.seq:
            raise StaleTable(loaded.name, envelope.expected_seq, loaded.seq)
        if loaded.status != "open":
            raise RuleViolation("", f"table {loaded.name} is {loaded.status}")
        identity = envelope.identity
        if not is_storable(envelope.key) or not is_storable(identity):
            raise InputError("key", "contains a character that cannot be stored")
        seq = loaded.seq
        refusal, events, texts = self._carry_out(loaded, envelope, speculation)
        loaded = self.tables[envelope.table]
        if envelope.key:
            outcome, clause, reason = "done", "", ""
            if refusal is not None:
                outcome, clause, reason = "refused", refusal.clause, refusal.reason
            row = StoredCommand(loaded.id, envelope.key, identity, seq + 1, loaded.seq, outcome, clause, reason)
            self._commands.append(row)
            self._keys[loaded.id, envelope.key] = row
            self._batch_events[loaded.id, envelope.key] = events
        return CommandResult(loaded.name, loaded.seq, events, refusal, texts=texts)

    def _repeat_result(self, loaded: LoadedTable, envelope: CommandEnvelope, earlier: StoredCommand) -> CommandResult:
        """The same result as the first time."""
        if earlier.identity != envelope.identity:
            # Do not describe the other command: it may reveal cards or money that this sender may not see.
            raise RuleViolation("", f"the key {envelope.key!r} belongs to another command")
        refusal = None
        if earlier.outcome == "refused":
            refusal = Refusal(earlier.clause, earlier.reason, type(envelope.command).__name__)
        events = self._batch_events.get((loaded.id, envelope.key))
        if events is None:
            events = self._load_stored_events(loaded, earlier.first_seq, earlier.last_seq)
        return CommandResult(loaded.name, earlier.last_seq, events, refusal, repeated=True)

    def _load_stored_events(self, loaded: LoadedTable, first: int, last: int) -> tuple[Event, ...]:
        """The stored events from one number to another."""
        if first > last:
            return ()
        previous_hash = self._hash_of(loaded, first - 1)
        lines = load_events(self._connection, loaded.id, loaded.name, first - 1, previous_hash, last)
        return tuple(event for _, event in lines)

    def _hash_of(self, loaded: LoadedTable, seq: int) -> str:
        column = s.events.c.hash if seq else s.tables.c.hash
        condition = (s.events.c.table_id == loaded.id) & (s.events.c.seq == seq) if seq else s.tables.c.id == loaded.id
        return str(self._connection.execute(sa.select(column).where(condition)).scalar() or "")

    def _carry_out(
        self, loaded: LoadedTable, envelope: CommandEnvelope, speculation: Speculation | None
    ) -> tuple[Refusal | None, tuple[Event, ...], tuple[str, ...]]:
        """Carries out the command and the automated steps after it, all or nothing."""
        if speculation is not None and speculation.is_valid_for(loaded):
            work, refusal = speculation.work, speculation.refusal
            work.loaded.status = loaded.status
        else:
            work, refusal = self._decide(loaded, envelope)
        if refusal is not None:
            return refusal, (), ()
        self.tables[loaded.name] = work.loaded
        self._changed_tables.add(loaded.name)
        self._events += work.rows
        self._ledger += work.entries
        return None, tuple(work.events), work.texts

    def _decide(self, loaded: LoadedTable, envelope: CommandEnvelope) -> tuple[UnitOfWork, Refusal | None]:
        work = UnitOfWork(loaded.copy(), self._wallets)
        link = self.links[loaded.link].copy() if loaded.link is not None else None
        if link is not None and loaded.link is not None:
            link.link.journal.extend(self.links[loaded.link].link.journal)

        def lock_wallet(command: Command) -> None:
            if isinstance(command, BuyIn | CashOut) and command.patron not in work.wallets:
                self._lock_wallets([command])
                work.wallets = {**self._wallets, **work.wallets}

        refusal = work.carry_out(envelope, link, lock_wallet)
        if refusal is None:
            self._wallets = work.wallets
            if link is not None and loaded.link is not None:
                self.links[loaded.link] = link
        return work, refusal

    def _write(self) -> None:
        with pipeline(self._connection):
            for table, rows in ((s.events, self._events), (s.ledger, self._ledger), (s.commands, self._commands)):
                if rows:
                    insert_rows(self._connection, table, rows)
            if self._notifies:
                self._notify()
        wallets.write_balances(self._connection, self._wallets_before, self._wallets)
        for link_id, link in self.links.items():
            write_link(self._connection, self._cached_links.get(link_id), link)
        for loaded in self.tables.values():
            if loaded.seq - loaded.snapshot >= self._snapshot_every:
                self._snapshot(loaded)

    def _notify(self) -> None:
        """Announces which tables have new events; PostgreSQL delivers it when the transaction commits."""
        positions = [f"{self.tables[name].id} {self.tables[name].seq}" for name in self._changed_tables]
        for start in range(0, len(positions), _MAX_TABLES_PER_NOTIFICATION):
            payload = ",".join(positions[start : start + _MAX_TABLES_PER_NOTIFICATION])
            statement = "SELECT pg_notify(%(channel)s, %(payload)s)"
            execute_raw(self._connection, statement, {"channel": NOTIFY_CHANNEL, "payload": payload})

    def _snapshot(self, loaded: LoadedTable) -> None:
        """Stores a snapshot. Earlier ones stay, because old rounds are loaded from them."""
        values = {"table_id": loaded.id, "seq": loaded.seq, "shape": state_shape(), "state": pack_table(loaded.table)}
        self._connection.execute(sa.insert(s.snapshots).values(**values))
        loaded.snapshot = loaded.seq

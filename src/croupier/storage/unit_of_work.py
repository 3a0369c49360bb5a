"""Unit of work: carries out command envelopes on tables in memory and writes a batch of them in one transaction.

`speculate` decides a command before the transaction begins; `CommandBatch` locks the tables, keeps a speculation whose
table has not moved, decides the rest again and writes all rows together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from croupier.core.errors import CroupierError, ErrorCode, InputError, InvariantError, NotFound, RuleViolation
from croupier.core.hash_chain import next_hash_of_text
from croupier.storage.currency import Currency, currencies_of_wallets, require_currency
from croupier.storage.ledger import balance_after, house_account_change, lock_balances, postings, write_balances
from croupier.storage.repositories.links import StoredLink, link_versions, load_link, write_link
from croupier.storage.snapshots import LoadedTable, catch_up, load_events, load_table, pack_table, state_shape
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import (
    CommandKey,
    StoredCommand,
    TableHead,
    execute_raw,
    insert_rows,
    is_storable,
    load_tables_and_keys,
    pipeline,
    require_storable,
)
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.linked_session import meters_read_event
from croupier.table.model.commands import AdoptProcedure, BuyIn, CashOut, Command, Sit
from croupier.table.model.events import ChipsBought, ChipsCashed, Event, Refusal
from croupier.table.model.roles import SYSTEM
from croupier.table.model.state import Table
from croupier.table.record import upcasting
from croupier.table.record.event_serializer import NO_CAUSE, CauseText, cause_text, serialize_event

NextStep = Callable[[Table], Command | None]
"""Returns the next automated step of the system, or `None`."""


class StaleTable(RuleViolation):
    """The table has moved on since the sequence number that a command expected; nothing happened."""

    def __init__(self, table: str, expected: int, seq: int) -> None:
        super().__init__("", f"table {table} is at event {seq}, not {expected}: reload it and decide again")
        self.table = table
        self.expected = expected
        self.seq = seq


@dataclass(frozen=True, slots=True)
class CommandEnvelope:
    """A command for a table.

    `key` is an idempotency key, which belongs to one sender at one table; `expected_seq` is the number of the last
    event that the sender has seen. The system's own steps need neither. `fingerprint` tells requests apart: the same
    key with another fingerprint is refused.
    `also` are commands that belong to it: all of them happen, or none. `then` supplies automated steps, which join
    the same transaction; it may be called again from the start. `stamp` allows raising the command's time to that
    of the table's last event, because the clocks of several machines differ slightly.
    """

    table: str
    command: Command
    key: str = ""
    expected_seq: int | None = None
    fingerprint: str = ""
    then: NextStep | None = None
    stamp: bool = False
    also: tuple[Command, ...] = ()
    sender: str = ""
    """Who owns the key; by default the actor of the command. Give it if the system acts for a person."""

    @property
    def key_owner(self) -> str:
        """The person to whom the key belongs: the same key of somebody else is another key."""
        return self.sender or self.command.by.name

    @property
    def identity(self) -> str:
        """Identifies the command: a repeated key must come with the same identity."""
        by = self.command.by
        return f"{type(self.command).__name__} by {by.name} ({by.role}) {self.fingerprint}".rstrip()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command. `seq` is the number of the table's last event afterwards."""

    table: str
    seq: int
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    repeated: bool = False
    """Whether the command had been carried out or refused before, under the same key."""

    texts: tuple[str, ...] = ()
    """Its events as stored, if this process has just written them."""

    @property
    def first(self) -> int:
        """The number of its first event; above `seq` if there is none."""
        return self.seq - len(self.events) + 1


Row = tuple[Any, ...]
"""Values in the order of a table's columns."""
_DATA_INDEX = [column.name for column in s.events.columns].index("data")


class UnitOfWork:
    """The state of the table so far, and the rows to write."""

    def __init__(self, loaded: LoadedTable, wallets: dict[str, int]) -> None:
        self.loaded = loaded
        self.wallets = wallets
        """Balances of patrons' accounts with the house; never changed in place."""
        self.events: list[Event] = []
        self.rows: list[Row] = []
        self.entries: list[Row] = []

    @property
    def texts(self) -> tuple[str, ...]:
        """The events as stored, without their causes."""
        return tuple(row[_DATA_INDEX] for row in self.rows)

    def carry_out(
        self, envelope: CommandEnvelope, link: StoredLink | None, before_charge: Callable[[Command], None]
    ) -> Refusal | None:
        """Carries out the commands of an envelope and the automated steps after them; discard this after a refusal.

        `before_charge` is called before an automated step that may charge an account with the house.
        """
        if self._adopts_procedure(envelope.command):
            adoption = AdoptProcedure(by=SYSTEM, at=envelope.command.at)
            refusal = self.step(link, adoption, stamp=envelope.stamp)
            if refusal is not None:
                return refusal
        for command in (envelope.command, *envelope.also):
            key = envelope.key if command is envelope.command else ""
            refusal = self.step(link, command, stamp=envelope.stamp, key=key)
            if refusal is not None:
                return refusal
        next_step = envelope.then
        while next_step is not None and (automated_step := next_step(self.loaded.table)) is not None:
            if isinstance(automated_step, BuyIn | CashOut):
                before_charge(automated_step)
            if self.step(link, automated_step, stamp=envelope.stamp) is not None:
                break  # the automated step has to wait, for example for another table's pending win
        return None

    def _adopts_procedure(self, command: Command) -> bool:
        """Whether a table of an older program adopts the current procedure now: first of all, between rounds."""
        table = self.loaded.table
        return table.setup.is_older and table.round is None and not isinstance(command, AdoptProcedure)

    def step(self, link: StoredLink | None, command: Command, *, stamp: bool, key: str = "") -> Refusal | None:
        """Carries out one command and adds its rows; if it is refused, returns the refusal and changes nothing."""
        loaded = self.loaded
        table = loaded.table
        if stamp and command.at < table.at:
            command = replace(command, at=table.at)
        read_event = meters_read_event(table, link.link.meters, command.at) if link is not None else None
        synced_table = table if read_event is None else evolve(table, read_event)
        outcome = decide(synced_table, command)
        if isinstance(outcome, Refusal):
            return outcome
        events = outcome if read_event is None else (read_event, *outcome)
        try:
            balances = _charged_balances(events, self.wallets)
        except RuleViolation as error:
            return Refusal.of(error, type(command).__name__)
        cause = cause_text(command, outcome, key) if outcome else NO_CAUSE
        rows, entries, table, digest = _build_rows(loaded, events, self.wallets, len(events) - len(outcome), cause)
        if link is not None:
            try:
                link.book(synced_table, outcome, table)
            except RuleViolation as error:
                return Refusal.of(error, type(command).__name__)
        if balances:
            self.wallets = {**self.wallets, **balances}
        self.events += events
        self.rows += rows
        self.entries += entries
        self.loaded = replace(loaded, table=table, seq=loaded.seq + len(events), hash=digest)
        return None


def _charged_balances(events: Sequence[Event], accounts: Mapping[str, int]) -> dict[str, int]:
    """Balances of accounts with the house after events that charge them; refused if one would be negative."""
    balances: dict[str, int] = {}
    for event in events:
        cents = house_account_change(event, accounts)
        if cents and isinstance(event, ChipsBought | ChipsCashed):
            balances[event.patron] = balance_after({**accounts, **balances}, event.patron, cents)
    return balances


def _build_rows(
    loaded: LoadedTable, events: Sequence[Event], accounts: Mapping[str, int], first: int, cause: CauseText
) -> tuple[list[Row], list[Row], Table, str]:
    """Rows of events and of their ledger entries, the state after them and the last hash.

    `cause` goes on the event at position `first`: meters read before it were not caused by the command.
    """
    rows: list[Row] = []
    entries: list[Row] = []
    table_id, seq, previous, table = loaded.id, loaded.seq, loaded.hash, loaded.table
    by, at, actor, role = None, None, "", ""
    for place, event in enumerate(events):
        seq += 1
        if event.by is not by or event.at != at:
            by, at = event.by, event.at
            actor, role = by.name, by.role.value
            require_storable(actor, at)
        for (account, owner), amount in postings(table, event, accounts).items():
            require_storable(owner, amount)
            entries.append((table_id, seq, account.value, owner, amount))
        after = evolve(table, event)
        if after.round is not None:
            round_ = after.round.number
        else:
            round_ = table.round.number if table.round is not None else getattr(event, "round", 0)
        event_cause = cause if place == first else NO_CAUSE
        data, canonical = serialize_event(event, seq, event_cause)
        previous = _next_hash(previous, canonical)
        kind, seat = type(event).__name__, getattr(event, "seat", 0)
        version = upcasting.VERSIONS.get(kind, 1)
        rows.append((table_id, seq, previous, at, kind, version, round_, actor, role, seat, data, event_cause.json))
        table = after
    return rows, entries, table, previous


def _next_hash(previous: str, canonical: str) -> str:
    """The hash of an event; refuses text that cannot be stored."""
    try:
        return next_hash_of_text(previous, canonical, "strict")
    except UnicodeEncodeError as error:
        raise InputError("text", "contains a character that cannot be stored") from error


@dataclass(frozen=True, slots=True)
class Speculation:
    """The result of a command, valid if the table is still as it was `before`."""

    before: LoadedTable
    work: UnitOfWork
    refusal: Refusal | None

    def is_valid_for(self, loaded: LoadedTable) -> bool:
        """Whether the table, locked in the transaction, is still as assumed."""
        before = self.before
        return (
            loaded.id == before.id and loaded.seq == before.seq and loaded.hash == before.hash and loaded.link is None
        )


class _NeedsDatabase(Exception):
    """The result depends on more than the table."""


def speculate(tables: Mapping[str, LoadedTable], envelopes: Sequence[CommandEnvelope]) -> dict[int, Speculation]:
    """Speculative results by the position of their envelope, without those that need more than the table."""
    speculations: dict[int, Speculation] = {}
    speculative: dict[str, LoadedTable] = {}
    for place, envelope in enumerate(envelopes):
        loaded = speculative.get(envelope.table) or tables.get(envelope.table)
        if loaded is None or loaded.link is not None or envelope.expected_seq not in (None, loaded.seq):
            continue
        work = UnitOfWork(loaded, {})
        try:
            for command in (envelope.command, *envelope.also):
                _require_table_alone(command)
            refusal = work.carry_out(envelope, None, _require_table_alone)
        except Exception:  # noqa: S112 - the transaction hits the same error and reports it
            continue
        speculations[place] = Speculation(loaded, work, refusal)
        if refusal is None:
            speculative[envelope.table] = work.loaded
    return speculations


def _require_table_alone(command: Command) -> None:
    """Balances of accounts with the house are in the database only."""
    if isinstance(command, Sit | BuyIn | CashOut):
        raise _NeedsDatabase


Outcome = CommandResult | Exception
_DONE, _REFUSED = "done", "refused"
"""The stored outcome of a command; a refusal with a code is stored as the code."""
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
        self._currencies: dict[str, Currency] = {}
        self._changed_tables: set[str] = set()
        self._unreadable: dict[str, Exception] = {}
        self._keys: dict[CommandKey, StoredCommand] = {}
        self._batch_events: dict[CommandKey, tuple[Event, ...]] = {}
        """Events that commands of this batch caused."""
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
            except DBAPIError:  # the transaction is lost, and every command with it
                raise
            except Exception as error:  # a bug or bad input: only this command fails
                outcomes.append(error)
        self._write()
        return outcomes

    def _lock_tables(self, envelopes: Sequence[CommandEnvelope]) -> None:
        names = {envelope.table for envelope in envelopes}
        keys = [(envelope.table, envelope.key_owner, envelope.key) for envelope in envelopes if envelope.key]
        tables, self._keys = load_tables_and_keys(self._connection, names, keys)
        for row in tables:
            try:
                self._load_locked_table(row)
            except (CroupierError, InvariantError) as error:  # a changed record, or a bug: only this table fails
                self._unreadable[row.name] = error

    def _load_locked_table(self, row: TableHead) -> None:
        cached_table = self._cached_tables.get(row.name)
        if cached_table is None or cached_table.id != row.id or cached_table.seq > row.seq or row.status == "archived":
            self.tables[row.name] = load_table(self._connection, row.name)
            return
        loaded = cached_table if cached_table.status == row.status else replace(cached_table, status=row.status)
        self.tables[row.name] = catch_up(self._connection, loaded) if loaded.seq < row.seq else loaded

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
        patrons = [command.patron for command in commands if isinstance(command, Sit | BuyIn | CashOut)]
        if patrons:
            self._currencies |= currencies_of_wallets(self._connection, patrons)
            balances = lock_balances(self._connection, patrons)
            self._wallets_before |= balances
            self._wallets |= balances

    def _run_one(self, envelope: CommandEnvelope, speculation: Speculation | None) -> CommandResult:
        if envelope.table in self._unreadable:
            raise self._unreadable[envelope.table]
        loaded = self.tables.get(envelope.table)
        if loaded is None:
            raise NotFound("table", f"there is no table {envelope.table!r}")
        command_key = (loaded.id, envelope.key_owner, envelope.key)
        earlier = self._keys.get(command_key) if envelope.key else None
        if earlier is not None:
            return self._repeat_result(loaded, envelope, earlier)
        if envelope.expected_seq is not None and envelope.expected_seq != loaded.seq:
            raise StaleTable(loaded.name, envelope.expected_seq, loaded.seq)
        if loaded.status != "open":
            raise RuleViolation("", f"table {loaded.name} is {loaded.status}")
        for command in (envelope.command, *envelope.also):
            patron = getattr(command, "patron", "")
            require_currency(loaded.name, loaded.currency, command, self._currencies.get(patron))
        identity = envelope.identity
        if not is_storable(envelope.key) or not is_storable(identity):
            raise InputError("key", "contains a character that cannot be stored")
        seq = loaded.seq
        refusal, events, texts = self._carry_out(loaded, envelope, speculation)
        loaded = self.tables[envelope.table]
        if envelope.key:
            outcome, clause, reason = _DONE, "", ""
            if refusal is not None:
                outcome, clause, reason = refusal.code or _REFUSED, refusal.clause, refusal.reason
            row = StoredCommand(*command_key, identity, seq + 1, loaded.seq, outcome, clause, reason)
            self._commands.append(row)
            self._keys[command_key] = row
            self._batch_events[command_key] = events
        return CommandResult(loaded.name, loaded.seq, events, refusal, texts=texts)

    def _repeat_result(self, loaded: LoadedTable, envelope: CommandEnvelope, earlier: StoredCommand) -> CommandResult:
        """The same result as the first time."""
        if earlier.identity != envelope.identity:
            raise RuleViolation("", f"the key {envelope.key!r} belongs to another command")
        refusal = None
        if earlier.outcome != _DONE:
            code = ErrorCode.NONE if earlier.outcome == _REFUSED else ErrorCode(earlier.outcome)
            refusal = Refusal(earlier.clause, earlier.reason, type(envelope.command).__name__, code)
        events = self._batch_events.get((earlier.table_id, earlier.sender, earlier.key))
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
            if work.loaded.status != loaded.status:
                work.loaded = replace(work.loaded, status=loaded.status)
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
        work = UnitOfWork(loaded, self._wallets)
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
        write_balances(self._connection, self._wallets_before, self._wallets)
        for link_id, link in self.links.items():
            write_link(self._connection, self._cached_links.get(link_id), link)
        for name, loaded in self.tables.items():
            if loaded.seq - loaded.snapshot >= self._snapshot_every:
                self.tables[name] = self._snapshot(loaded)

    def _notify(self) -> None:
        """Announces which tables have new events; PostgreSQL delivers it when the transaction commits."""
        positions = [f"{self.tables[name].id} {self.tables[name].seq}" for name in self._changed_tables]
        for start in range(0, len(positions), _MAX_TABLES_PER_NOTIFICATION):
            payload = ",".join(positions[start : start + _MAX_TABLES_PER_NOTIFICATION])
            statement = "SELECT pg_notify(%(channel)s, %(payload)s)"
            execute_raw(self._connection, statement, {"channel": NOTIFY_CHANNEL, "payload": payload})

    def _snapshot(self, loaded: LoadedTable) -> LoadedTable:
        """Stores a snapshot. Earlier ones stay, because old rounds are loaded from them."""
        values = {"table_id": loaded.id, "seq": loaded.seq, "shape": state_shape(), "state": pack_table(loaded.table)}
        self._connection.execute(sa.insert(s.snapshots).values(**values))
        return replace(loaded, snapshot=loaded.seq)

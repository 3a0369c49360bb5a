"""Unit of work: one command envelope carried out on a table in memory, and the rows to write for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from croupier.core.errors import InputError, RuleViolation
from croupier.core.hash_chain import next_hash_of_text
from croupier.storage.ledger import house_account_change, postings
from croupier.storage.messages import CommandEnvelope
from croupier.storage.repositories.links import StoredLink
from croupier.storage.repositories.wallets import balance_after
from croupier.storage.snapshots import LoadedTable
from croupier.storage.sql import schema as s
from croupier.storage.sql.bulk_insert import require_storable
from croupier.table.decide import decide
from croupier.table.evolve import evolve
from croupier.table.linked_session import meters_read_event
from croupier.table.model.commands import BuyIn, CashOut, Command
from croupier.table.model.events import ChipsBought, ChipsCashed, Event, Refusal
from croupier.table.model.state import Table
from croupier.table.record import upcasting
from croupier.table.record.event_serializer import NO_CAUSE, CauseText, cause_text, serialize_event

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
            return Refusal(error.clause, error.reason, type(command).__name__)
        cause = cause_text(command, outcome, key) if outcome else NO_CAUSE
        rows, entries, table, digest = _build_rows(loaded, events, self.wallets, len(events) - len(outcome), cause)
        if link is not None:
            try:
                link.book(synced_table, outcome, table)
            except RuleViolation as error:
                return Refusal(error.clause, error.reason, type(command).__name__)
        if balances:
            self.wallets = {**self.wallets, **balances}
        self.events += events
        self.rows += rows
        self.entries += entries
        loaded.table, loaded.seq, loaded.hash = table, loaded.seq + len(events), digest
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

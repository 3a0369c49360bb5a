"""Settled wagers and their corrections, as events with the round they belong to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from croupier.storage.currency import Currency
from croupier.storage.event_store import Store
from croupier.storage.sql import schema as s
from croupier.table.model.events import PaymentCorrected, WagerSettled
from croupier.table.model.setup import Setup
from croupier.table.record.codec import decode_event, decode_setup

_KINDS = (WagerSettled.__name__, PaymentCorrected.__name__)
Settlement = WagerSettled | PaymentCorrected


@dataclass(frozen=True, slots=True)
class TableSettlements:
    """The settlements of one table, each with the number of its round."""

    table: str
    setup: Setup
    entries: Iterator[tuple[int, Settlement]]
    """In order; consume them before the next table."""
    currency: Currency = Currency.REAL


def settlements_between(store: Store, since: int, until: int) -> Iterator[TableSettlements]:
    """The settlements of every table from `since` up to `until`, without tables whose record is archived."""
    column = s.events.c
    with store.database.read_transaction() as connection:
        for row in connection.execute(sa.select(s.tables).order_by(s.tables.c.id)):
            if row.status == "archived" or row.opened_at >= until:
                continue
            entries = settlements_of(connection, row.id, (column.at >= since) & (column.at < until))
            yield TableSettlements(row.name, decode_setup(json.loads(row.setup)), entries, Currency(row.currency))


def settlements_of(
    connection: sa.Connection, table_id: int, condition: sa.ColumnElement[bool]
) -> Iterator[tuple[int, Settlement]]:
    """The settlements of a table that meet a condition on their events, in order."""
    column = s.events.c
    query = sa.select(column.round, column.data).where(column.table_id == table_id, column.kind.in_(_KINDS), condition)
    for row in connection.execute(query.order_by(column.seq)):
        event = decode_event(json.loads(row.data))
        if isinstance(event, Settlement):
            yield row.round, event

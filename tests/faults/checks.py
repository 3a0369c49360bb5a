"""Consistency checks on a database after a fault."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from croupier.storage import Store, reconciliation
from croupier.storage.snapshots import pack_table
from croupier.storage.sql import schema as s
from tests.faults.players import Player


def find_problems(database: str, players: Iterable[Player]) -> list[str]:
    """Finds lost and incomplete commands, and states and ledgers that disagree."""
    store = Store(database)
    try:
        problems = list(_find_lost_commands(store, players))
        for name in store.tables():
            # Loading verifies the hash chain. The full record is replayed and compared with the stored state.
            replayed, stored = pack_table(store.record(name).table()), pack_table(store.table(name))
            if replayed != stored:
                in_record, in_state = _difference(replayed, stored), _difference(stored, replayed)
                problems.append(f"{name}: the record gives {in_record}, the stored state {in_state}")
            problems += reconciliation.find_disagreements(store.database, name)
        if reconciliation.ledger_total(store.database):
            problems.append(f"the ledger adds up to {reconciliation.ledger_total(store.database)} cents")
        problems += [f"unbalanced: {entry}" for entry in reconciliation.find_unbalanced(store.database)]
        problems += _find_incomplete_commands(store)
        return problems
    finally:
        store.close()


def _difference(text: str, other: str) -> str:
    """The part of a text around the first difference from another."""
    place = next((n for n, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), 0)
    return text[max(0, place - 60) : place + 60]


def _find_lost_commands(store: Store, players: Iterable[Player]) -> Iterable[str]:
    query = sa.select(s.commands.c.key, s.commands.c.last_seq).join(s.tables)
    with store.database.read_transaction() as connection:
        for player in players:
            rows = connection.execute(query.where(s.tables.c.name == player.table))
            stored = {row.key: row.last_seq for row in rows}
            for key, seq in list(player.acknowledged.items()):
                if stored.get(key) != seq:
                    yield f"{player.table}: the acknowledged command {key} is at {stored.get(key)}, not at {seq}"


def _find_incomplete_commands(store: Store) -> Iterable[str]:
    """Finds commands with missing events."""
    last = sa.select(s.events.c.table_id, sa.func.max(s.events.c.seq).label("seq")).group_by(s.events.c.table_id)
    newest = last.subquery()
    query = sa.select(s.commands.c.key).join(newest, newest.c.table_id == s.commands.c.table_id)
    with store.database.read_transaction() as connection:
        for row in connection.execute(query.where(s.commands.c.last_seq > newest.c.seq)):
            yield f"command {row.key} has missing events"

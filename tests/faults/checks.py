"""What must hold of a database whatever happened to the server."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from croupier.storage import Store, reconciliation
from croupier.storage.snapshots import pack_table
from croupier.storage.sql import schema as s
from tests.faults.players import Player


def problems(database: str, players: Iterable[Player]) -> list[str]:
    """Everything that is wrong: lost commands, half commands, states and ledgers that disagree."""
    store = Store(database)
    try:
        found = list(_lost(store, players))
        for name in store.tables():
            # Loading checks the hash chain; the record is replayed from the beginning beside the snapshot.
            replayed, stored = pack_table(store.record(name).table()), pack_table(store.table(name))
            if replayed != stored:
                found.append(
                    f"{name}: the record gives {_apart(replayed, stored)}, the stored state {_apart(stored, replayed)}"
                )
            found += reconciliation.find_disagreements(store.database, name)
        if reconciliation.ledger_total(store.database):
            found.append(f"the ledger adds up to {reconciliation.ledger_total(store.database)} cents")
        found += [f"unbalanced: {entry}" for entry in reconciliation.find_unbalanced(store.database)]
        found += _half(store)
        return found
    finally:
        store.close()


def _apart(text: str, other: str) -> str:
    """Where a text begins to differ from another."""
    place = next((n for n, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), 0)
    return text[max(0, place - 60) : place + 60]


def _lost(store: Store, players: Iterable[Player]) -> Iterable[str]:
    query = sa.select(s.commands.c.key, s.commands.c.last_seq).join(s.tables)
    with store.database.read_transaction() as connection:
        for player in players:
            rows = connection.execute(query.where(s.tables.c.name == player.table))
            stored = {row.key: row.last_seq for row in rows}
            for key, seq in list(player.acknowledged.items()):
                if stored.get(key) != seq:
                    yield f"{player.table}: the acknowledged command {key} is at {stored.get(key)}, not at {seq}"


def _half(store: Store) -> Iterable[str]:
    """Commands whose events are not all there."""
    last = sa.select(s.events.c.table_id, sa.func.max(s.events.c.seq).label("seq")).group_by(s.events.c.table_id)
    newest = last.subquery()
    query = sa.select(s.commands.c.key).join(newest, newest.c.table_id == s.commands.c.table_id)
    with store.database.read_transaction() as connection:
        for row in connection.execute(query.where(s.commands.c.last_seq > newest.c.seq)):
            yield f"command {row.key} says more events than there are"

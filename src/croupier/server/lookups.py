"""Questions about single events that the server asks of the database."""

from __future__ import annotations

import sqlalchemy as sa

from croupier.store import Store
from croupier.store import schema as s

_LATELY = 2_000
"""So many events are looked through for a sign of life."""


def acted_since(store: Store, table_id: int, patron: str, since: int) -> bool:
    """Whether a patron has done anything at a table since then, through any process."""
    columns = s.events.c
    newest = sa.select(columns.actor, columns.at).where(columns.table_id == table_id).order_by(columns.seq.desc())
    lately = newest.limit(_LATELY).subquery()
    query = sa.select(lately.c.at).where(lately.c.actor == patron, lately.c.at >= since).limit(1)
    with store.database.reading() as connection:
        return connection.execute(query).first() is not None


def round_of(store: Store, table_id: int, seq: int) -> int:
    """The round that an event happened in, 0 between rounds."""
    which = (s.events.c.table_id == table_id) & (s.events.c.seq == seq)
    with store.database.reading() as connection:
        return int(connection.execute(sa.select(s.events.c.round).where(which)).scalar() or 0)

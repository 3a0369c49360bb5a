"""A search through the events of a table: by time, kind, seat, round, person and amount (LOG-3)."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import sqlalchemy as sa

from croupier.cards import DECK
from croupier.server.past import ARCHIVED, Kept, kept_table, kept_tables, record_of, setup_of
from croupier.server.recalls import NOTHING_HIDDEN, READS_RECORDS, hidden_from
from croupier.server.seen import Viewer
from croupier.store import Store
from croupier.store import schema as s
from croupier.store.ledger import postings
from croupier.table import events as e
from croupier.table.codec import decode_event, encode_event
from croupier.table.evolve import evolve, new_table
from croupier.table.record import Record
from croupier.table.setup import Setup
from croupier.table.telling import tell

_FACE_DOWN = {
    "CardsShuffled": ("order",),
    "CardsReceived": ("order",),
    "CardsRead": ("cards",),
    "RoundCompleted": ("rack",),
    "DealCommitted": ("server_seed",),
    "MysteryArmed": ("trigger", "nonce"),
}


@dataclass(frozen=True, slots=True)
class Search:
    """What somebody looks for in the events of a table; what is left out is anything."""

    after: int = 0
    since: int = 0
    until: int = 2**62
    kinds: tuple[str, ...] = ()
    seat: int = 0
    round: int = 0
    actor: str = ""
    least: int = 0
    """Cents that an event must have moved at least."""
    limit: int = 200
    newest: bool = False
    """Whether the newest come, and come first, where there are more than the limit."""


Found = tuple[int, int, dict[str, Any]]
"""Number, round and what the record says of an event."""


def found_in(store: Store, name: str, wanted: Search, viewer: Viewer) -> dict[str, Any]:
    """What fits in one table, and from which event on something is hidden yet."""
    known, hidden = kept_table(store, name), hidden_from(store, name)
    return {
        "events": search(store, known, wanted, hidden, viewer),
        "hidden_from": hidden if hidden < NOTHING_HIDDEN else None,
    }


def found_everywhere(store: Store, wanted: Search, viewer: Viewer) -> dict[str, Any]:
    """What fits in any table whose record is in the database, the newest first, and whether there is more."""
    found: list[dict[str, Any]] = []
    asked = replace(wanted, newest=True, limit=wanted.limit + 1)
    for known in kept_tables(store):
        if known.status != ARCHIVED:
            events = search(store, known, asked, hidden_from(store, known.name), viewer)
            found += [{"table": known.name, **event} for event in events]
    found.sort(key=lambda event: (event["at"], event["seq"]), reverse=True)
    return {"events": found[: wanted.limit], "more": len(found) > wanted.limit}


def search(store: Store, known: Kept, wanted: Search, hidden: int, viewer: Viewer) -> list[dict[str, Any]]:
    """Events of a table that fit, without those that hide something yet; oldest first unless the newest are wanted.

    Who may not read records finds the same events without the cards that lay face down.
    """
    among = _in_archive if known.status == ARCHIVED else _in_database
    setup, reads = setup_of(store, known.name), viewer.role in READS_RECORDS
    events = among(store, known.name, wanted, hidden)
    return [{"seq": seq, "round": round_, **_told(setup, said, reads=reads)} for seq, round_, said in events]


def _in_database(store: Store, name: str, wanted: Search, hidden: int) -> Sequence[Found]:
    number = sa.select(s.tables.c.id).where(s.tables.c.name == name).scalar_subquery()
    columns = s.events.c
    query = sa.select(columns.seq, columns.round, columns.data).where(columns.table_id == number)
    query = query.where(columns.seq > wanted.after, columns.seq < hidden)
    query = query.where(columns.at >= wanted.since, columns.at <= wanted.until)
    if wanted.kinds:
        query = query.where(columns.kind.in_(wanted.kinds))
    for column, value in ((columns.seat, wanted.seat), (columns.round, wanted.round), (columns.actor, wanted.actor)):
        if value:
            query = query.where(column == value)
    if wanted.least:
        moved = sa.select(sa.literal(1)).where(
            s.ledger.c.table_id == columns.table_id,
            s.ledger.c.seq == columns.seq,
            sa.func.abs(s.ledger.c.amount) >= wanted.least,
        )
        query = query.where(moved.exists())
    order = columns.seq.desc() if wanted.newest else columns.seq
    with store.database.reading() as connection:
        found = connection.execute(query.order_by(order).limit(wanted.limit))
        return [(row.seq, row.round, json.loads(row.data)) for row in found]


def _in_archive(store: Store, name: str, wanted: Search, hidden: int) -> Sequence[Found]:
    fitting = _fitting(record_of(store, name), wanted, hidden)
    if wanted.newest:
        return list(deque(fitting, maxlen=wanted.limit))[::-1]
    return list(islice(fitting, wanted.limit))


def _fitting(record: Record, wanted: Search, hidden: int) -> Iterator[Found]:
    """The same in a record that is in no database: rounds and amounts follow from the events."""
    table = new_table(record.setup)
    for seq, event in enumerate(record.events, 1):
        before, table = table, evolve(table, event)
        at_round = table.round or before.round
        round_ = at_round.number if at_round is not None else getattr(event, "round", 0)
        if (
            wanted.after < seq < hidden
            and wanted.since <= event.at <= wanted.until
            and (not wanted.kinds or type(event).__name__ in wanted.kinds)
            and wanted.seat in (0, getattr(event, "seat", 0))
            and wanted.round in (0, round_)
            and wanted.actor in ("", event.by.name)
            and (not wanted.least or any(abs(cents) >= wanted.least for cents in postings(before, event).values()))
        ):
            yield seq, round_, encode_event(event)


def _told(setup: Setup, said: dict[str, Any], *, reads: bool) -> dict[str, Any]:
    """An event of the record with its sentence; without what lay face down for those who do not read records."""
    event = decode_event(said)
    if reads:
        return {**said, "text": tell(setup, event)}
    shown = _face_up(said)
    if isinstance(event, e.CardDealt) and shown["card"] is None:
        return {**shown, "text": tell(setup, event).replace(str(DECK[event.card]), "A card face down")}
    if isinstance(event, e.RoundCompleted):
        return {**shown, "text": f"Round {event.round} is complete"}
    return {**shown, "text": tell(setup, replace(event, hand="") if isinstance(event, e.WagerSettled) else event)}


def _face_up(event: dict[str, Any]) -> dict[str, Any]:
    """An event of the record without what lay face down: folded hands were never seen at the table."""
    if event["event"] == "CardDealt" and not event["face_up"]:
        return {**event, "card": None}
    return {name: value for name, value in event.items() if name not in _FACE_DOWN.get(event["event"], ())}

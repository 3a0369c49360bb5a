"""Past play for those who may look back: rounds step by step, and the record up to where nothing hidden begins."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from croupier.cards import DECK
from croupier.errors import Malformed
from croupier.exports.recall import Viewer as Recaller
from croupier.exports.recall import recalled
from croupier.exports.rounds import PlayedRound, chosen, document
from croupier.server.errors import forbidden
from croupier.server.seen import Viewer
from croupier.store import Store
from croupier.store import schema as s
from croupier.table import events as e
from croupier.table.codec import decode_event
from croupier.table.people import Role
from croupier.table.record import Record
from croupier.table.setup import Setup
from croupier.table.state import Table
from croupier.table.telling import tell

READS_RECORDS = frozenset({Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR})
STAFF = frozenset(Role) - {Role.PATRON, Role.SYSTEM}
_HIDING = (
    "CardsShuffled",
    "CardsReceived",
    "CardsRead",
    "DealCommitted",
    "DealRevealed",
    "MysteryArmed",
    "MysteryHit",
    "RoundCompleted",
)
_FACE_DOWN = {
    "CardsShuffled": ("order",),
    "CardsReceived": ("order",),
    "CardsRead": ("cards",),
    "RoundCompleted": ("rack",),
    "DealCommitted": ("server_seed",),
    "MysteryArmed": ("trigger", "nonce"),
}
_MONEY = frozenset({"ChipsBought", "ChipsCashed", "AccountFunded"})
_AT_MOST = 100_000


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


def hidden_from(store: Store, name: str, table: Table) -> int:
    """The number of the first event that says what is still hidden: a deck in play, a seed, a trigger; or a huge one.

    A record may be handed out up to the event before it, and its hash chain holds as far as it goes.
    """
    first = 2**62
    spent: dict[int, int] = {}
    ended: set[str] = set()
    decks = {round_.number: round_.deck for round_ in table.history}
    wanted = {f"deck {number}" for number, deck in table.decks.items() if deck.order}
    for seq, kind, round_, said in _hiding(store, name):
        if kind == "RoundCompleted" and round_ in decks:
            spent.setdefault(decks[round_], seq)
        elif kind == "CardsRead" or (kind in ("CardsShuffled", "CardsReceived") and said["order"]):
            what = f"deck {said['deck']}"
            if what in wanted:
                wanted.discard(what)
                if said["deck"] not in spent:
                    first = min(first, seq)
        elif kind in ("DealRevealed", "MysteryHit"):
            ended.add(said["commitment"])
        elif kind in ("DealCommitted", "MysteryArmed") and said["commitment"] not in ended:
            first = min(first, seq)
    return first


def _hiding(store: Store, name: str) -> Iterator[tuple[int, str, int, dict[str, Any]]]:
    """Events that hide or show something, newest first."""
    number = sa.select(s.tables.c.id).where(s.tables.c.name == name).scalar_subquery()
    query = sa.select(s.events.c.seq, s.events.c.kind, s.events.c.round, s.events.c.data)
    query = query.where(s.events.c.table_id == number, s.events.c.kind.in_(_HIDING)).order_by(s.events.c.seq.desc())
    with store.database.reading() as connection:
        for row in connection.execute(query.limit(_AT_MOST)):
            yield row.seq, row.kind, row.round, json.loads(row.data)


def open_record(store: Store, name: str) -> Iterator[str]:
    """The lines of a record as far as nothing in them is hidden any more."""
    table, _ = store.current(name)
    last = hidden_from(store, name, table) - 1
    yield from store.lines(name, last)


def recall_round(store: Store, name: str, number: int, viewer: Viewer) -> dict[str, Any]:
    """One round step by step, as the one who asks may see it (GAM-2)."""
    _, played = _played(store, name, number)
    if viewer.role is Role.PATRON and viewer.name not in played.round.patrons.values():
        raise forbidden("patrons look back at rounds that they played")
    lines = list(recalled(played, Recaller(viewer.role, viewer.name)))
    return {"table": name, "round": number, "complete": played.complete, "lines": lines}


def verifiable_round(store: Store, name: str, number: int) -> dict[str, Any]:
    """The document with which anybody checks a verifiable deal offline, once its seed is shown (RNG-7)."""
    record, played = _played(store, name, number)
    said = document(record, played)
    if said["deal"] is None:
        raise Malformed("round", f"round {number} was not dealt verifiably")
    if not any(event["event"] == "DealRevealed" and event["deal"] == said["deal"] for event in said["events"]):
        raise Malformed("round", f"the seed of round {number} is not shown yet: its cards are still in play")
    # What patrons bring and take is nobody's business, and no deal follows from it.
    return {**said, "events": [event for event in said["events"] if event["event"] not in _MONEY]}


def played_round(store: Store, name: str, number: int) -> PlayedRound:
    """A round with the states before and after every event; refuses one that the record does not have."""
    return _played(store, name, number)[1]


def _played(store: Store, name: str, number: int) -> tuple[Record, PlayedRound]:
    record = store.record(name)
    try:
        return record, chosen(record, number, None)[0]
    except Malformed as error:
        raise Malformed("round", error.reason) from error


def search(store: Store, setup: Setup, wanted: Search, hidden: int, viewer: Viewer) -> Sequence[dict[str, Any]]:
    """Events of a table that fit, oldest first, without those that hide something yet.

    Who may not read records finds the same events without the cards that lay face down.
    """
    number = sa.select(s.tables.c.id).where(s.tables.c.name == setup.name).scalar_subquery()
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
    with store.database.reading() as connection:
        found = connection.execute(query.order_by(columns.seq).limit(wanted.limit))
        events = [(row.seq, row.round, json.loads(row.data)) for row in found]
    reads = viewer.role in READS_RECORDS
    return [{"seq": seq, "round": round_, **_told(setup, said, reads=reads)} for seq, round_, said in events]


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

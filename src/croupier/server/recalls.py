"""Past play for those who may look back: rounds step by step, and the record up to where nothing hidden begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from croupier.errors import Malformed
from croupier.exports.recall import Viewer as Recaller
from croupier.exports.recall import recalled
from croupier.exports.rounds import ABOUT_DEALS, PlayedRound, chosen, document, document_among, rounds_after
from croupier.server.errors import forbidden
from croupier.server.past import ARCHIVED, OPEN, kept_table, lines_of, record_of, setup_of
from croupier.server.seen import Viewer
from croupier.store import Store
from croupier.store import schema as s
from croupier.store.rounds import events_of_kinds, round_events
from croupier.table import events as e
from croupier.table.people import Role
from croupier.table.record import Record
from croupier.table.state import Table

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
_MONEY = frozenset({"ChipsBought", "ChipsCashed", "AccountFunded"})
_AT_MOST = 100_000
NOTHING_HIDDEN = 2**53


def hidden_from(store: Store, name: str) -> int:
    """The number of the first event that says what is still hidden: a deck in play, a seed, a trigger; or a huge one.

    A record may be handed out up to the event before it, and its hash chain holds as far as it goes. Nothing at a
    retired table can matter any more, but for the trigger of a meter that other tables share.
    """
    known = kept_table(store, name)
    if known.status == OPEN:
        return _hidden_in_play(store, name, store.table(name))
    if not known.linked:
        return NOTHING_HIDDEN
    hit: set[str] = set()
    first = NOTHING_HIDDEN
    for seq, event in reversed(list(enumerate(record_of(store, name).events, 1))):
        if isinstance(event, e.MysteryHit):
            hit.add(event.commitment)
        elif isinstance(event, e.MysteryArmed) and event.commitment not in hit:
            first = seq
    return first


def _hidden_in_play(store: Store, name: str, table: Table) -> int:
    first = NOTHING_HIDDEN
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
    yield from lines_of(store, name, hidden_from(store, name) - 1)


def recall_round(store: Store, name: str, number: int, viewer: Viewer) -> dict[str, Any]:
    """One round step by step, as the one who asks may see it (GAM-2)."""
    played = played_round(store, name, number)
    if viewer.role is Role.PATRON and viewer.name not in played.round.patrons.values():
        raise forbidden("patrons look back at rounds that they played")
    lines = list(recalled(played, Recaller(viewer.role, viewer.name)))
    return {"table": name, "round": number, "complete": played.complete, "lines": lines}


def verifiable_round(store: Store, name: str, number: int) -> dict[str, Any]:
    """The document with which anybody checks a verifiable deal offline, once its seed is shown (RNG-7)."""
    if kept_table(store, name).status == ARCHIVED:
        said = document(*_played(store, name, number))
    else:
        deals = events_of_kinds(store, name, ABOUT_DEALS)
        said = document_among(setup_of(store, name), deals, played_round(store, name, number))
    if said["deal"] is None:
        raise Malformed("round", f"round {number} was not dealt verifiably")
    if not any(event["event"] == "DealRevealed" and event["deal"] == said["deal"] for event in said["events"]):
        raise Malformed("round", f"the seed of round {number} is not shown yet: its cards are still in play")
    # What patrons bring and take is nobody's business, and no deal follows from it.
    return {**said, "events": [event for event in said["events"] if event["event"] not in _MONEY]}


def played_round(store: Store, name: str, number: int) -> PlayedRound:
    """A round with the states before and after every event; refuses one that the record does not have."""
    if kept_table(store, name).status == ARCHIVED:
        return _played(store, name, number)[1]
    found = round_events(store, name, number)
    (played,) = rounds_after(found.before, found.events)
    return played


def _played(store: Store, name: str, number: int) -> tuple[Record, PlayedRound]:
    record = record_of(store, name)
    try:
        return record, chosen(record, number, None)[0]
    except Malformed as error:
        raise Malformed("round", error.reason) from error

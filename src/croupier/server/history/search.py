"""Searches the events of tables by time, kind, seat, round, person and amount (LOG-3)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from croupier.server.history.recall import hidden_from
from croupier.server.history.tables import (
    ARCHIVED,
    HistoricTable,
    find_historic_table,
    list_historic_tables,
    load_record,
    load_setup,
)
from croupier.server.payloads.records import AllTablesEvents, TableEvents
from croupier.server.payloads.tables import EventPayload, TablesEvent
from croupier.storage import Store
from croupier.storage.ledger import postings
from croupier.storage.repositories import history
from croupier.storage.repositories.history import EventQuery
from croupier.table.evolve import evolve_recorded, new_table
from croupier.table.live_secrets import NO_HIDDEN_EVENT
from croupier.table.model.setup import Setup
from croupier.table.narration import describe
from croupier.table.record.codec import decode_event, encode_event
from croupier.table.record.file import Record
from croupier.table.visibility import Moment, Viewer, redact, redact_payload


@dataclass(frozen=True, slots=True)
class EventSearch:
    """Search criteria for events; the defaults match everything."""

    after: int = 0
    since: int = 0
    until: int = 2**62
    kinds: tuple[str, ...] = ()
    seat: int = 0
    round: int = 0
    actor: str = ""
    min_cents: int = 0
    """The least amount that an event must have moved."""
    limit: int = 200
    newest_first: bool = False
    """Also decides which end the limit cuts off."""


EventRow = tuple[int, int, dict[str, Any]]
"""Sequence number, round and payload of an event."""


def search_table(store: Store, name: str, criteria: EventSearch, viewer: Viewer) -> TableEvents:
    """The matching events of one table, and the number of the first event that is still secret."""
    table, hidden = find_historic_table(store, name), hidden_from(store, name)
    return {
        "events": search_events(store, table, criteria, hidden, viewer),
        "hidden_from": hidden if hidden < NO_HIDDEN_EVENT else None,
    }


def search_all_tables(store: Store, criteria: EventSearch, viewer: Viewer) -> AllTablesEvents:
    """The newest matching events of all tables that are not archived, and whether there are more."""
    events: list[TablesEvent] = []
    per_table = replace(criteria, newest_first=True, limit=criteria.limit + 1)
    for table in list_historic_tables(store):
        if table.status != ARCHIVED:
            matches = search_events(store, table, per_table, hidden_from(store, table.name), viewer)
            events += [{"table": table.name, **event} for event in matches]
    events.sort(key=lambda event: (event["at"], event["seq"]), reverse=True)
    return {"events": events[: criteria.limit], "more": len(events) > criteria.limit}


def search_events(
    store: Store, table: HistoricTable, criteria: EventSearch, hidden: int, viewer: Viewer
) -> list[EventPayload]:
    """The matching events of a table before the event `hidden`, in the order that the criteria ask for.

    Viewers who do not read records get each event as it was visible when it happened.
    """
    search = _search_archive if table.status == ARCHIVED else _search_database
    setup = load_setup(store, table.name)
    rows = search(store, table.name, criteria, hidden)
    moment_of: Callable[[int, int], Moment] = _disclosed_moment
    if not viewer.reads_records:
        moment_of = past_moments(lambda criteria: search(store, table.name, criteria, hidden), rows)
    visible_events: list[EventPayload] = []
    for seq, round_, payload in rows:
        event = _event_payload(setup, payload, moment_of(seq, round_), viewer)
        if event is not None:
            visible_events.append({"seq": seq, "round": round_, **event})
    return visible_events


def _disclosed_moment(seq: int, number: int) -> Moment:
    """For record readers: every event that a search returns is out of play."""
    return Moment(in_record=True, record_open=True)


def _search_database(store: Store, name: str, criteria: EventSearch, hidden: int) -> Sequence[EventRow]:
    query = EventQuery(
        after=criteria.after,
        before=hidden,
        since=criteria.since,
        until=criteria.until,
        kinds=criteria.kinds,
        seat=criteria.seat,
        round=criteria.round,
        actor=criteria.actor,
        min_cents=criteria.min_cents,
        limit=criteria.limit,
        newest_first=criteria.newest_first,
    )
    with store.database.read_transaction() as connection:
        return [(event.seq, event.round, event.data) for event in history.search(connection, name, query)]


def _search_archive(store: Store, name: str, criteria: EventSearch, hidden: int) -> Sequence[EventRow]:
    rows = _matching_events(load_record(store, name), criteria, hidden)
    if criteria.newest_first:
        return list(deque(rows, maxlen=criteria.limit))[::-1]
    return list(islice(rows, criteria.limit))


def _matching_events(record: Record, criteria: EventSearch, hidden: int) -> Iterator[EventRow]:
    """Searches a record outside of the database: rounds and amounts are derived from its events."""
    table = new_table(record.setup)
    for seq, event in enumerate(record.events, 1):
        before, table = table, evolve_recorded(table, event, f"event {seq}")
        current_round = table.round or before.round
        round_ = current_round.number if current_round is not None else getattr(event, "round", 0)
        if (
            criteria.after < seq < hidden
            and criteria.since <= event.at <= criteria.until
            and (not criteria.kinds or type(event).__name__ in criteria.kinds)
            and criteria.seat in (0, getattr(event, "seat", 0))
            and criteria.round in (0, round_)
            and criteria.actor in ("", event.by.name)
            and (
                not criteria.min_cents
                or any(abs(cents) >= criteria.min_cents for cents in postings(before, event).values())
            )
        ):
            yield seq, round_, encode_event(event)


def past_moments(
    search: Callable[[EventSearch], Sequence[EventRow]], rows: Sequence[EventRow]
) -> Callable[[int, int], Moment]:
    """Gives the moment just after an event, by its number and round, with the hands that were face up by then."""
    rounds = {round_ for _, round_, payload in rows if payload["event"] == "WagerSettled" and payload["hand"]}
    turned_up = [
        (seq, round_, payload["seat"])
        for number in rounds
        for seq, round_, payload in search(EventSearch(kinds=("HandTurnedUp",), round=number))
    ]

    def moment(seq: int, number: int) -> Moment:
        seats = frozenset(seat for at, round_, seat in turned_up if round_ == number and at < seq)
        return Moment(turned_up=seats, in_record=True)

    return moment


def _event_payload(setup: Setup, payload: dict[str, Any], moment: Moment, viewer: Viewer) -> dict[str, Any] | None:
    """An event of the record with its sentence; `None` if the viewer may not know of it."""
    redacted = redact(decode_event(payload), moment, viewer)
    if redacted is None:
        return None
    return {**redact_payload(payload, redacted), "text": describe(setup, redacted.event)}

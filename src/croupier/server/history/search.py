"""A search through the events of a table: by time, kind, seat, round, person and amount (LOG-3)."""

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
from croupier.storage import Store
from croupier.storage.ledger import postings
from croupier.storage.repositories import history
from croupier.storage.repositories.history import EventQuery
from croupier.table.evolve import evolve_recorded, new_table
from croupier.table.model.setup import Setup
from croupier.table.narration import describe
from croupier.table.record.codec import decode_event, encode_event
from croupier.table.record.file import Record
from croupier.table.visibility import NO_HIDDEN_EVENT, Moment, Viewer, redact, redact_payload


@dataclass(frozen=True, slots=True)
class EventSearch:
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


EventRow = tuple[int, int, dict[str, Any]]
"""Number, round and what the record says of an event."""


def search_table(store: Store, name: str, wanted: EventSearch, viewer: Viewer) -> dict[str, Any]:
    """What fits in one table, and from which event on something is hidden yet."""
    known, hidden = find_historic_table(store, name), hidden_from(store, name)
    return {
        "events": search_events(store, known, wanted, hidden, viewer),
        "hidden_from": hidden if hidden < NO_HIDDEN_EVENT else None,
    }


def search_all_tables(store: Store, wanted: EventSearch, viewer: Viewer) -> dict[str, Any]:
    """What fits in any table whose record is in the database, the newest first, and whether there is more."""
    found: list[dict[str, Any]] = []
    asked = replace(wanted, newest=True, limit=wanted.limit + 1)
    for known in list_historic_tables(store):
        if known.status != ARCHIVED:
            events = search_events(store, known, asked, hidden_from(store, known.name), viewer)
            found += [{"table": known.name, **event} for event in events]
    found.sort(key=lambda event: (event["at"], event["seq"]), reverse=True)
    return {"events": found[: wanted.limit], "more": len(found) > wanted.limit}


def search_events(
    store: Store, known: HistoricTable, wanted: EventSearch, hidden: int, viewer: Viewer
) -> list[dict[str, Any]]:
    """Events of a table that fit, without those that hide something yet; oldest first unless the newest are wanted.

    Those who do not read records find the same events as they could be seen when they happened.
    """
    among = _search_archive if known.status == ARCHIVED else _search_database
    setup = load_setup(store, known.name)
    events = among(store, known.name, wanted, hidden)
    moment_of: Callable[[int, int], Moment] = _open_moment
    if not viewer.reads_records:
        moment_of = past_moments(lambda turned: among(store, known.name, turned, hidden), events)
    shown = []
    for seq, round_, payload in events:
        visible = _event_payload(setup, payload, moment_of(seq, round_), viewer)
        if visible is not None:
            shown.append({"seq": seq, "round": round_, **visible})
    return shown


def _open_moment(seq: int, number: int) -> Moment:
    """For those who read records: what is found is out of play."""
    return Moment(in_record=True, record_open=True)


def _search_database(store: Store, name: str, wanted: EventSearch, hidden: int) -> Sequence[EventRow]:
    query = EventQuery(
        after=wanted.after,
        before=hidden,
        since=wanted.since,
        until=wanted.until,
        kinds=wanted.kinds,
        seat=wanted.seat,
        round=wanted.round,
        actor=wanted.actor,
        min_cents=wanted.least,
        limit=wanted.limit,
        newest_first=wanted.newest,
    )
    with store.database.read_transaction() as connection:
        return [(event.seq, event.round, event.data) for event in history.search(connection, name, query)]


def _search_archive(store: Store, name: str, wanted: EventSearch, hidden: int) -> Sequence[EventRow]:
    fitting = _matching_events(load_record(store, name), wanted, hidden)
    if wanted.newest:
        return list(deque(fitting, maxlen=wanted.limit))[::-1]
    return list(islice(fitting, wanted.limit))


def _matching_events(record: Record, wanted: EventSearch, hidden: int) -> Iterator[EventRow]:
    """The same in a record that is in no database: rounds and amounts follow from the events."""
    table = new_table(record.setup)
    for seq, event in enumerate(record.events, 1):
        before, table = table, evolve_recorded(table, event, f"event {seq}")
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


def past_moments(
    search: Callable[[EventSearch], Sequence[EventRow]], events: Sequence[EventRow]
) -> Callable[[int, int], Moment]:
    """When an event of a number and round had just happened, as far as hands in it had been turned up by then."""
    rounds = {round_ for _, round_, payload in events if payload["event"] == "WagerSettled" and payload["hand"]}
    turned = [
        (seq, round_, payload["seat"])
        for number in rounds
        for seq, round_, payload in search(EventSearch(kinds=("HandTurnedUp",), round=number))
    ]

    def moment(seq: int, number: int) -> Moment:
        seats = frozenset(seat for at, round_, seat in turned if round_ == number and at < seq)
        return Moment(turned_up=seats, in_record=True)

    return moment


def _event_payload(setup: Setup, payload: dict[str, Any], moment: Moment, viewer: Viewer) -> dict[str, Any] | None:
    """An event of the record with its sentence; `None` if the viewer may not know of it."""
    redacted = redact(decode_event(payload), moment, viewer)
    if redacted is None:
        return None
    return {**redact_payload(payload, redacted), "text": describe(setup, redacted.event)}

"""Past play for those who may look back: rounds step by step, and the record up to where nothing hidden begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.core.errors import InputError, NotFound
from croupier.records.recall import describe_round
from croupier.records.rounds import (
    DEAL_EVENT_KINDS,
    PlayedRound,
    build_document,
    build_document_from_events,
    rounds_after,
    select_rounds,
)
from croupier.server.errors import forbidden
from croupier.server.history.tables import ARCHIVED, OPEN, find_historic_table, load_record, load_setup, record_lines
from croupier.storage import Store
from croupier.storage.repositories import history
from croupier.storage.repositories.rounds import events_of_kinds, round_events
from croupier.table.model.roles import Role
from croupier.table.record.file import Record
from croupier.table.visibility import (
    ANONYMOUS,
    NO_HIDDEN_EVENT,
    SECRET_EVENT_NAMES,
    Viewer,
    first_hidden_event,
    first_unhit_trigger,
)

_MAX_EVENTS = 100_000


def hidden_from(store: Store, name: str) -> int:
    """The number of the first event that says what is still hidden: a deck in play, a seed, a trigger; or a huge one.

    A record may be handed out up to the event before it, and its hash chain holds as far as it goes. Nothing at a
    retired table can matter any more, but for the trigger of a meter that other tables share.
    """
    known = find_historic_table(store, name)
    if known.status == OPEN:
        return first_hidden_event(store.table(name), _events_with_secrets(store, name))
    return first_unhit_trigger(enumerate(load_record(store, name).events, 1)) if known.linked else NO_HIDDEN_EVENT


def _events_with_secrets(store: Store, name: str) -> Iterator[tuple[int, str, int, dict[str, Any]]]:
    """Events that hide or show something, newest first."""
    with store.database.read_transaction() as connection:
        for event in history.newest_of_kinds(connection, name, SECRET_EVENT_NAMES, _MAX_EVENTS):
            yield event.seq, event.kind, event.round, event.data


def open_record(store: Store, name: str) -> Iterator[str]:
    """The lines of a record as far as nothing in them is hidden any more."""
    yield from record_lines(store, name, hidden_from(store, name) - 1)


def recall_round(store: Store, name: str, number: int, viewer: Viewer) -> dict[str, Any]:
    """One round step by step, as the one who asks may see it (GAM-2)."""
    played = played_round(store, name, number)
    if viewer.role is Role.PATRON and viewer.name not in played.round.patrons.values():
        raise forbidden("patrons look back at rounds that they played")
    lines = list(describe_round(played, viewer))
    return {"table": name, "round": number, "complete": played.complete, "lines": lines}


def verifiable_round(store: Store, name: str, number: int) -> dict[str, Any]:
    """The document with which anybody checks a verifiable deal offline, once its seed is shown (RNG-7)."""
    if find_historic_table(store, name).status == ARCHIVED:
        said = build_document(*_round_of_record(store, name, number), ANONYMOUS)
    else:
        deals = events_of_kinds(store, name, DEAL_EVENT_KINDS)
        said = build_document_from_events(load_setup(store, name), deals, played_round(store, name, number), ANONYMOUS)
    if said["deal"] is None:
        raise NotFound("round", f"round {number} was not dealt verifiably")
    if not any(event["event"] == "DealRevealed" and event["deal"] == said["deal"] for event in said["events"]):
        raise InputError("round", f"the seed of round {number} is not shown yet: its cards are still in play")
    return said


def played_round(store: Store, name: str, number: int) -> PlayedRound:
    """A round with the states before and after every event; refuses one that the record does not have."""
    if find_historic_table(store, name).status == ARCHIVED:
        return _round_of_record(store, name, number)[1]
    found = round_events(store, name, number)
    (played,) = rounds_after(found.before, found.events)
    return played


def _round_of_record(store: Store, name: str, number: int) -> tuple[Record, PlayedRound]:
    record = load_record(store, name)
    try:
        return record, select_rounds(record, number, None)[0]
    except NotFound as error:
        raise NotFound("round", error.reason) from error

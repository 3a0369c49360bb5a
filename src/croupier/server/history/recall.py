"""Past rounds step by step, and records up to the first event that is still secret."""

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
from croupier.server.payloads.records import RoundRecall
from croupier.storage import Store
from croupier.storage.repositories import history
from croupier.storage.repositories.rounds import events_of_kinds, round_events
from croupier.table.live_secrets import NO_HIDDEN_EVENT, SECRET_EVENT_NAMES, first_hidden_event, first_unhit_trigger
from croupier.table.model.roles import Role
from croupier.table.record.file import Record
from croupier.table.visibility import ANONYMOUS, Viewer

_MAX_EVENTS = 100_000


def hidden_from(store: Store, name: str) -> int:
    """The number of the first event that contains a current secret: a deck in play, a seed or a trigger.

    `NO_HIDDEN_EVENT` if there is none. A record may be disclosed up to the event before it, and its hash chain is valid
    up to there. A retired table has no secrets except the trigger of a meter that it shares with other tables.
    """
    table = find_historic_table(store, name)
    if table.status == OPEN:
        return first_hidden_event(store.table(name), _events_with_secrets(store, name))
    return first_unhit_trigger(enumerate(load_record(store, name).events, 1)) if table.linked else NO_HIDDEN_EVENT


def _events_with_secrets(store: Store, name: str) -> Iterator[tuple[int, str, int, dict[str, Any]]]:
    """Events that contain or reveal secrets, newest first."""
    with store.database.read_transaction() as connection:
        for event in history.newest_of_kinds(connection, name, SECRET_EVENT_NAMES, _MAX_EVENTS):
            yield event.seq, event.kind, event.round, event.data


def disclosable_lines(store: Store, name: str) -> Iterator[str]:
    """The lines of a record up to the first event that is still secret."""
    yield from record_lines(store, name, hidden_from(store, name) - 1)


def recall_round(store: Store, name: str, number: int, viewer: Viewer) -> RoundRecall:
    """One round step by step, as the viewer may see it (GAM-2)."""
    played = played_round(store, name, number)
    if viewer.role is Role.PATRON and viewer.name not in played.round.patrons.values():
        raise forbidden("patrons may recall only rounds that they played")
    lines = list(describe_round(played, viewer))
    return {"table": name, "round": number, "complete": played.is_complete, "lines": lines}


def verifiable_round(store: Store, name: str, number: int) -> dict[str, Any]:
    """The document with which anybody can check a verifiable deal offline, once its seed is revealed (RNG-7)."""
    if find_historic_table(store, name).status == ARCHIVED:
        document = build_document(*_round_from_record(store, name, number), ANONYMOUS)
    else:
        deals = events_of_kinds(store, name, DEAL_EVENT_KINDS)
        setup, played = load_setup(store, name), played_round(store, name, number)
        document = build_document_from_events(setup, deals, played, ANONYMOUS)
    if document["deal"] is None:
        raise NotFound("round", f"round {number} was not dealt verifiably")
    if not any(event["event"] == "DealRevealed" and event["deal"] == document["deal"] for event in document["events"]):
        raise InputError("round", f"the seed of round {number} is not revealed yet: its cards are still in play")
    return document


def played_round(store: Store, name: str, number: int) -> PlayedRound:
    """A round with the state before and after every event; raises `NotFound` if the record does not have it."""
    if find_historic_table(store, name).status == ARCHIVED:
        return _round_from_record(store, name, number)[1]
    recorded = round_events(store, name, number)
    (played,) = rounds_after(recorded.before, recorded.events)
    return played


def _round_from_record(store: Store, name: str, number: int) -> tuple[Record, PlayedRound]:
    record = load_record(store, name)
    try:
        return record, select_rounds(record, number, None)[0]
    except NotFound as error:
        raise NotFound("round", error.reason) from error

"""Forgeries of the procedure: each leaves out or alters one step of a golden day, with valid hashes and commands.

`check_procedure` reads events alone, so each forgery is found even where the forger has adapted the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from croupier.audits.checks.procedure import check_procedure
from croupier.audits.checks.procedure_version import check_procedure_version
from croupier.audits.record import audit_events
from croupier.regulations import EDITIONS
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.record.file import Record
from tests.audits.forgeries import RecordLines
from tests.audits.records import DEALING_SETUPS, full_setup, make_record
from tests.golden.procedures.day import day
from tests.table.tables import DANA, setup_of

Events = list[e.Event]
Forgery = Callable[[Events], Events]


def _setup(edition_name: str) -> Setup:
    return setup_of(edition_name, shuffler="counting", decks=2)


@cache
def _events(edition_name: str) -> tuple[e.Event, ...]:
    return tuple(day(edition_name).play.session.events)


def _without(events: Sequence[e.Event], *kinds: type[e.Event], nth: int = 0) -> Events:
    """The events without the n-th of some kinds."""
    place = [place for place, event in enumerate(events) if isinstance(event, kinds)][nth]
    return [*events[:place], *events[place + 1 :]]


def _changed(events: Sequence[e.Event], kind: type[e.Event], nth: int = 0, **values: Any) -> Events:
    """The events with values of the n-th of a kind changed."""
    place = [place for place, event in enumerate(events) if isinstance(event, kind)][nth]
    return [*events[:place], replace(events[place], **values), *events[place + 1 :]]


def _nth(events: Sequence[e.Event], kind: type[e.Event], **values: Any) -> int:
    """The number, among the events of a kind, of the first with these values."""
    of_kind = [event for event in events if isinstance(event, kind)]
    return next(
        place
        for place, event in enumerate(of_kind)
        if all(getattr(event, name) == value for name, value in values.items())
    )


FORGERIES: dict[str, tuple[Forgery, str, str]] = {
    "a deck with a defect stays": (
        lambda events: _without(_changed(events, e.CardsInspected, 0, defect="creased"), e.DeckRemoved),
        "inspect_cards",
        "has a defect, but was not removed",
    ),
    "one person inspects and verifies": (
        lambda events: _changed(events, e.InspectionVerified, by=DANA),
        "verify_inspection",
        "verified their own inspection",
    ),
    "a deck that the device miscounted stays": (
        lambda events: _changed(events, e.CardsShuffled, count=51),
        "counting_shuffler",
        "the device showed 51 cards",
    ),
    "the count of the device is left out": (
        lambda events: _changed(events, e.CardsShuffled, count=None),
        "counting_shuffler",
        "the device showed no count",
    ),
    "the other deck is not shuffled in time": (
        lambda events: _without(events, e.CardsShuffled, nth=_nth(events, e.CardsShuffled, deck=1, by_device=True) + 3),
        "one_deck_in_the_rack",
        "was not shuffled while deck",
    ),
    "nobody reports the device": (
        lambda events: _without(events, e.DeviceReported),
        "device_out_of_order",
        "nobody had reported",
    ),
    "one person reports and confirms": (
        lambda events: _changed(events, e.DeviceTakenOut, by=DANA),
        "device_out_of_order",
        "confirmed their own report",
    ),
    "an unapproved device takes its place": (
        lambda events: _changed(events, e.DeviceTakenOut, shuffler="reshuffling"),
        "device_out_of_order",
        "what is not on file",
    ),
    "a device that the table does not have fails": (
        lambda events: _changed(_changed(events, e.DeviceTakenOut, device="shoe"), e.DeviceReported, device="shoe"),
        "device_out_of_order",
        "this table has none",
    ),
    "a shuffle by hand is not cut": (
        lambda events: _without(events, e.CardsCut),
        "cut_cards",
        "without being cut",
    ),
    "an ordered recut is not made": (
        lambda events: _without(events, e.CardsCut, nth=1),
        "cut_cards",
        "without being cut",
    ),
    "the stub is not counted in the fifth round": (
        lambda events: _without(events, e.StubCounted),
        "stub_count_manual_shoe",
        "without a count",
    ),
    "the cards are not spread at an idle table": (
        lambda events: _without(events, e.CardsSpreadIdle),
        "idle_table",
        "were not spread",
    ),
    "the cards are not washed after an idle time": (
        lambda events: _without(events, e.CardsWashed, nth=-4),
        "wash_cards",
        "without being washed",
    ),
    "an overdue deck is not changed": (
        lambda events: [
            replace(event, at=event.at + 24 * 3_600_000) if place >= len(events) - 60 else event
            for place, event in enumerate(_without_last_change(events))
        ],
        "deck_change_shoe",
        "had been at the table",
    ),
}


def _without_last_change(events: Events) -> Events:
    """The events without the last decks that arrived, as if the old ones had been used again."""
    last = max(event.at for event in events if isinstance(event, e.CardsReceived))
    return [event for event in events if not (isinstance(event, e.CardsReceived) and event.at == last)]


@pytest.mark.parametrize("edition_name", EDITIONS)
@pytest.mark.parametrize("name", FORGERIES)
def test_a_step_that_was_left_out_or_altered_is_found(edition_name: str, name: str) -> None:
    forge, rule, message = FORGERIES[name]
    setup, events = _setup(edition_name), list(_events(edition_name))
    assert not list(check_procedure(setup, list(enumerate(events, 1))))
    findings = list(check_procedure(setup, list(enumerate(forge(events), 1))))
    clause = setup.clause(rule) or setup.clause(f"{rule}_{setup.method}")
    assert [finding for finding in findings if finding.clause == clause and message in finding.message], findings


@pytest.mark.parametrize("name", FORGERIES)
def test_the_whole_audit_finds_it_too(name: str) -> None:
    forged = FORGERIES[name][0](list(_events("pa-682a")))
    assert audit_events("forged", _setup("pa-682a"), list(enumerate(forged, 1))).findings


# The version of the procedure.


def test_a_record_cannot_claim_an_older_procedure_to_escape_the_checks() -> None:
    session = day("pa-682a").play.session
    older = replace(_setup("pa-682a"), procedure_version=1)
    text = "the current program recorded this, but the table follows an older version of the procedure"
    for with_causes in (True, False):
        record = Record(older, tuple(session.events), session.causes)
        findings = RecordLines.from_record(record, with_causes=with_causes).findings()
        assert [finding.seq for finding in findings if finding.message == text] == [1], "the first line has a version"
    events = list(enumerate(session.events, 1))
    (finding,) = check_procedure_version(older, events, ())
    assert (finding.message, finding.seq > 1) == (text, True), "by the values alone it is the first shuffle"
    unknown = replace(older, procedure_version=3)
    assert "there is none" in next(check_procedure_version(unknown, events, ())).message


def test_a_late_adoption_does_not_cover_what_the_current_program_recorded_before() -> None:
    session = day("pa-682a").play.session
    older = replace(_setup("pa-682a"), procedure_version=1)
    taken_out = next(place for place, event in enumerate(session.events) if isinstance(event, e.DeviceTakenOut))
    first = session.events[0]
    adopted = e.ProcedureAdopted(procedure_version=2, clause=older.clause("shuffle_cards"), by=first.by, at=first.at)
    events = [*session.events[: taken_out + 1], adopted, *session.events[taken_out + 1 :]]
    assert list(check_procedure_version(older, list(enumerate(events, 1)), ()))


def test_a_table_of_an_older_program_adopts_the_current_procedure_between_rounds() -> None:
    record = make_record("pa-682a", 1, trouble=0, procedure_version=1)
    assert isinstance(record.events[0], e.ProcedureAdopted)
    audit = audit_events("older", record.setup, list(enumerate(record.events, 1)), record.causes)
    assert audit.findings == []
    assert [note for note in audit.notes if "before event 1" in note]


# The head of a record.


HEADS: dict[str, tuple[dict[str, Any], str]] = {
    "a reshuffling substitute without approval": ({"substitute_shufflers": ("reshuffling",)}, "reshuffling_device"),
    "a reshuffling device without approval": ({"shuffler": "reshuffling"}, "reshuffling_device"),
    "a substitute that is no shuffler": ({"substitute_shufflers": ("a friend",)}, "device_out_of_order"),
    "a substitute that is no way to deal": ({"substitute_methods": ("toss",)}, "device_out_of_order"),
    "a substitute for a device that is not there": (
        {"shuffler": "none", "decks": 1, "substitute_shufflers": ("automated",)},
        "device_out_of_order",
    ),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_head_with_unlawful_devices_is_found(name: str) -> None:
    changes, rule = HEADS[name]
    record = make_record("pa-682a", 1, trouble=0)
    head = replace(record.setup, **changes)
    findings = RecordLines.from_record(Record(head, record.events, record.causes)).findings()
    clause = head.clause(rule)
    assert [finding for finding in findings if finding.seq == 0 and finding.clause == clause], findings


@pytest.mark.parametrize("term", ["smallest_chip", "substitute_shufflers", "device_approval"])
def test_an_older_head_with_later_terms_is_found(term: str) -> None:
    values: dict[str, Any] = {
        "smallest_chip": 100,
        "substitute_shufflers": ("automated",),
        "device_approval": "2026-17",
    }
    setup = full_setup("pa-682a", DEALING_SETUPS[3], procedure_version=1, **{term: values[term]})
    assert [finding.seq for finding in check_procedure_version(setup, [], ())] == [0]

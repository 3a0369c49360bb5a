"""Forged records of a plain shoe: what a dishonest dealer or floorperson would write is found, with its clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from croupier.audits.finding import Finding
from croupier.audits.record import audit_events
from croupier.games.definition import DEALER, PLAYER
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.record.causation import Cause
from croupier.table.record.file import Record
from tests.table.plain_shoe import index_of, plain_table, settle, to_decisions, to_settlement
from tests.table.tables import DANA, FLOYD

Events = list[e.Event]


def honest_record() -> Record:
    """Two seats at pa-682a; seat 1 folds, seat 2 is settled by an entered hand."""
    table = to_decisions(plain_table("pa-682a", 1, 2))
    table.send(c.Decide, seat=1, amount=None)
    settle(to_settlement(table))
    table.send(c.RackCards)
    return Record(table.table.setup, tuple(table.events), dict(table.session.causes))


def findings_of(record: Record, events: Sequence[e.Event], causes: dict[int, Cause]) -> list[Finding]:
    return audit_events("forged", record.setup, list(enumerate(events, 1)), causes).findings


def place_of(record: Record, kind: type[e.Event], where: Callable[[e.Event], bool] = lambda event: True) -> int:
    return next(n for n, event in enumerate(record.events) if isinstance(event, kind) and where(event))


def insert(record: Record, place: int, command: c.Command, *events: e.Event) -> list[Finding]:
    """The findings about a record with a command and its events forged in at a place."""
    causes = {seq + len(events) * (seq > place): cause for seq, cause in record.causes.items()}
    causes[place + 1] = Cause(command)
    return findings_of(record, [*record.events[:place], *events, *record.events[place:]], causes)


def test_an_honest_record_with_unknown_cards_audits_clean() -> None:
    record = honest_record()
    completed = record.events[-1]
    assert isinstance(completed, e.RoundCompleted)
    assert any(None in cards for _, _, cards in completed.rack)
    assert not findings_of(record, record.events, dict(record.causes))


def test_a_card_entered_before_the_decisions_is_found() -> None:
    record = honest_record()
    place = place_of(record, e.StubRacked) + 1
    command = c.EnterCards(place=PLAYER, seat=2, cards=(51,), by=DANA, at=0)
    event = e.CardEntered(place=PLAYER, seat=2, number=1, card=51, clause="682a.11(d)(1)", by=DANA, at=0)
    findings = insert(record, place, command, event)
    assert any(f.clause == "682a.11(d)(1)" and "not turned up now" in f.message for f in findings), findings


def test_a_hand_changed_by_the_dealer_after_its_settlement_is_found() -> None:
    record = honest_record()
    place = place_of(record, e.SeatSettled) + 1
    before = next(event.card for event in record.events if isinstance(event, e.CardEntered) and event.place == PLAYER)
    fields = {"place": PLAYER, "seat": 2, "number": 1, "card": index_of("As")}
    command = c.CorrectCard(by=DANA, at=0, **fields)  # type: ignore[arg-type]
    event = e.CardCorrected(before=before, reason="", clause="682a.11(d)(1)", by=DANA, at=0, **fields)  # type: ignore[arg-type]
    findings = insert(record, place, command, event)
    assert any("a floorperson must correct it" in f.message and f.clause == "682a.11(d)(1)" for f in findings), findings
    by_floor = replace(command, by=FLOYD), replace(event, by=FLOYD)
    assert any("a reason must be given" in f.message for f in insert(record, place, *by_floor))


def test_a_card_entered_twice_is_found() -> None:
    record = honest_record()
    dealer_card = next(event.card for event in record.events if isinstance(event, e.CardEntered))
    place = place_of(record, e.CardEntered, lambda event: getattr(event, "place", "") == PLAYER)
    events = list(record.events)
    forged = events[place]
    assert isinstance(forged, e.CardEntered)
    events[place] = replace(forged, card=dealer_card)
    causes = dict(record.causes)
    messages = [finding.message for finding in findings_of(record, events, causes)]
    assert any("lies on the layout already" in message for message in messages), messages


def test_a_seat_settled_without_its_hand_is_found() -> None:
    record = honest_record()
    numbers = [
        n
        for n, event in enumerate(record.events)
        if (isinstance(event, e.CardEntered) and event.place == PLAYER) or isinstance(event, e.HandTurnedUp)
    ]
    events = [event for n, event in enumerate(record.events) if n not in numbers]
    causes = {
        seq - sum(n < seq - 1 for n in numbers): cause for seq, cause in record.causes.items() if seq - 1 not in numbers
    }
    findings = findings_of(record, events, causes)
    assert any(f.clause == "682a.11(d)(1)" and "enter the hand of seat 2 first" in f.message for f in findings), (
        findings
    )
    assert any("before its hand was entered" in finding.message for finding in findings)


@pytest.mark.parametrize("card", [0, None])
def test_a_face_for_an_unknown_card_is_found(card: int | None) -> None:
    """Neither can a card from a plain shoe be dealt with a face, nor one of the rack be invented."""
    record = honest_record()
    events = list(record.events)
    if card is not None:
        place = place_of(record, e.CardDealt, lambda event: getattr(event, "place", "") == DEALER)
        dealt = events[place]
        assert isinstance(dealt, e.CardDealt)
        events[place] = replace(dealt, card=card)
        expected = "a card from a plain shoe is dealt unknown"
    else:
        completed = events[-1]
        assert isinstance(completed, e.RoundCompleted)
        rack = tuple(
            (place, seat, tuple(51 if x is None else x for x in cards)) for place, seat, cards in completed.rack
        )
        events[-1] = replace(completed, rack=rack)
        expected = "the cards in the rack are not those that were dealt"
    messages = [finding.message for finding in findings_of(record, events, dict(record.causes))]
    assert expected in messages


def test_what_remains_of_a_better_hand_for_a_friend() -> None:
    """A dealer who enters another hand than lies there leaves every entry and correction, with name and time."""
    table = to_settlement(to_decisions(plain_table("pa-682a", 1)))
    for number, text in enumerate(("As", "Ah", "Ad", "Ac", "Ks"), 1):
        table.now = number * 1_000
        table.send(c.EnterCards, place=PLAYER, seat=1, number=number, cards=(index_of(text),))
    table.send(c.CorrectCard, place=PLAYER, seat=1, number=5, card=index_of("Kh"))
    entries = [event for event in table.events if isinstance(event, e.CardEntered) and event.place == PLAYER]
    assert [(event.by, event.at) for event in entries] == [(DANA, number * 1_000) for number in range(1, 6)]
    (correction,) = table.events_of(e.CardCorrected)
    assert (correction.before, correction.card, correction.by) == (index_of("Ks"), index_of("Kh"), DANA)

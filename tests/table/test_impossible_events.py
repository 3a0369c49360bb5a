"""Impossible events: bad input in a record, but a bug if just decided."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.core.errors import ImpossibleEvent, InvariantError
from croupier.table.evolve import evolve, evolve_recorded
from croupier.table.model import events as e
from croupier.table.model.roles import SYSTEM
from croupier.table.record.file import Record
from tests.table.tables import open_table

NO_ROUND = e.DealCompleted(clause="", by=SYSTEM, at=10**15, stub=20)
UNKNOWN_METER = e.MetersFed(clause="", by=SYSTEM, at=10**15, amounts=(("none", Fraction(1)),))


@pytest.mark.parametrize("event", [NO_ROUND, UNKNOWN_METER])
def test_an_impossible_event_in_a_record_is_refused_with_its_position(event: e.Event) -> None:
    table = open_table("pa-641a")
    assert table.table.round is None
    with pytest.raises(ImpossibleEvent, match=f"^event 7: {type(event).__name__} cannot follow the events before it$"):
        evolve_recorded(table.table, event, "event 7")
    record = Record(table.table.setup, (*table.events, event))
    with pytest.raises(ImpossibleEvent, match=rf"^event {len(table.events) + 1}: "):
        record.table()


def test_an_impossible_decided_event_is_a_bug() -> None:
    with pytest.raises(InvariantError, match="DealCompleted was decided but cannot happen: there is no round"):
        evolve(open_table("pa-641a").table, NO_ROUND)


def test_recorded_and_decided_events_lead_to_the_same_state() -> None:
    table = open_table("pa-641a").load()
    table.wager(1)
    assert Record(table.table.setup, tuple(table.events)).table() == table.table

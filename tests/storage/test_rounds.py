"""Past rounds, loaded from the snapshot before them, equal those of the full record."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from croupier.core.errors import InputError
from croupier.records.rounds import DEAL_EVENT_KINDS, build_document, build_document_from_events, rounds, rounds_after
from croupier.regulations import EDITIONS
from croupier.server.history.recall import verifiable_round
from croupier.storage import Store
from croupier.storage.repositories.rounds import events_of_kinds, round_events
from croupier.storage.sql import schema as s
from croupier.table import SYSTEM, Phase
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.procedure.shuffle import SeededShuffle
from croupier.table.visibility import ANONYMOUS
from tests.storage.rounds import StoredTableSession, make_setup, play_round, play_rounds, sit_down, state_of


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_every_round_equals_that_of_the_record(database_url: str, edition_name: str) -> None:
    store = Store(database_url, snapshot_every=40)
    session = play_rounds(store, "one", 5, edition_name=edition_name)
    play_rounds(store, "two", 1)  # must not be confused with the first table's rounds
    expected_rounds = list(rounds(store.record("one")))
    assert [expected.number for expected in expected_rounds] == [1, 2, 3, 4, 5]
    for expected in expected_rounds:
        loaded = round_events(store, "one", expected.number)
        assert state_of(loaded.before) == state_of(expected.before)
        assert loaded.events == [(step.seq, step.event) for step in expected.steps]
    with pytest.raises(InputError, match="there is no round 6 in this record; it has 5"):
        round_events(store, "one", 6)
    with pytest.raises(InputError, match="there is no round 0"):
        round_events(store, "one", 0)
    assert session.table.rounds == 5
    store.close()


def test_a_round_in_progress_is_found_and_a_missing_round_is_refused(database_url: str) -> None:
    store = Store(database_url, snapshot_every=30)
    session = play_rounds(store, "one", 2)
    automation = Automation(SeededShuffle("a third"))
    automation.advance(session, at=0)
    session.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(session, at=0)
    assert session.table.phase is Phase.DECIDING
    loaded = round_events(store, "one", 3)
    assert loaded.before.rounds == 2
    assert loaded.events[-1] == (session.seq, session.events[-1])
    store.create(make_setup("empty"), at=0)
    with pytest.raises(InputError, match="there is no round 1 in this record; it has 0"):
        round_events(store, "empty", 1)
    with pytest.raises(InputError, match="no table 'nowhere'"):
        round_events(store, "nowhere", 1)
    store.close()


def test_loading_starts_at_the_snapshot_or_at_the_beginning_without_one(database_url: str) -> None:
    store = Store(database_url, snapshot_every=30)
    play_rounds(store, "one", 4)
    expected = round_events(store, "one", 4)
    is_first = (s.events.c.table_id == 1) & (s.events.c.seq == 1)
    with store.database.write_transaction() as connection:
        data = connection.execute(sa.select(s.events.c.data).where(is_first)).scalar_one()
        connection.execute(sa.update(s.events).where(is_first).values(data="{}"))
    assert round_events(store, "one", 4).events == expected.events, "events before the snapshot are not read"
    with pytest.raises(InputError, match="was changed"):
        round_events(store, "one", 1)
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.events).where(is_first).values(data=data))
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.snapshots).values(shape="another", state="nonsense"))
    assert round_events(store, "one", 4).events == expected.events
    assert state_of(round_events(store, "one", 4).before) == state_of(expected.before)
    store.close()


def test_RNG_7_the_document_of_a_round_equals_that_of_the_full_record(database_url: str) -> None:
    store = Store(database_url, snapshot_every=40)
    store.create(replace(make_setup("one"), verifiable=True), at=0)
    session, automation = StoredTableSession(store, "one"), Automation(SeededShuffle("verifiable"))
    sit_down(session, automation)
    for _ in range(4):
        play_round(session, automation)
    automation.advance(session, at=0)
    record, deals = store.record("one"), events_of_kinds(store, "one", DEAL_EVENT_KINDS)
    assert {type(event).__name__ for _, event in deals} == {"CardsShuffled", "DealCommitted", "DealRevealed"}
    for expected in rounds(record):
        if not expected.is_complete:
            continue
        loaded = round_events(store, "one", expected.number)
        (round_,) = rounds_after(loaded.before, loaded.events)
        document = build_document_from_events(record.setup, deals, round_, ANONYMOUS)
        assert document == build_document(record, expected, ANONYMOUS)
        assert document["deal"] == expected.number
        assert verifiable_round(store, "one", expected.number)["deal"] == expected.number
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.events).where(s.events.c.kind == "DealRevealed").values(data="nonsense"))
    with pytest.raises(InputError, match=r"table one, event \d+: is not JSON"):
        events_of_kinds(store, "one", DEAL_EVENT_KINDS)
    store.close()

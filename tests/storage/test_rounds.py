"""Rounds of long ago, from the snapshot before them: the same as from the whole record."""

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
from tests.storage.rounds import StoredDriver, play_round, played, setup_of, sit_down, state_of


@pytest.mark.parametrize("edition_name", EDITIONS)
def test_every_round_is_the_one_of_the_record(where: str, edition_name: str) -> None:
    store = Store(where, snapshot_every=40)
    driver = played(store, "one", 5, edition_name=edition_name)
    played(store, "two", 1)  # another table's rounds are not mistaken for its own
    whole = list(rounds(store.record("one")))
    assert [one.number for one in whole] == [1, 2, 3, 4, 5]
    for one in whole:
        found = round_events(store, "one", one.number)
        assert state_of(found.before) == state_of(one.before)
        assert found.events == [(step.seq, step.event) for step in one.steps]
    with pytest.raises(InputError, match="there is no round 6 in this record; it has 5"):
        round_events(store, "one", 6)
    with pytest.raises(InputError, match="there is no round 0"):
        round_events(store, "one", 0)
    assert driver.table.rounds == 5
    store.close()


def test_a_round_under_way_is_found_and_a_table_without_any_has_none(where: str) -> None:
    store = Store(where, snapshot_every=30)
    driver = played(store, "one", 2)
    automation = Automation(SeededShuffle("a third"))
    automation.advance(driver, at=0)
    driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=1, wager="ante", amount=5_00))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))
    automation.advance(driver, at=0)
    assert driver.table.phase is Phase.DECIDING
    found = round_events(store, "one", 3)
    assert found.before.rounds == 2
    assert found.events[-1] == (driver.seq, driver.events[-1])
    store.create(setup_of("empty"), at=0)
    with pytest.raises(InputError, match="there is no round 1 in this record; it has 0"):
        round_events(store, "empty", 1)
    with pytest.raises(InputError, match="no table 'nowhere'"):
        round_events(store, "nowhere", 1)
    store.close()


def test_it_starts_at_the_snapshot_and_does_without_where_none_can_be_read(where: str) -> None:
    store = Store(where, snapshot_every=30)
    played(store, "one", 4)
    usual = round_events(store, "one", 4)
    first = (s.events.c.table_id == 1) & (s.events.c.seq == 1)
    with store.database.write_transaction() as connection:
        kept = connection.execute(sa.select(s.events.c.data).where(first)).scalar_one()
        connection.execute(sa.update(s.events).where(first).values(data="{}"))
    assert round_events(store, "one", 4).events == usual.events, "nothing before the snapshot is read"
    with pytest.raises(InputError, match="was changed"):
        round_events(store, "one", 1)
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.events).where(first).values(data=kept))
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.snapshots).values(shape="another", state="nonsense"))
    assert round_events(store, "one", 4).events == usual.events
    assert state_of(round_events(store, "one", 4).before) == state_of(usual.before)
    store.close()


def test_RNG_7_the_document_of_a_round_is_the_one_of_the_whole_record(where: str) -> None:
    store = Store(where, snapshot_every=40)
    store.create(replace(setup_of("one"), verifiable=True), at=0)
    driver, automation = StoredDriver(store, "one"), Automation(SeededShuffle("verifiable"))
    sit_down(driver, automation)
    for _ in range(4):
        play_round(driver, automation)
    automation.advance(driver, at=0)
    record, deals = store.record("one"), events_of_kinds(store, "one", DEAL_EVENT_KINDS)
    assert {type(event).__name__ for _, event in deals} == {"CardsShuffled", "DealCommitted", "DealRevealed"}
    for one in rounds(record):
        if not one.complete:
            continue
        found = round_events(store, "one", one.number)
        (again,) = rounds_after(found.before, found.events)
        said = build_document_from_events(record.setup, deals, again)
        assert said == build_document(record, one)
        assert said["deal"] == one.number
        assert verifiable_round(store, "one", one.number)["deal"] == one.number
    with store.database.write_transaction() as connection:
        connection.execute(sa.update(s.events).where(s.events.c.kind == "DealRevealed").values(data="nonsense"))
    with pytest.raises(InputError, match=r"table one, event \d+: is not JSON"):
        events_of_kinds(store, "one", DEAL_EVENT_KINDS)
    store.close()

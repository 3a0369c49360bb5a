"""Old records move into files, verified before anything is removed, and the ledger keeps its balances."""

from __future__ import annotations

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest

from croupier.core.errors import InputError, RuleViolation
from croupier.storage import Store, reconciliation
from croupier.storage.archive import DAY, Retention, archive, find_damaged, list_archived, list_expired
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.record.file import read_record
from tests.storage.rounds import played, setup_of, state_of


def closed(store: Store, name: str) -> None:
    driver = played(store, name, 2)
    driver.send(c.CloseTable(by=Actor("Flo", Role.FLOORPERSON), at=0))
    for patron, cents in dict(driver.table.balances).items():
        driver.send(c.CashOut(by=SYSTEM, at=0, patron=patron, amount=cents))
    store.close_table(name)


def test_log_4_a_closed_tables_record_moves_to_a_file(store: Store, tmp_path: Path) -> None:
    closed(store, "old/one")
    played(store, "open", 1)
    before, events = reconciliation.balances(store.database, "old/one"), [event for _, event in store.events("old/one")]
    state = state_of(store.table("old/one"))
    assert archive(store, tmp_path, now=399 * DAY) == []
    (moved,) = archive(store, tmp_path, now=401 * DAY)
    assert list_archived(store) == [moved]
    record = read_record(moved.path)
    assert list(record.events) == events
    assert state_of(record.table()) == state
    assert reconciliation.balances(store.database, "old/one") == before
    assert reconciliation.ledger_total(store.database) == 0
    assert not reconciliation.find_unbalanced(store.database)
    assert (store.tables(), store.tables("archived")) == (["open"], ["old/one"])
    assert archive(store, tmp_path, now=401 * DAY) == []
    with pytest.raises(RuleViolation, match="is in the archive"):
        store.export("old/one", StringIO())
    for read in (store.table, store.events, store.record):
        with pytest.raises(RuleViolation, match="is in the archive"):
            read("old/one")
    with pytest.raises(RuleViolation, match="is in the archive"):
        store.submit("old/one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    with pytest.raises(RuleViolation, match="a table named old/one already exists"):
        store.create(setup_of("old/one"), at=0)
    assert list(find_damaged(store)) == []
    lines = moved.path.read_text().splitlines()
    moved.path.write_text("\n".join([*lines[:-1], json.dumps({**json.loads(lines[-1]), "amount": 1})]))
    assert ["was changed" in line for line in find_damaged(store)] == [True]
    moved.path.unlink()
    assert ["is missing" in line for line in find_damaged(store)] == [True]
    assert list_expired(store, now=int(10 * 365.25 * DAY)) == []
    assert list_expired(store, now=int(10 * 365.25 * DAY) + 1) == [moved]
    assert list_expired(store, now=int(10 * 365.25 * DAY) + 1, retention=Retention(play_years=11)) == []


def test_nothing_is_removed_where_the_file_cannot_be_written(store: Store, tmp_path: Path) -> None:
    closed(store, "one")
    events = store.events("one")
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    with pytest.raises(InputError, match="cannot be written"):
        archive(store, in_the_way, now=401 * DAY)
    assert store.events("one") == events
    assert store.tables("closed") == ["one"]


def test_a_file_that_is_there_already_is_not_overwritten(store: Store, tmp_path: Path) -> None:
    closed(store, "one")
    events = store.events("one")
    taken = tmp_path / f"one-{sha256(b'one').hexdigest()[:8]}.jsonl"
    taken.write_text("something else")
    with pytest.raises(RuleViolation, match="already exists with different content"):
        archive(store, tmp_path, now=401 * DAY)
    assert store.events("one") == events
    assert taken.read_text() == "something else"


def test_retention_is_never_negative() -> None:
    with pytest.raises(InputError, match=r"retention\.play_years"):
        Retention(play_years=-1)

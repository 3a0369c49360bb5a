"""Old records move into files, verified before anything is removed, and the ledger keeps its balances."""

from __future__ import annotations

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest

from croupier.errors import Malformed, NotPermitted
from croupier.store import Store, books
from croupier.store.archive import DAY, Retention, archive, archives, damaged, expired
from croupier.table import SYSTEM
from croupier.table import commands as c
from croupier.table.people import Actor, Role
from croupier.table.record import read_record
from tests.store.playing import played, setup_of, state_of


def closed(store: Store, name: str) -> None:
    driver = played(store, name, 2)
    driver.send(c.CloseTable(by=Actor("Flo", Role.FLOORPERSON), at=0))
    for patron, cents in dict(driver.table.balances).items():
        driver.send(c.CashOut(by=SYSTEM, at=0, patron=patron, amount=cents))
    store.close_table(name)


def test_log_4_a_closed_tables_record_moves_to_a_file(store: Store, tmp_path: Path) -> None:
    closed(store, "old/one")
    played(store, "open", 1)
    before, events = books.balances(store.database, "old/one"), [event for _, event in store.events("old/one")]
    state = state_of(store.table("old/one"))
    assert archive(store, tmp_path, now=399 * DAY) == []
    (moved,) = archive(store, tmp_path, now=401 * DAY)
    assert archives(store) == [moved]
    record = read_record(moved.path)
    assert list(record.events) == events
    assert state_of(record.table()) == state
    assert books.balances(store.database, "old/one") == before
    assert books.total(store.database) == 0
    assert not books.unbalanced(store.database)
    assert (store.tables(), store.tables("archived")) == (["open"], ["old/one"])
    assert archive(store, tmp_path, now=401 * DAY) == []
    with pytest.raises(NotPermitted, match="is in its archive"):
        store.export("old/one", StringIO())
    for read in (store.table, store.events, store.record):
        with pytest.raises(NotPermitted, match="is in its archive"):
            read("old/one")
    with pytest.raises(NotPermitted, match="is in its archive"):
        store.submit("old/one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    with pytest.raises(NotPermitted, match="there is a table old/one already"):
        store.create(setup_of("old/one"), at=0)
    assert list(damaged(store)) == []
    lines = moved.path.read_text().splitlines()
    moved.path.write_text("\n".join([*lines[:-1], json.dumps({**json.loads(lines[-1]), "amount": 1})]))
    assert ["was changed since" in line for line in damaged(store)] == [True]
    moved.path.unlink()
    assert ["is missing" in line for line in damaged(store)] == [True]
    assert expired(store, now=int(10 * 365.25 * DAY)) == []
    assert expired(store, now=int(10 * 365.25 * DAY) + 1) == [moved]
    assert expired(store, now=int(10 * 365.25 * DAY) + 1, retention=Retention(play_years=11)) == []


def test_nothing_is_removed_where_the_file_cannot_be_written(store: Store, tmp_path: Path) -> None:
    closed(store, "one")
    events = store.events("one")
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    with pytest.raises(Malformed, match="cannot be written"):
        archive(store, in_the_way, now=401 * DAY)
    assert store.events("one") == events
    assert store.tables("closed") == ["one"]


def test_a_file_that_is_there_already_is_not_overwritten(store: Store, tmp_path: Path) -> None:
    closed(store, "one")
    events = store.events("one")
    taken = tmp_path / f"one-{sha256(b'one').hexdigest()[:8]}.jsonl"
    taken.write_text("something else")
    with pytest.raises(NotPermitted, match="is there already, with something else in it"):
        archive(store, tmp_path, now=401 * DAY)
    assert store.events("one") == events
    assert taken.read_text() == "something else"


def test_retention_is_never_negative() -> None:
    with pytest.raises(Malformed, match=r"retention\.play_years"):
        Retention(play_years=-1)

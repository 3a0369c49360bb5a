"""Old records move to files, which are verified before rows are deleted; the ledger keeps its balances."""

from __future__ import annotations

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest

from croupier.core.errors import InputError, RuleViolation
from croupier.storage import Store, reconciliation
from croupier.storage.archive import DAY_MS, Retention, archive, find_damaged, list_archived, list_expired
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from croupier.table.model.roles import Actor, Role
from croupier.table.record.file import read_record
from tests.storage.rounds import make_setup, play_rounds, state_of


def close_played_table(store: Store, name: str) -> None:
    session = play_rounds(store, name, 2)
    session.send(c.CloseTable(by=Actor("Flo", Role.FLOORPERSON), at=0))
    for patron, cents in dict(session.table.balances).items():
        session.send(c.CashOut(by=SYSTEM, at=0, patron=patron, amount=cents))
    store.close_table(name)


def test_log_4_a_closed_tables_record_moves_to_a_file(store: Store, tmp_path: Path) -> None:
    close_played_table(store, "old/one")
    play_rounds(store, "open", 1)
    before, events = reconciliation.balances(store.database, "old/one"), [event for _, event in store.events("old/one")]
    state = state_of(store.table("old/one"))
    assert archive(store, tmp_path, now=399 * DAY_MS) == []
    (archived,) = archive(store, tmp_path, now=401 * DAY_MS)
    assert list_archived(store) == [archived]
    record = read_record(archived.path)
    assert list(record.events) == events
    assert state_of(record.table()) == state
    assert reconciliation.balances(store.database, "old/one") == before
    assert reconciliation.ledger_total(store.database) == 0
    assert not reconciliation.find_unbalanced(store.database)
    assert (store.tables(), store.tables("archived")) == (["open"], ["old/one"])
    assert archive(store, tmp_path, now=401 * DAY_MS) == []
    with pytest.raises(RuleViolation, match="is in the archive"):
        store.export("old/one", StringIO())
    for read in (store.table, store.events, store.record):
        with pytest.raises(RuleViolation, match="is in the archive"):
            read("old/one")
    with pytest.raises(RuleViolation, match="is in the archive"):
        store.submit("old/one", c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    with pytest.raises(RuleViolation, match="a table named old/one already exists"):
        store.create(make_setup("old/one"), at=0)
    assert list(find_damaged(store)) == []
    lines = archived.path.read_text().splitlines()
    archived.path.write_text("\n".join([*lines[:-1], json.dumps({**json.loads(lines[-1]), "amount": 1})]))
    assert ["was changed" in line for line in find_damaged(store)] == [True]
    archived.path.unlink()
    assert ["is missing" in line for line in find_damaged(store)] == [True]
    assert list_expired(store, now=int(10 * 365.25 * DAY_MS)) == []
    assert list_expired(store, now=int(10 * 365.25 * DAY_MS) + 1) == [archived]
    assert list_expired(store, now=int(10 * 365.25 * DAY_MS) + 1, retention=Retention(play_years=11)) == []


def test_nothing_is_deleted_if_the_file_cannot_be_written(store: Store, tmp_path: Path) -> None:
    close_played_table(store, "one")
    events = store.events("one")
    file = tmp_path / "file"
    file.write_text("not a folder")
    with pytest.raises(InputError, match="cannot be written"):
        archive(store, file, now=401 * DAY_MS)
    assert store.events("one") == events
    assert store.tables("closed") == ["one"]


def test_an_existing_file_is_not_overwritten(store: Store, tmp_path: Path) -> None:
    close_played_table(store, "one")
    events = store.events("one")
    existing = tmp_path / f"one-{sha256(b'one').hexdigest()[:8]}.jsonl"
    existing.write_text("something else")
    with pytest.raises(RuleViolation, match="already exists with different content"):
        archive(store, tmp_path, now=401 * DAY_MS)
    assert store.events("one") == events
    assert existing.read_text() == "something else"


def test_retention_is_never_negative() -> None:
    with pytest.raises(InputError, match=r"retention\.play_years"):
        Retention(play_years=-1)

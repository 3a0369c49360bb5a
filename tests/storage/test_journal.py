"""The journal: numbered, hash-chained, searchable, with balanced movements of money."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import sqlalchemy as sa

from croupier.core.errors import InputError
from croupier.storage import Store, reconciliation
from croupier.storage.ledger import Account
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import CAGE
from croupier.storage.sql import schema as s
from croupier.table import SYSTEM
from croupier.table.model.roles import Actor, Role
from tests.storage.postgres import Cluster

CASH, MORGAN, ADA = (
    Actor("Cash", Role.ACCOUNTING),
    Actor("Morgan", Role.SHIFT_MANAGER),
    Actor("Ada", Role.ADMINISTRATOR),
)


@pytest.fixture
def filled_store(store: Store) -> Store:
    """A store with five journal entries, two of which move money."""
    store.open_wallet("Pat")
    pat = (Account.ACCOUNT, "Pat")
    journal.enter(
        store, at=10, kind="sign_in_failed", by=Actor("Mallory", Role.SYSTEM), data={"address": "::1", "tries": 3}
    )
    journal.enter(store, at=20, kind="deposit", by=CASH, second=MORGAN, patron="Pat", moves=[(CAGE, pat, 50_00)])
    journal.enter(store, at=30, kind="funding", by=SYSTEM, patron="Pat", moves=[(CAGE, pat, 7_00)])
    journal.enter(store, at=40, kind="table_opened", by=ADA, table="Table 7", data={"edition": "pa-641a"})
    journal.enter(store, at=50, kind="configuration", by=ADA)
    return store


def numbers(entries: list[journal.JournalEntry]) -> list[int]:
    return [entry.number for entry in entries]


def test_entries_are_read_as_written(filled_store: Store) -> None:
    entries = journal.read(filled_store)
    assert numbers(entries) == [1, 2, 3, 4, 5]
    assert (entries[0].by.name, entries[0].data, entries[0].second) == ("Mallory", {"address": "::1", "tries": 3}, None)
    assert (entries[1].by, entries[1].second) == (CASH, MORGAN)
    assert entries[1].entries == {CAGE: -50_00, (Account.ACCOUNT, "Pat"): 50_00}
    assert (entries[2].by, entries[2].kind, entries[2].entries[CAGE]) == (SYSTEM, "funding", -7_00)
    assert filled_store.wallet("Pat") == 57_00
    assert reconciliation.ledger_total(filled_store.database) == 0
    assert reconciliation.find_wrong_wallets(filled_store.database) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kinds": ["deposit", "funding"]}, [2, 3]),
        ({"table": "Table 7"}, [4]),
        ({"actor": "Morgan"}, [2]),
        ({"actor": "Ada"}, [4, 5]),
        ({"patron": "Pat"}, [2, 3]),
        ({"since": 20, "until": 40}, [2, 3]),
        ({"last": 2}, [4, 5]),
        ({"patron": "Nobody"}, []),
    ],
)
def test_entries_are_found_by_kind_table_people_and_time(
    filled_store: Store, filters: dict[str, Any], expected: list[int]
) -> None:
    assert numbers(journal.read(filled_store, **filters)) == expected


CHANGES = [
    'UPDATE journal SET data = \'{"address": "::1", "tries": 4}\' WHERE number = 1',
    'UPDATE journal SET data = \'{"address":"::1", "tries": 3}\' WHERE number = 1',
    "UPDATE journal SET at = 21 WHERE number = 2",
    "UPDATE journal SET second = '' WHERE number = 2",
    "UPDATE journal SET role = 'system' WHERE number = 4",
    "UPDATE cage_entries SET amount = amount * 2 WHERE number = 2",
    "UPDATE cage_entries SET account = 'crate' WHERE number = 3 AND account = 'cage'",
    "DELETE FROM cage_entries WHERE number = 3",
    "DELETE FROM journal WHERE number = 4",
    "UPDATE journal SET number = 9 WHERE number = 4",
]


@pytest.mark.parametrize("change", CHANGES)
def test_log_2_any_change_is_detected(filled_store: Store, change: str) -> None:
    with filled_store.database.write_transaction() as connection:
        connection.execute(sa.text(change))
    with pytest.raises(InputError, match="journal, line"):
        journal.read(filled_store)


def test_an_entry_belongs_to_the_callers_transaction(filled_store: Store) -> None:
    with filled_store.database.write_transaction() as connection:
        journal.enter(connection, at=60, kind="backup", by=ADA)
        connection.rollback()
    assert numbers(journal.read(filled_store, since=60)) == []
    with filled_store.database.write_transaction() as connection:
        assert [journal.enter(connection, at=60, kind="backup", by=ADA) for _ in range(2)] == [6, 7]
    assert numbers(journal.read(filled_store, since=60)) == [6, 7]


def test_any_text_can_be_entered(store: Store) -> None:
    strange = 'half \ud800, zero \x00, \\ {a,b} "q" 牌'
    journal.enter(
        store, at=0, kind="sign_in_failed", by=Actor(strange, Role.SYSTEM), patron=strange, data={"text": strange}
    )
    (entry,) = journal.read(store)
    assert entry.data == {"text": strange}
    assert entry.by.name == 'half ?, zero ?, \\ {a,b} "q" 牌'


@pytest.mark.parametrize("cents", [0, -1])
def test_only_positive_amounts_can_be_moved(store: Store, cents: int) -> None:
    store.open_wallet("Pat")
    with pytest.raises(InputError, match="is not a positive amount"):
        journal.enter(store, at=0, kind="funding", by=SYSTEM, moves=[(CAGE, (Account.ACCOUNT, "Pat"), cents)])


def test_concurrent_processes_never_use_the_same_number(cluster: Cluster) -> None:
    url = cluster.new_database()
    stores = [Store(url) for _ in range(4)]

    def work(store: Store) -> None:
        for at in range(25):
            journal.enter(store, at=at, kind="configuration", by=ADA)

    threads = [threading.Thread(target=work, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert numbers(journal.read(stores[0])) == list(range(1, 101))
    with stores[0].database.read_transaction() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(s.cage_entries)).scalar_one() == 0
    for store in stores:
        store.close()

"""Group commit: many submissions, few transactions, answers after the commit only."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

from croupier.core.errors import CroupierError, InputError
from croupier.storage import (
    CommandEnvelope,
    CommandResult,
    GroupCommitWriter,
    StorageUnavailable,
    Store,
    reconciliation,
)
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from tests.storage.rounds import assert_whole, played, setup_of, state_of
from tests.support import run_in_thread


def buy(patron: int, cents: int = 1_00) -> c.Command:
    return c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {patron}", amount=cents)


def test_what_waits_goes_into_few_transactions(store: Store, tmp_path: pathlib.Path) -> None:
    names = [f"table {number}" for number in range(5)]
    for name in names:
        played(store, name, 0)
    writer = GroupCommitWriter(store)

    async def many() -> list[CommandResult]:
        asked = [writer.submit(CommandEnvelope(name, buy(1), f"{n}")) for n in range(30) for name in names]
        return await asyncio.gather(*asked)

    answers = run_in_thread(many())
    assert len(answers) == 150
    assert writer.commits < 50
    writer.close()
    for name in names:
        seqs = [answer.seq for answer in answers if answer.table == name]
        assert seqs == sorted(seqs), "in the order in which they came"
        assert store.table(name).balances["Pat 1"] == 1_000_000_00 + 30_00
        assert_whole(store, name, tmp_path)


def test_threads_get_their_answers_too_and_errors_are_their_own(store: Store) -> None:
    played(store, "one", 0)
    writer = GroupCommitWriter(store)
    good, bad = writer.send(CommandEnvelope("one", buy(1))), writer.send(CommandEnvelope("nowhere", buy(1)))
    assert good.result(30).seq == store.seq("one")
    with pytest.raises(InputError, match="there is no table 'nowhere'"):
        bad.result(30)
    writer.close()
    writer.close()
    with pytest.raises(StorageUnavailable, match="accepts no more commands"):
        writer.send(CommandEnvelope("one", buy(1)))


def test_closing_writes_what_waits(store: Store) -> None:
    played(store, "one", 0)
    writer = GroupCommitWriter(store, max_batch_size=3)
    futures = [writer.send(CommandEnvelope("one", buy(2))) for _ in range(20)]
    writer.close()
    assert all(future.done() for future in futures)
    assert store.table("one").balances["Pat 2"] == 1_000_020_00


def test_a_failed_commit_acknowledges_nobody_and_memory_goes_back(store: Store, tmp_path: pathlib.Path) -> None:
    """The database refuses entries of the ledger after it took the events; then it takes them again."""
    played(store, "one", 1)
    store.create(setup_of("two"), at=0)
    before, seq = state_of(store.table("one")), store.seq("one")
    writer = GroupCommitWriter(store)
    _forbid_ledger(store)
    futures = [
        writer.send(CommandEnvelope("one", buy(1), f"{number}", seq if not number else None)) for number in range(5)
    ]
    for future in futures:
        with pytest.raises(CroupierError, match="the ledger is shut"):
            future.result(30)
    assert (state_of(store.table("one")), store.seq("one")) == (before, seq)
    _forbid_ledger(store, False)
    assert writer.send(CommandEnvelope("one", buy(1), "0", seq)).result(30).repeated is False
    writer.close()
    assert reconciliation.ledger_total(store.database) == 0
    assert_whole(store, "one", tmp_path)


def _forbid_ledger(store: Store, shut: bool = True) -> None:
    if store.database.is_sqlite:
        raises = "BEGIN SELECT RAISE(FAIL, 'the ledger is shut'); END"
        on, off = f"CREATE TRIGGER shut BEFORE INSERT ON ledger {raises}", "DROP TRIGGER shut"
    else:
        body = "$$ BEGIN RAISE EXCEPTION 'the ledger is shut'; END $$ LANGUAGE plpgsql"
        function = f"CREATE OR REPLACE FUNCTION shut() RETURNS trigger AS {body}"
        on = f"{function}; CREATE TRIGGER shut BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION shut()"
        off = "DROP TRIGGER shut ON ledger"
    with store.database.write_transaction() as connection:
        connection.exec_driver_sql(on if shut else off)

"""Group commit: many commands in few transactions, acknowledged only after the commit."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

from croupier.core.errors import InputError, InvariantError
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
from tests.storage.rounds import assert_consistent, make_setup, play_rounds, state_of
from tests.support import run_in_thread


def buy(patron: int, cents: int = 1_00) -> c.Command:
    return c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {patron}", amount=cents)


def test_queued_commands_share_transactions(store: Store, tmp_path: pathlib.Path) -> None:
    names = [f"table {number}" for number in range(5)]
    for name in names:
        play_rounds(store, name, 0)
    writer = GroupCommitWriter(store.executor)

    async def submit_many() -> list[CommandResult]:
        submissions = [writer.submit(CommandEnvelope(name, buy(1), f"{n}")) for n in range(30) for name in names]
        return await asyncio.gather(*submissions)

    results = run_in_thread(submit_many())
    assert len(results) == 150
    assert writer.commits < 50
    writer.close()
    for name in names:
        seqs = [result.seq for result in results if result.table == name]
        assert seqs == sorted(seqs), "in the order of arrival"
        assert store.table(name).balances["Pat 1"] == 1_000_000_00 + 30_00
        assert_consistent(store, name, tmp_path)


def test_each_sender_gets_its_own_result_or_error(store: Store) -> None:
    play_rounds(store, "one", 0)
    writer = GroupCommitWriter(store.executor)
    good, bad = writer.send(CommandEnvelope("one", buy(1))), writer.send(CommandEnvelope("nowhere", buy(1)))
    assert good.result(30).seq == store.seq("one")
    with pytest.raises(InputError, match="there is no table 'nowhere'"):
        bad.result(30)
    writer.close()
    writer.close()
    with pytest.raises(StorageUnavailable, match="accepts no more commands"):
        writer.send(CommandEnvelope("one", buy(1)))


def test_closing_drains_the_queue(store: Store) -> None:
    play_rounds(store, "one", 0)
    writer = GroupCommitWriter(store.executor, max_batch_size=3)
    futures = [writer.send(CommandEnvelope("one", buy(2))) for _ in range(20)]
    writer.close()
    assert all(future.done() for future in futures)
    assert store.table("one").balances["Pat 2"] == 1_000_020_00


def test_a_failed_commit_acknowledges_nothing_and_rolls_back_memory(store: Store, tmp_path: pathlib.Path) -> None:
    """The database accepts the events but rejects the ledger entries, and later accepts both."""
    play_rounds(store, "one", 1)
    store.create(make_setup("two"), at=0)
    before, seq = state_of(store.table("one")), store.seq("one")
    writer = GroupCommitWriter(store.executor)
    _forbid_ledger(store)
    futures = [
        writer.send(CommandEnvelope("one", buy(1), f"{number}", seq if not number else None)) for number in range(5)
    ]
    # SQLite reports a row that a constraint forbids; PostgreSQL reports a failed statement.
    expected_error = InvariantError if store.database.is_sqlite else StorageUnavailable
    for future in futures:
        with pytest.raises(expected_error, match="the ledger is locked"):
            future.result(30)
    assert (state_of(store.table("one")), store.seq("one")) == (before, seq)
    _forbid_ledger(store, False)
    assert writer.send(CommandEnvelope("one", buy(1), "0", seq)).result(30).repeated is False
    writer.close()
    assert reconciliation.ledger_total(store.database) == 0
    assert_consistent(store, "one", tmp_path)


def _forbid_ledger(store: Store, is_forbidden: bool = True) -> None:
    if store.database.is_sqlite:
        body = "BEGIN SELECT RAISE(FAIL, 'the ledger is locked'); END"
        create, drop = f"CREATE TRIGGER ledger_lock BEFORE INSERT ON ledger {body}", "DROP TRIGGER ledger_lock"
    else:
        body = "$$ BEGIN RAISE EXCEPTION 'the ledger is locked'; END $$ LANGUAGE plpgsql"
        function = f"CREATE OR REPLACE FUNCTION ledger_lock() RETURNS trigger AS {body}"
        trigger = "CREATE TRIGGER ledger_lock BEFORE INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION ledger_lock()"
        create = f"{function}; {trigger}"
        drop = "DROP TRIGGER ledger_lock ON ledger"
    with store.database.write_transaction() as connection:
        connection.exec_driver_sql(create if is_forbidden else drop)

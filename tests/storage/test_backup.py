"""The backup and restore commands of docs/guides/storage.md, run while the store is in use."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from croupier.core.errors import RuleViolation
from croupier.storage import StorageUnavailable, Store
from croupier.storage.backup import backup
from croupier.table import SYSTEM
from croupier.table.model import commands as c
from tests.storage.postgres import EMPTY, Cluster, binaries
from tests.storage.rounds import assert_consistent, play_rounds, state_of


def test_a_sqlite_backup_taken_during_play_is_complete(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.db")
    session = play_rounds(store, "one", 2)
    backup(store, tmp_path / "copy.db")
    before = state_of(session.table)
    session.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat 1", amount=1_00))
    copy = Store(tmp_path / "copy.db")
    assert state_of(copy.table("one")) == before
    assert copy.seq("one") == store.seq("one") - 1
    assert_consistent(copy, "one", tmp_path)
    copy.close()
    store.close()
    for name in ("store.db", "store.db-wal", "store.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    shutil.copy(tmp_path / "copy.db", tmp_path / "store.db")
    store = Store(tmp_path / "store.db")
    assert state_of(store.table("one")) == before
    with pytest.raises(RuleViolation, match="already exists"):
        backup(store, tmp_path / "copy.db")
    with pytest.raises(StorageUnavailable, match="the file cannot be opened or created"):
        backup(store, tmp_path / "nowhere" / "copy.db")
    store.close()


def test_pg_dump_and_pg_restore_copy_a_store(cluster: Cluster, tmp_path: Path) -> None:
    source, target = cluster.new_database(), cluster.new_database(EMPTY)
    store = Store(source)
    play_rounds(store, "one", 2)
    with pytest.raises(RuleViolation, match="pg_dump"):
        backup(store, tmp_path / "copy.db")
    dump = str(tmp_path / "croupier.dump")
    for command in (
        ["pg_dump", "--format=custom", f"--file={dump}", source],
        ["pg_restore", "--single-transaction", "--no-owner", f"--dbname={target}", dump],
    ):
        program = str(binaries() / command[0])
        process = subprocess.run([program, *command[1:]], env=os.environ, capture_output=True, text=True, check=False)
        assert process.returncode == 0, process.stderr
    copy = Store(target)
    assert state_of(copy.table("one")) == state_of(store.table("one"))
    assert_consistent(copy, "one", tmp_path)
    copy.close()
    store.close()

"""The commands of docs/guides/storage.md for backup and restore, tried while the store is in use."""

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
from tests.storage.postgres import Cluster, binaries
from tests.storage.rounds import assert_whole, played, state_of


def test_a_backup_of_sqlite_taken_in_the_middle_is_a_whole_store(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.db")
    driver = played(store, "one", 2)
    backup(store, tmp_path / "copy.db")
    before = state_of(driver.table)
    driver.send(c.BuyIn(by=SYSTEM, at=0, patron="Pat 1", amount=1_00))
    copy = Store(tmp_path / "copy.db")
    assert state_of(copy.table("one")) == before
    assert copy.seq("one") == store.seq("one") - 1
    assert_whole(copy, "one", tmp_path)
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


def test_pg_dump_and_pg_restore(cluster: Cluster, tmp_path: Path) -> None:
    here, there = cluster.new_database(), cluster.new_database()
    store = Store(here)
    played(store, "one", 2)
    with pytest.raises(RuleViolation, match="pg_dump"):
        backup(store, tmp_path / "copy.db")
    dump = str(tmp_path / "croupier.dump")
    for command in (
        ["pg_dump", "--format=custom", f"--file={dump}", here],
        ["pg_restore", "--single-transaction", "--no-owner", f"--dbname={there}", dump],
    ):
        program = str(binaries() / command[0])
        done = subprocess.run([program, *command[1:]], env=os.environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    copy = Store(there)
    assert state_of(copy.table("one")) == state_of(store.table("one"))
    assert_whole(copy, "one", tmp_path)
    copy.close()
    store.close()

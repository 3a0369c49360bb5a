"""Files that hold money, secrets or names are their owner's alone, whatever the umask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.regulations import edition
from croupier.storage import StorageUnavailable, Store
from croupier.storage.archive import archive
from croupier.storage.backup import backup
from croupier.storage.private_files import database_files
from croupier.table.model.setup import build_demo_setup

UMASKS = (0o000, 0o022, 0o777)
YEAR_MILLISECONDS = 366 * 86_400_000


@pytest.fixture(params=UMASKS, ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o7777


@pytest.mark.usefixtures("umask")
def test_every_file_of_a_database_is_private(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.db", serialize_writers=True)
    store.create(build_demo_setup(edition("pa-682a").elect(), name="one"), at=0)
    files = [path for path in database_files(tmp_path / "house.db") if path.exists()]
    assert {path.name for path in files} == {"house.db", "house.db-wal", "house.db-shm", "house.db-turn"}
    backup(store, tmp_path / "copy.db")
    store.close_table("one")
    (archived,) = archive(store, tmp_path / "archive" / "closed", now=2 * YEAR_MILLISECONDS)
    assert {path.name: oct(mode_of(path)) for path in (*files, tmp_path / "copy.db", archived.path)} == dict.fromkeys(
        (*(path.name for path in files), "copy.db", archived.path.name), "0o600"
    )
    assert mode_of(tmp_path / "archive") == mode_of(tmp_path / "archive" / "closed") == 0o700
    store.close()


@pytest.mark.usefixtures("umask")
def test_the_default_database_is_in_a_private_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Store().close()
    assert mode_of(tmp_path / "data") == mode_of(tmp_path / "data" / "croupier") == 0o700
    assert mode_of(tmp_path / "data" / "croupier" / "croupier.db") == 0o600


def test_a_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.db")
    store.database.engine.dispose()
    (tmp_path / "house.db").write_bytes(b"\xa5" * 8192)
    with pytest.raises(StorageUnavailable, match="damaged"):
        backup(store, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    store.close()

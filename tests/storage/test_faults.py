"""Processes killed, disks full, files damaged, servers restarted: what was acknowledged is there, whole."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from croupier.storage import GroupCommitWriter, StorageUnavailable, Store, reconciliation
from croupier.storage.sql import schema as s
from croupier.table.automation import Automation
from croupier.table.procedure.shuffle import SeededShuffle
from tests.storage.killed_process import TABLES
from tests.storage.postgres import Cluster
from tests.storage.resumed_process import Players, created
from tests.storage.rounds import assert_whole, played

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str) -> str:
    command = [sys.executable, "-m", f"tests.storage.{module}", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_nothing_lost(store: Store, acknowledged: list[tuple[str, str, int, int]], folder: Path) -> None:
    """Every acknowledged command is stored with its events; every stored event belongs to one whole command."""
    names = {name for name, _, _, _ in acknowledged}
    with store.database.read_transaction() as connection:
        joined = sa.select(s.tables.c.name, s.commands).join(s.tables, s.tables.c.id == s.commands.c.table_id)
        stored = {(row.name, row.key): (row.first_seq, row.last_seq) for row in connection.execute(joined)}
    for name, key, first, last in acknowledged:
        assert stored[name, key] == (first, last)
    for name in names:
        spans = sorted(span for (table, _), span in stored.items() if table == name)
        numbers = [seq for first, last in spans for seq in range(first, last + 1)]
        assert numbers == [seq for seq, _ in store.events(name)], "each event belongs to one command, and all are there"
        assert_whole(store, name, folder)
    assert reconciliation.ledger_total(store.database) == 0


def test_gam_4_killed_again_and_again_while_playing(where: str, tmp_path: Path) -> None:
    run("killed_process", where, str(tmp_path / "acknowledged"), "8")
    lines = [line.split("\t") for line in (tmp_path / "acknowledged").read_text().splitlines()]
    acknowledged = [(name, key, int(first), int(last)) for name, key, first, last in lines]
    assert {name for name, *_ in acknowledged} == {f"table {number}" for number in range(TABLES)}
    assert {key.split()[1] for _, key, _, _ in acknowledged} == set("01234567"), (
        "each life went on where the last ended"
    )
    store = Store(where)
    assert_nothing_lost(store, acknowledged, tmp_path)
    store.close()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody can look into."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-faults-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def prepared(path: Path, rounds: int = 1) -> None:
    store = Store(path)
    played(store, "one", rounds)
    store.close()


def test_a_full_disk_acknowledges_nothing_and_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    prepared(path)
    found: dict[str, Any] = json.loads(run("full_disk", "full", str(path)))
    assert "nothing was acknowledged" in found["refused"]
    assert "\n" not in found["refused"]
    assert found["kept"] == found["acknowledged"]
    assert found["later"] == found["kept"] + 1, "it goes on once there is room"
    store = Store(path)
    assert store.seq("one") == found["later"]
    assert_whole(store, "one", tmp_path)
    store.close()


def test_a_read_only_file_is_refused_with_a_sentence(open_folder: Path) -> None:
    path = open_folder / "store.db"
    prepared(path)
    before = sha256(path.read_bytes()).hexdigest()
    refused = json.loads(run("full_disk", "read-only", str(path)))["refused"]
    assert "the file is read-only, so nothing can be stored" in refused
    assert sha256(path.read_bytes()).hexdigest() == before


@pytest.mark.parametrize(("start", "words"), [(0, "not a database, or is damaged"), (4096, "is damaged")])
def test_a_damaged_file_is_refused_with_a_sentence(tmp_path: Path, start: int, words: str) -> None:
    path = tmp_path / "store.db"
    prepared(path, rounds=20)
    data = bytearray(path.read_bytes())
    data[start : start + 60_000] = bytes(60_000 * [0xA5])
    path.write_bytes(data)
    with pytest.raises(StorageUnavailable, match=words) as refused:
        Store(path).table("one")
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == data, "what is left of it is kept for whoever rescues it"


def test_a_folder_that_is_not_there_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="the file cannot be opened or created"):
        Store(tmp_path / "nowhere" / "store.db")


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    """A server that a test may stop."""
    started = Cluster()
    yield started
    started.remove()


def test_postgresql_restarted_in_the_middle(own_cluster: Cluster, tmp_path: Path) -> None:
    store = Store(own_cluster.new_database())
    players = Players(store, created(store, 4), Automation(SeededShuffle("restarted")))
    writer, stop = GroupCommitWriter(store), threading.Event()
    acknowledged: list[tuple[str, str, int, int]] = []
    refused: list[str] = []

    def play() -> None:
        nonlocal players
        turn = 0
        while not stop.is_set():
            turn += 1
            try:
                acknowledged.extend(players.step(writer, f"turn {turn}"))
            except StorageUnavailable as error:
                refused.append(str(error))
                time.sleep(0.05)
                players = _again(store, players)

    thread = threading.Thread(target=play)
    thread.start()
    for how in ("immediate", "fast"):
        _until(acknowledged, len(acknowledged) + 40)
        known = len(refused)
        own_cluster.stop(how)
        _until(refused, known + 1)
        own_cluster.start()
    _until(acknowledged, len(acknowledged) + 40)
    stop.set()
    thread.join(60)
    writer.close()
    assert refused
    assert all("cannot be reached, so nothing was acknowledged" in sentence for sentence in refused), set(refused)
    assert_nothing_lost(store, acknowledged, tmp_path)
    store.close()


def _again(store: Store, players: Players) -> Players:
    """The players look at the tables again, as soon as there is a database to look into."""
    while True:
        try:
            return Players(store, players.names, players.automation)
        except StorageUnavailable:
            time.sleep(0.05)


def _until(found: Sequence[object], count: int) -> None:
    for _ in range(1200):
        if len(found) >= count:
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that within a minute")

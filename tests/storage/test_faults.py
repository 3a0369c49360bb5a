"""Killed processes, full disks, damaged files, restarted servers: acknowledged commands are never lost."""

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
from tests.storage.resumed_process import Players, create_tables
from tests.storage.rounds import assert_consistent, play_rounds

ROOT = Path(__file__).parents[2]


def run(module: str, *arguments: str) -> str:
    command = [sys.executable, "-m", f"tests.storage.{module}", *arguments]
    process = subprocess.run(
        command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=300, check=False
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def assert_all_stored(store: Store, acknowledged: list[tuple[str, str, int, int]], folder: Path) -> None:
    """Every acknowledged command is stored with its events, and every event belongs to exactly one command."""
    names = {name for name, _, _, _ in acknowledged}
    with store.database.read_transaction() as connection:
        joined = sa.select(s.tables.c.name, s.commands).join(s.tables, s.tables.c.id == s.commands.c.table_id)
        stored = {(row.name, row.key): (row.first_seq, row.last_seq) for row in connection.execute(joined)}
    for name, key, first, last in acknowledged:
        assert stored[name, key] == (first, last)
    for name in names:
        spans = sorted(span for (table, _), span in stored.items() if table == name)
        numbers = [seq for first, last in spans for seq in range(first, last + 1)]
        assert numbers == [seq for seq, _ in store.events(name)], (
            "each event belongs to one command, and none is missing"
        )
        assert_consistent(store, name, folder)
    assert reconciliation.ledger_total(store.database) == 0


def test_gam_4_no_acknowledged_command_is_lost_when_the_process_is_killed(database_url: str, tmp_path: Path) -> None:
    run("killed_process", database_url, str(tmp_path / "acknowledged"), "8")
    lines = [line.split("\t") for line in (tmp_path / "acknowledged").read_text().splitlines()]
    acknowledged = [(name, key, int(first), int(last)) for name, key, first, last in lines]
    assert {name for name, *_ in acknowledged} == {f"table {number}" for number in range(TABLES)}
    assert {key.split()[1] for _, key, _, _ in acknowledged} == set("01234567"), (
        "each process continued where the previous one ended"
    )
    store = Store(database_url)
    assert_all_stored(store, acknowledged, tmp_path)
    store.close()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can read."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-faults-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def create_played_store(path: Path, rounds: int = 1) -> None:
    store = Store(path)
    play_rounds(store, "one", rounds)
    store.close()


def test_a_full_disk_acknowledges_nothing_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    create_played_store(path)
    outcome: dict[str, Any] = json.loads(run("full_disk", "full", str(path)))
    assert "nothing was acknowledged" in outcome["refused"]
    assert "\n" not in outcome["refused"]
    assert outcome["stored"] == outcome["acknowledged"]
    assert outcome["later"] == outcome["stored"] + 1, "it continues once there is space"
    store = Store(path)
    assert store.seq("one") == outcome["later"]
    assert_consistent(store, "one", tmp_path)
    store.close()


def test_a_read_only_file_is_refused_in_one_sentence(open_folder: Path) -> None:
    path = open_folder / "store.db"
    create_played_store(path)
    before = sha256(path.read_bytes()).hexdigest()
    reason = json.loads(run("full_disk", "read-only", str(path)))["refused"]
    assert "the file is read-only, so nothing can be stored" in reason
    assert sha256(path.read_bytes()).hexdigest() == before


@pytest.mark.parametrize(("start", "message"), [(0, "not a database, or is damaged"), (4096, "is damaged")])
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path, start: int, message: str) -> None:
    path = tmp_path / "store.db"
    create_played_store(path, rounds=20)
    data = bytearray(path.read_bytes())
    data[start : start + 60_000] = bytes(60_000 * [0xA5])
    path.write_bytes(data)
    with pytest.raises(StorageUnavailable, match=message) as refused:
        Store(path).table("one")
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == data, "the damaged file is left as it is, for recovery"


def test_a_missing_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="the file cannot be opened or created"):
        Store(tmp_path / "nowhere" / "store.db")


@pytest.fixture
def stoppable_cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that the test may stop."""
    server = Cluster()
    yield server
    server.remove()


def test_a_postgresql_restart_during_play_loses_nothing(stoppable_cluster: Cluster, tmp_path: Path) -> None:
    store = Store(stoppable_cluster.new_database())
    players = Players(store, create_tables(store, 4), Automation(SeededShuffle("restarted")))
    writer, stop = GroupCommitWriter(store.executor), threading.Event()
    acknowledged: list[tuple[str, str, int, int]] = []
    refusals: list[str] = []

    def play() -> None:
        nonlocal players
        turn = 0
        while not stop.is_set():
            turn += 1
            try:
                acknowledged.extend(players.step(writer, f"turn {turn}"))
            except StorageUnavailable as error:
                refusals.append(str(error))
                time.sleep(0.05)
                players = _reload_players(store, players)

    thread = threading.Thread(target=play)
    thread.start()
    for mode in ("immediate", "fast"):
        _wait_for_length(acknowledged, len(acknowledged) + 40)
        count = len(refusals)
        stoppable_cluster.stop(mode)
        _wait_for_length(refusals, count + 1)
        stoppable_cluster.start()
    _wait_for_length(acknowledged, len(acknowledged) + 40)
    stop.set()
    thread.join(60)
    writer.close()
    assert refusals
    assert all("cannot be reached, so nothing was acknowledged" in sentence for sentence in refusals), set(refusals)
    assert_all_stored(store, acknowledged, tmp_path)
    store.close()


def _reload_players(store: Store, players: Players) -> Players:
    """Reloads the tables as soon as the database is available again."""
    while True:
        try:
            return Players(store, players.names, players.automation)
        except StorageUnavailable:
            time.sleep(0.05)


def _wait_for_length(items: Sequence[object], count: int) -> None:
    for _ in range(1200):
        if len(items) >= count:
            return
        time.sleep(0.05)
    raise AssertionError("not reached within a minute")

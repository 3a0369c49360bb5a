"""Short runs of the fault tests; `python -m tests.faults` has the long ones."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.client import RequestFailed
from tests.faults.kills import kill_repeatedly, open_tables
from tests.faults.outages import fill_disk, restart_postgresql
from tests.faults.players import Player
from tests.faults.servers import Server
from tests.storage.postgres import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    server = Cluster()
    yield server
    server.remove()


def test_a_killed_server_loses_nothing_on_sqlite(tmp_path: Path) -> None:
    totals = kill_repeatedly(str(tmp_path / "store.db"), tmp_path, times=1, chance=random.Random())
    assert totals["acknowledged"] > 0


@pytest.mark.slow
def test_a_killed_server_loses_nothing_on_postgresql(tmp_path: Path, cluster: Cluster) -> None:
    totals = kill_repeatedly(cluster.new_database(), tmp_path, times=2, chance=random.Random())
    assert totals["acknowledged"] > 0


def test_a_postgresql_crash_is_reported_and_survived(tmp_path: Path, cluster: Cluster) -> None:
    totals = restart_postgresql(cluster, tmp_path, times=1, tables=2)
    assert totals["unavailable"] > 0


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    assert fill_disk(tmp_path, tables=1)["unavailable"] > 0


def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_tables(str(path), 1)
    data = bytearray(path.read_bytes())
    data[0:100] = b"x" * 100
    path.write_bytes(data)
    command = [sys.executable, "-m", "croupier", "serve", "--database", str(path), "--port", "0"]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert process.returncode == 2
    assert "Traceback" not in process.stderr
    assert "damaged" in process.stderr or "not a database" in process.stderr
    assert path.read_bytes() == bytes(data)


def test_a_changed_event_stops_only_its_own_table(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "store.db"
    names = open_tables(str(path), 2)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE events SET data = replace(data, 'CardsInspected', 'CardsWashed') WHERE table_id = 1")
    connection.close()
    server = Server(str(path), tmp_path / "server.log")
    url = server.start()
    with pytest.raises(RequestFailed, match="changed"):
        Player(url, names[0])
    other = Player(url, names[1])
    other.start()
    other.end()
    assert not other.errors
    assert server.stop() == 0
    assert "Traceback" not in (tmp_path / "server.log").read_text()

"""Short versions of the faults; `python -m tests.faults` runs them by the hundred."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.client import RequestFailed
from tests.faults.kills import kill_again_and_again, open_tables
from tests.faults.outages import fill_the_disk, restart_postgresql
from tests.faults.players import Player
from tests.faults.servers import Server
from tests.storage.postgres import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    started = Cluster()
    yield started
    started.remove()


def test_a_server_that_is_killed_loses_nothing_on_sqlite(tmp_path: Path) -> None:
    said = kill_again_and_again(str(tmp_path / "store.db"), tmp_path, times=3)
    assert said["acknowledged"] > 0


def test_a_server_that_is_killed_loses_nothing_on_postgresql(tmp_path: Path, cluster: Cluster) -> None:
    said = kill_again_and_again(cluster.new_database(), tmp_path, times=2)
    assert said["acknowledged"] > 0


def test_a_crash_of_postgresql_is_told_and_survived(tmp_path: Path, cluster: Cluster) -> None:
    said = restart_postgresql(cluster, tmp_path, times=1, tables=2)
    assert said["told_so"] > 0


def test_a_full_disk_is_told_and_keeps_what_was_there(tmp_path: Path) -> None:
    assert fill_the_disk(tmp_path, tables=1)["told_so"] > 0


def test_a_damaged_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_tables(str(path), 1)
    data = bytearray(path.read_bytes())
    data[0:100] = b"x" * 100
    path.write_bytes(data)
    command = [sys.executable, "-m", "croupier", "serve", "--database", str(path), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "damaged" in done.stderr or "not a database" in done.stderr
    assert path.read_bytes() == bytes(data)


def test_an_event_that_was_changed_stops_its_table_and_no_other(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "store.db"
    names = open_tables(str(path), 2)
    with sqlite3.connect(path) as changed:
        changed.execute("UPDATE events SET data = replace(data, 'CardsInspected', 'CardsWashed') WHERE table_id = 1")
    changed.close()
    server = Server(str(path), tmp_path / "server.log")
    url = server.start()
    with pytest.raises(RequestFailed, match="changed"):
        Player(url, names[0])
    other = Player(url, names[1])
    other.start()
    other.end()
    assert not other.broken
    assert server.stop() == 0
    assert "Traceback" not in (tmp_path / "server.log").read_text()

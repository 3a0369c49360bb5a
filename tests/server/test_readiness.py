"""`/healthz` says that the process lives, `/readyz` that commands can be carried out; both are true and cheap."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.client import Client, RequestFailed
from croupier.server import readiness
from croupier.server.readiness import CachedCheck
from croupier.server.services import play_table
from croupier.storage import Store
from croupier.storage.sql.database import Database
from tests.server.processes import Process
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, run_server
from tests.storage.postgres import Cluster

DAMAGE = b"\xa5" * 4096


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(readiness, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(readiness, "PROBE_SECONDS", 0.0)
    monkeypatch.setattr(readiness, "MIN_SCRUB_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(readiness, "SCRUB_PAUSE_FACTOR", 0)
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def unready(client: Client) -> str:
    """Why the server is not ready; it is alive all the same."""
    with pytest.raises(RequestFailed) as refused:
        client.get("/readyz")
    assert refused.value.status == 503
    assert client.get("/healthz")["healthy"]
    return refused.value.reason


def wait_until_ready(client: Client) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while True:
        try:
            assert client.get("/readyz") == {"ready": True}
            return
        except RequestFailed:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_sound_server_is_alive_and_ready(server: Server) -> None:
    client = server.anonymous_client()
    assert client.get("/healthz")["healthy"]
    assert client.get("/readyz") == {"ready": True}


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def test_a_locked_file_is_not_ready(server: Server, tmp_path: Path) -> None:
    client = server.anonymous_client()
    with locked_file(tmp_path / "house.db"):
        assert unready(client) in (readiness.SLOW, "another program has locked the file")
    wait_until_ready(client)


FULL_DISK = (
    "the disk is full, so nothing was acknowledged; what was stored before is kept",
    "the disk cannot be read or written, so nothing was acknowledged",
)


@contextmanager
def full_disk(process: int = 0) -> Iterator[None]:
    """No file of a process, by default this one, grows beyond one page."""
    soft, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_not_ready(server: Server) -> None:
    client = server.anonymous_client()
    assert client.get("/readyz") == {"ready": True}
    with full_disk():
        reason = unready(client)
    assert reason in FULL_DISK
    wait_until_ready(client)


@pytest.mark.slow
def test_a_process_with_a_full_disk_is_not_ready(tmp_path: Path) -> None:
    process = Process(str(tmp_path / "house.db"), tmp_path, environment={"CROUPIER_OPEN": "pa-682a"})
    with Client(process.address, timeout=TIMEOUT_SECONDS) as client:
        assert client.get("/readyz") == {"ready": True}
        with full_disk(process.child.pid):
            time.sleep(readiness.PROBE_SECONDS)
            assert unready(client) in FULL_DISK
        wait_until_ready(client)
    assert process.stop() == 0
    process.assert_clean()


def test_a_damaged_page_is_not_ready(server: Server, tmp_path: Path) -> None:
    path, client = tmp_path / "house.db", server.anonymous_client()
    server.open_table(play_table("pa-682a"))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
    wait_until_ready(client)
    sound = path.read_bytes()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(DAMAGE)
    assert unready(client) == readiness.DAMAGED
    path.write_bytes(sound)


@pytest.mark.parametrize("is_stuck", [True, False])
def test_a_writer_that_is_stuck_or_closed_is_not_ready(server: Server, is_stuck: bool) -> None:
    client = server.anonymous_client()
    if is_stuck:
        release, acquired = threading.Event(), threading.Event()

        def hold() -> None:
            with server.store.executor.lock:
                acquired.set()
                release.wait(TIMEOUT_SECONDS)

        holder = threading.Thread(target=hold)
        holder.start()
        acquired.wait(TIMEOUT_SECONDS)
        assert unready(client) == readiness.SLOW
        release.set()
        holder.join()
        wait_until_ready(client)
    else:
        server.tables.writer.close()
        for path in ("/readyz", "/healthz"):
            with pytest.raises(RequestFailed) as refused:
                client.get(path)
            assert refused.value.status == 503, "without a writer only a restart helps"


def test_a_database_that_takes_no_connections_is_not_ready(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "PROBE_SECONDS", 0.0)
    url = cluster.new_database()
    name, other = url.rpartition("/")[2], Database(cluster.new_database())
    with run_server(url) as server:
        client = server.anonymous_client()
        wait_until_ready(client)
        with other.write_transaction() as connection:
            connection.exec_driver_sql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        with other.write_transaction() as connection:
            connection.exec_driver_sql(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608
            )
        assert "cannot be reached" in unready(client)
        with other.write_transaction() as connection:
            connection.exec_driver_sql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        wait_until_ready(client)
    other.close()


@pytest.mark.slow
def test_a_lost_database_server_is_not_ready(tmp_path: Path) -> None:
    cluster = Cluster()
    try:
        with run_server(cluster.new_database()) as server:
            client = server.anonymous_client()
            wait_until_ready(client)
            cluster.stop("immediate")
            time.sleep(readiness.PROBE_SECONDS)
            reason = unready(client)
            assert "cannot be reached" in reason
            assert "127.0.0.1" not in reason
            assert "/" not in reason
            cluster.start()
            wait_until_ready(client)
    finally:
        cluster.remove()


def test_many_requests_cost_one_check_and_leave_the_threads_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the file is locked, more requests wait for readiness than the pool has threads; others are served."""
    monkeypatch.setattr(readiness, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(readiness, "PROBE_SECONDS", 0.0)
    web = replace(TEST_CONFIG.web, requests_per_second=0)
    with run_server(str(tmp_path / "house.db"), replace(TEST_CONFIG, web=web)) as server:
        client = server.anonymous_client()
        client.get("/readyz")  # its result is too old at once, later ones are good for a minute
        monkeypatch.setattr(readiness, "PROBE_SECONDS", 60.0)
        probes, scrubs = server.services.readiness.probe.runs, server.services.readiness.scrub.runs
        threads = threading.active_count()
        with locked_file(tmp_path / "house.db"), ThreadPoolExecutor(100) as pool:
            waiting = [pool.submit(unready, server.anonymous_client()) for _ in range(100)]
            assert client.get("/api/editions"), "this needs a thread of the pool"
            reasons = [future.result(TIMEOUT_SECONDS) for future in waiting]
            assert threading.active_count() <= threads + 100 + 8
        assert set(reasons) <= {readiness.SLOW, "another program has locked the file"}
        assert server.services.readiness.probe.runs <= probes + 3
        assert server.services.readiness.scrub.runs <= scrubs + 3


def test_a_result_is_reused_and_a_check_never_runs_twice_at_once() -> None:
    started: list[Future[None]] = []

    def start() -> Future[None]:
        started.append(Future())
        return started[-1]

    async def ask(check: CachedCheck) -> tuple[list[str], list[str]]:
        pending = [asyncio.ensure_future(check.problem(TIMEOUT_SECONDS, "slow")) for _ in range(50)]
        await asyncio.sleep(0)
        started[0].set_result(None)
        return await asyncio.gather(*pending), [await check.problem(0, "slow") for _ in range(50)]

    check = CachedCheck(start, lambda seconds: TIMEOUT_SECONDS)
    assert asyncio.run(ask(check)) == ([""] * 50, [""] * 50)
    assert len(started) == 1


def test_a_probe_changes_no_row_and_no_digest(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.db")
    store.create(play_table("pa-682a"), at=0)

    def dump() -> list[str]:
        with closing(sqlite3.connect(tmp_path / "house.db")) as connection:
            return list(connection.iterdump())

    before = dump()
    store.executor.probe()
    assert dump() == before
    store.close()

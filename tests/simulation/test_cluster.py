"""Tests with a real Dask cluster of several worker processes, one of which is killed mid-run."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from croupier.core.errors import InputError
from croupier.simulation.cluster import cluster_executor, require_scheduler
from croupier.simulation.kernel.program import CHUNK_ROUNDS
from croupier.simulation.runner import simulate, thread_executor
from tests.simulation.jobs import BOARD, job_of, table_job

pytestmark = pytest.mark.filterwarnings("ignore")


@contextmanager
def cluster_of(workers: int) -> Iterator[Any]:
    from distributed import LocalCluster

    local_cluster: Any = LocalCluster
    with local_cluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as local:
        yield local


@pytest.mark.slow
def test_a_killed_worker_does_not_change_the_result() -> None:
    with cluster_of(3) as cluster:
        check_killed_worker(cluster)


def check_killed_worker(cluster: Any) -> None:
    job = table_job()
    rounds = 6 * CHUNK_ROUNDS + 77
    victim = cluster.workers[0].pid
    rounds_at_kill: list[int] = []

    def kill_worker(rounds_done: int) -> None:
        if rounds_done >= 2 * CHUNK_ROUNDS and not rounds_at_kill:
            os.kill(victim, signal.SIGKILL)
            rounds_at_kill.append(rounds_done)

    tally = simulate(job, rounds, 5, cluster_executor(cluster.scheduler_address), progress=kill_worker)
    assert rounds_at_kill
    assert rounds_at_kill[0] < rounds
    assert tally.state() == simulate(job, rounds, 5, thread_executor(2)).state()


def test_the_program_and_its_strategy_are_sent_to_a_worker() -> None:
    job, optimal = job_of(*BOARD, "always 1x"), job_of(*BOARD)
    with cluster_of(1) as cluster:
        tally = simulate(job, 2 * CHUNK_ROUNDS, 5, cluster_executor(cluster.scheduler_address))
    assert tally.state() == simulate(job, 2 * CHUNK_ROUNDS, 5).state() != simulate(optimal, 2 * CHUNK_ROUNDS, 5).state()


def test_a_missing_scheduler_is_refused() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free_port = probe.getsockname()[1]
    with pytest.raises(InputError, match=f"no Dask scheduler at tcp://127.0.0.1:{free_port}"):
        require_scheduler(f"tcp://127.0.0.1:{free_port}")
    for address in ("nonsense", "host:8786", "tcp://", "tcp://host", "tcp://host:99999999", "http://host:80"):
        with pytest.raises(InputError, match="is not an address"):
            require_scheduler(address)


def test_a_server_that_is_no_scheduler_is_refused() -> None:
    """The server accepts the connection and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        connections: list[socket.socket] = []
        thread = threading.Thread(target=lambda: connections.extend(server.accept()[0] for _ in range(2)), daemon=True)
        thread.start()
        with pytest.raises(InputError, match="no Dask scheduler"):
            require_scheduler(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        for connection in connections:
            connection.close()

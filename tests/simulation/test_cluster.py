"""A real Dask cluster of several worker processes, one of them killed in mid-run."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from croupier.core.errors import InputError
from croupier.simulation.cluster import cluster_executor, require_scheduler
from croupier.simulation.kernel.program import CHUNK_ROUNDS
from croupier.simulation.runner import simulate, thread_executor
from tests.simulation.jobs import job_of

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    made: Any = LocalCluster
    with made(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as running:
        yield running


def test_a_killed_worker_does_not_change_a_digit(cluster: Any) -> None:
    job = job_of("pa-679a", 3, "optimal", 400)
    rounds = 6 * CHUNK_ROUNDS + 77
    victim = cluster.workers[0].pid
    killed: list[int] = []

    def kill_one(done: int) -> None:
        if done >= 2 * CHUNK_ROUNDS and not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(done)

    found = simulate(job, rounds, 5, cluster_executor(cluster.scheduler_address), progress=kill_one)
    assert killed
    assert killed[0] < rounds
    assert found.state() == simulate(job, rounds, 5, thread_executor(2)).state()


def test_a_strategy_of_the_users_travels_with_the_work(cluster: Any) -> None:
    job = job_of("pa-679a", 1, "always play")
    found = simulate(job, 2 * CHUNK_ROUNDS, 5, cluster_executor(cluster.scheduler_address))
    assert found.state() == simulate(job, 2 * CHUNK_ROUNDS, 5).state()


def test_a_scheduler_that_is_not_there_is_refused() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        free = taken.getsockname()[1]
    with pytest.raises(InputError, match=f"no Dask scheduler at tcp://127.0.0.1:{free}"):
        require_scheduler(f"tcp://127.0.0.1:{free}")
    for address in ("nonsense", "host:8786", "tcp://", "tcp://host", "tcp://host:99999999", "http://host:80"):
        with pytest.raises(InputError, match="is not an address"):
            require_scheduler(address)


def test_something_else_that_listens_is_refused_too() -> None:
    """A server that takes the connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        answered: list[socket.socket] = []
        thread = threading.Thread(target=lambda: answered.extend(server.accept()[0] for _ in range(2)), daemon=True)
        thread.start()
        with pytest.raises(InputError, match="no Dask scheduler"):
            require_scheduler(f"tcp://127.0.0.1:{server.getsockname()[1]}")
        for connection in answered:
            connection.close()

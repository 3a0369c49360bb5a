"""The same work on a Dask cluster: chunks go to an existing scheduler and come back in order.

The program travels as one task of its own, not with every chunk, and not as scattered data: a scheduler
can compute a task again when the worker that held its result has died.
"""

from __future__ import annotations

import logging
import pickle
import zlib
from collections import deque
from collections.abc import Iterator
from typing import Any

from croupier.errors import Malformed
from croupier.simulation.job import Job
from croupier.simulation.program import Chunk, Program
from croupier.simulation.running import AHEAD, Computed

CONNECT_SECONDS = 5
WORKER_SECONDS = 10
RETRIES = 10
"""How often a chunk may be lost with its worker."""


def frozen(program: Program) -> bytes:
    """A program packed to travel."""
    return zlib.compress(pickle.dumps(program), 1)


def thawed(packed: bytes) -> Program:
    """A program that arrived; it is compiled where it is."""
    program: Program = pickle.loads(zlib.decompress(packed))  # noqa: S301 - Dask itself sends pickles
    program.compiled()
    return program


def run_chunk(program: Program, seed: int, number: int, rounds: int) -> Chunk:
    """One chunk, on a worker."""
    return program.chunk(seed, number, rounds)


def on_cluster(address: str) -> Computed:
    """Computes chunks on the workers of a scheduler; refuses one that is not there within seconds."""
    client = _connect(address)

    def compute(job: Job, seed: int, rounds: int, numbers: range) -> Iterator[Chunk]:
        try:
            yield from _compute(client, job, seed, rounds, numbers)
        finally:
            client.close()

    return compute


def _compute(client: Any, job: Job, seed: int, rounds: int, numbers: range) -> Iterator[Chunk]:
    program = client.submit(thawed, frozen(job.program), key=f"croupier-program-{job.digest}", retries=RETRIES)
    waiting: deque[Any] = deque()
    for number in numbers:
        key = f"croupier-chunk-{job.digest}-{seed}-{rounds}-{number}"
        waiting.append(client.submit(run_chunk, program, seed, number, rounds, key=key, retries=RETRIES))
        if len(waiting) >= AHEAD * max(sum(client.nthreads().values()), 1):
            yield _result(waiting.popleft())
    while waiting:
        yield _result(waiting.popleft())


def _result(future: Any) -> Chunk:
    from distributed import KilledWorker

    try:
        found: Chunk = future.result()
    except KilledWorker as error:
        raise Malformed("cluster", "workers of the cluster keep dying with this work; look at their logs") from error
    except ImportError as error:
        raise Malformed("cluster", f"a worker lacks a part of Croupier: {error}") from error
    return found


def _connect(address: str) -> Any:
    try:
        import distributed
    except ImportError as error:
        raise Malformed("cluster", "needs Dask: pip install croupier[cluster]") from error
    connect: Any = distributed.Client
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client: Any = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        raise Malformed("cluster", f"there is no Dask scheduler at {address}") from error
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError as error:
        client.close()
        raise Malformed("cluster", f"the scheduler at {address} has no workers") from error
    return client

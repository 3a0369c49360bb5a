"""The same work on a Dask cluster: chunks go to an existing scheduler and come back in order.

The program travels as one task of its own, not with every chunk, and not as scattered data: a scheduler
can compute a task again when the worker that held its result has died.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import socket
import zlib
from collections import deque
from collections.abc import Iterator
from importlib.util import find_spec
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


def require_scheduler(address: str) -> None:
    """Refuses an address where no scheduler answers, within seconds."""
    if find_spec("distributed") is None:
        raise Malformed("cluster", "needs Dask: pip install croupier[cluster]")
    if not re.fullmatch(r"(tcp|tls)://[^\s/:]+:\d{1,5}", address):
        raise Malformed("cluster", f"{address!r} is not an address such as tcp://host:8786")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        with socket.create_connection((host, int(port)), CONNECT_SECONDS):
            pass  # Dask would go on trying where nobody listens
        found = asyncio.run(asyncio.wait_for(_identity(address), CONNECT_SECONDS))
    except (OSError, TimeoutError, ValueError, OverflowError, EOFError) as error:
        raise Malformed("cluster", f"there is no Dask scheduler at {address}") from error
    if found != "Scheduler":
        raise Malformed("cluster", f"there is no Dask scheduler at {address}, but a {found}")


def _connect(address: str) -> Any:
    import distributed

    require_scheduler(address)
    connect: Any = distributed.Client
    client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError as error:
        client.close()
        raise Malformed("cluster", f"the scheduler at {address} has no workers") from error
    return client


async def _identity(address: str) -> str:
    """What answers at an address; a client would go on trying where nothing does."""
    from distributed.comm import core

    connect: Any = core.connect
    comm = await connect(address, timeout=CONNECT_SECONDS)
    try:
        await comm.write({"op": "identity", "reply": True})
        return str((await comm.read())["type"])
    finally:
        await comm.close()

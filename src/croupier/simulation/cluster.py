"""Runs chunks on a Dask cluster and yields the results in order.

The program is submitted as one task, not with every chunk and not as scattered data: the scheduler can
recompute a task if the worker that held its result dies.
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

from croupier.core.errors import InputError
from croupier.core.extras import install_hint
from croupier.simulation.job import Job
from croupier.simulation.kernel.program import Chunk, Program
from croupier.simulation.runner import CHUNKS_PER_WORKER, ChunkExecutor

CONNECT_TIMEOUT_SECONDS = 5
WORKER_TIMEOUT_SECONDS = 10
MAX_CHUNK_RETRIES = 10
"""How often a chunk is retried after its worker dies."""


def pack_program(program: Program) -> bytes:
    """Serializes a program."""
    return zlib.compress(pickle.dumps(program), 1)


def unpack_program(packed: bytes) -> Program:
    """Deserializes a program and compiles it on the worker."""
    program: Program = pickle.loads(zlib.decompress(packed))  # noqa: S301 - Dask itself sends pickles
    program.compiled()
    return program


def run_chunk(program: Program, seed: int, number: int, rounds: int) -> Chunk:
    """Computes one chunk on a worker."""
    return program.chunk(seed, number, rounds)


def cluster_executor(address: str) -> ChunkExecutor:
    """An executor on the workers of a scheduler; refuses an address where none answers within the timeout."""
    client = _connect(address)

    def compute(job: Job, seed: int, rounds: int, numbers: range) -> Iterator[Chunk]:
        try:
            yield from _compute(client, job, seed, rounds, numbers)
        finally:
            client.close()

    return compute


def _compute(client: Any, job: Job, seed: int, rounds: int, numbers: range) -> Iterator[Chunk]:
    program = client.submit(
        unpack_program, pack_program(job.program), key=f"croupier-program-{job.digest}", retries=MAX_CHUNK_RETRIES
    )
    pending: deque[Any] = deque()
    for number in numbers:
        key = f"croupier-chunk-{job.digest}-{seed}-{rounds}-{number}"
        pending.append(client.submit(run_chunk, program, seed, number, rounds, key=key, retries=MAX_CHUNK_RETRIES))
        if len(pending) >= CHUNKS_PER_WORKER * max(sum(client.nthreads().values()), 1):
            yield _result(pending.popleft())
    while pending:
        yield _result(pending.popleft())


def _result(future: Any) -> Chunk:
    from distributed import KilledWorker

    try:
        chunk: Chunk = future.result()
    except KilledWorker as error:
        raise InputError("cluster", "the cluster's workers keep dying on this job; check their logs") from error
    except ImportError as error:
        raise InputError("cluster", f"a worker is missing a part of Croupier: {error}") from error
    return chunk


def require_scheduler(address: str) -> None:
    """Refuses an address where no scheduler answers within the timeout."""
    if find_spec("distributed") is None:
        raise InputError("cluster", f"needs Dask: {install_hint('cluster')}")
    if not re.fullmatch(r"(tcp|tls)://[^\s/:]+:\d{1,5}", address):
        raise InputError("cluster", f"{address!r} is not an address such as tcp://host:8786")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        with socket.create_connection((host, int(port)), CONNECT_TIMEOUT_SECONDS):
            pass  # Dask would keep retrying a closed port
        role = asyncio.run(asyncio.wait_for(_identity(address), CONNECT_TIMEOUT_SECONDS))
    except (OSError, TimeoutError, ValueError, OverflowError, EOFError) as error:
        raise InputError("cluster", f"there is no Dask scheduler at {address}") from error
    if role != "Scheduler":
        raise InputError("cluster", f"there is no Dask scheduler at {address}, but a {role}")


def _connect(address: str) -> Any:
    import distributed

    require_scheduler(address)
    connect: Any = distributed.Client
    client = connect(address, timeout=CONNECT_TIMEOUT_SECONDS, set_as_default=False)
    try:
        client.wait_for_workers(1, timeout=WORKER_TIMEOUT_SECONDS)
    except TimeoutError as error:
        client.close()
        raise InputError("cluster", f"the scheduler at {address} has no workers") from error
    return client


async def _identity(address: str) -> str:
    """The role of the process at an address; a Dask client would keep retrying if there is none."""
    from distributed.comm import core

    connect: Any = core.connect
    comm = await connect(address, timeout=CONNECT_TIMEOUT_SECONDS)
    try:
        await comm.write({"op": "identity", "reply": True})
        return str((await comm.read())["type"])
    finally:
        await comm.close()

"""Runs a job on local threads; the main thread adds up the chunks in order."""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from types import FrameType

from croupier.simulation.checkpoint import Checkpoint
from croupier.simulation.job import Job, chunk_numbers, require_rounds
from croupier.simulation.kernel.program import Chunk
from croupier.simulation.tally import Tally

CHUNKS_PER_WORKER = 4
"""Chunks in flight per worker."""

ChunkExecutor = Callable[[Job, int, int, range], Iterator[Chunk]]
"""Computes chunks in order: job, seed, total rounds, chunk numbers."""


class Interrupted(KeyboardInterrupt):
    """An interrupted run, with its tally so far."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


def simulate(
    job: Job,
    rounds: int,
    seed: int = 1,
    compute: ChunkExecutor | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int], None] = lambda rounds: None,
) -> Tally:
    """Simulates rounds; the tally depends only on the job, the seed and the number of rounds.

    Resumes from the checkpoint, if given. Ctrl-C raises `Interrupted` with the tally so far.
    """
    require_rounds(rounds)
    tally = Tally(job)
    if checkpoint is not None:
        checkpoint.load(tally, seed, rounds)
    progress(tally.rounds)
    numbers = range(tally.chunks, len(chunk_numbers(rounds)))
    chunks = (compute or thread_executor(1))(job, seed, rounds, numbers)
    try:
        for chunk in chunks:
            with _delay_interrupts():
                tally.add(chunk)
            progress(tally.rounds)
            if checkpoint is not None:
                checkpoint.save_when_due(tally, seed, monotonic())
    except KeyboardInterrupt:
        raise Interrupted(tally) from None
    finally:
        if checkpoint is not None:
            checkpoint.save(tally, seed)
    return tally


@contextmanager
def _delay_interrupts() -> Iterator[None]:
    """Delays Ctrl-C to the end of the block, so that a chunk is added completely or not at all."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted
        return
    is_interrupted = False

    def note(signal_number: int, frame: FrameType | None) -> None:
        nonlocal is_interrupted
        is_interrupted = True

    previous = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
    if is_interrupted:
        raise KeyboardInterrupt


def thread_executor(workers: int) -> ChunkExecutor:
    """An executor on threads of this process; the compiled loop releases the GIL."""

    def compute(job: Job, seed: int, rounds: int, numbers: range) -> Iterator[Chunk]:
        job.program.compiled()
        pending: deque[Future[Chunk]] = deque()
        with ThreadPoolExecutor(workers) as pool:
            try:
                for number in numbers:
                    pending.append(pool.submit(job.program.chunk, seed, number, rounds))
                    if len(pending) >= CHUNKS_PER_WORKER * workers:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    return compute

"""Runs a job on the cores of this machine: threads compute chunks, one after another adds them up."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic

from croupier.simulation.checkpoint import Checkpoint
from croupier.simulation.job import Job, chunks, require_rounds
from croupier.simulation.program import Chunk
from croupier.simulation.tally import Tally

AHEAD = 4
"""Chunks that are under way for each worker."""

Computed = Callable[[Job, int, int, range], Iterator[Chunk]]
"""Chunks of a run in order: of a job, with a seed, of so many rounds, those of these numbers."""


class Interrupted(KeyboardInterrupt):
    """A run that was stopped; its tally has what there was."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


def simulate(
    job: Job,
    rounds: int,
    seed: int = 1,
    compute: Computed | None = None,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int], None] = lambda rounds: None,
) -> Tally:
    """The tally of so many rounds; the same for the same job, seed and rounds however it is computed.

    With a checkpoint it goes on from there. Ctrl-C raises `Interrupted` with the tally so far.
    """
    require_rounds(rounds)
    tally = Tally(job)
    if checkpoint is not None:
        checkpoint.load(tally, seed, rounds)
    progress(tally.rounds)
    numbers = range(tally.chunks, len(chunks(rounds)))
    computed = (compute or on_threads(1))(job, seed, rounds, numbers)
    try:
        for chunk in computed:
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


def on_threads(workers: int) -> Computed:
    """Computes chunks on so many threads of this process; the compiled loop lets go of the interpreter."""

    def compute(job: Job, seed: int, rounds: int, numbers: range) -> Iterator[Chunk]:
        job.program.compiled()
        waiting: deque[Future[Chunk]] = deque()
        with ThreadPoolExecutor(workers) as pool:
            try:
                for number in numbers:
                    waiting.append(pool.submit(job.program.chunk, seed, number, rounds))
                    if len(waiting) >= AHEAD * workers:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    return compute

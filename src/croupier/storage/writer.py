"""Group commit: one thread writes all queued commands in one transaction and delivers their results after the commit.

Commands queue up while a transaction is being written, so batches grow with the load; a single command never waits
for others.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

from croupier.storage.event_store import Store
from croupier.storage.sql.database import StorageUnavailable
from croupier.storage.unit_of_work import CommandEnvelope, CommandResult, Outcome

MAX_BATCH_SIZE = 256
"""The maximum number of commands in one transaction."""
_Deliver = Callable[[Outcome], None]
_QueuedCommand = tuple[CommandEnvelope, asyncio.AbstractEventLoop | None, _Deliver]


class GroupCommitWriter:
    """The writer of a process. `submit` is for coroutines, `send` for threads."""

    def __init__(self, store: Store, max_batch_size: int = MAX_BATCH_SIZE) -> None:
        self.store = store
        self.commits = 0
        """The number of transactions so far, for metrics."""
        self._max_batch_size = max_batch_size
        self._queue: queue.SimpleQueue[_QueuedCommand | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()

    async def submit(self, envelope: CommandEnvelope) -> CommandResult:
        """Returns the result once it is on disk; raises what `Store.submit` raises. Cancelling does not undo it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[CommandResult] = loop.create_future()
        self._enqueue(envelope, loop, lambda outcome: _resolve(future, outcome))
        return await future

    def send(self, envelope: CommandEnvelope) -> Future[CommandResult]:
        """The same for threads."""
        future: Future[CommandResult] = Future()
        self._enqueue(envelope, None, lambda outcome: _resolve(future, outcome))
        return future

    def close(self) -> None:
        """Drains the queue and stops the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _enqueue(self, envelope: CommandEnvelope, loop: asyncio.AbstractEventLoop | None, deliver: _Deliver) -> None:
        with self._lock:
            if self._closed:
                raise StorageUnavailable("the store is closing and accepts no more commands")
            self._queue.put((envelope, loop, deliver))

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch: list[_QueuedCommand] = []
            item = self._queue.get()
            while True:
                if item is None:
                    is_open = False
                    break
                batch.append(item)
                if len(batch) >= self._max_batch_size:
                    break
                try:
                    item = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[_QueuedCommand]) -> None:
        outcomes: list[Outcome]
        try:
            outcomes = self.store.submit_all([envelope for envelope, _, _ in batch])
        except Exception as error:  # nothing was committed, so every sender gets the error
            outcomes = [error] * len(batch)
        self.commits += 1
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Deliver, Outcome]]] = {}
        for (_, loop, deliver), outcome in zip(batch, outcomes, strict=True):
            if loop is None:
                deliver(outcome)
            else:
                by_loop.setdefault(loop, []).append((deliver, outcome))
        for loop, results in by_loop.items():
            try:
                loop.call_soon_threadsafe(_deliver_all, results)
            except RuntimeError:  # the event loop is closed, so nobody is waiting
                continue


def _deliver_all(results: list[tuple[_Deliver, Outcome]]) -> None:
    for deliver, outcome in results:
        deliver(outcome)


def _resolve(future: Future[CommandResult] | asyncio.Future[CommandResult], outcome: Outcome) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)

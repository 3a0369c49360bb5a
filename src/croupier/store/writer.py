"""Group commit: one thread takes all submissions that wait into one transaction and answers after its commit.

While a transaction is on its way to the disk the next submissions gather, so the more there are the
more a commit carries; a single one never waits for others.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

from croupier.store.answers import Answer, Submission
from croupier.store.batch import Outcome
from croupier.store.database import Unavailable
from croupier.store.store import Store

MOST = 256
"""How many submissions one transaction takes at most."""
_Deliver = Callable[[Outcome], None]
_Waiting = tuple[Submission, asyncio.AbstractEventLoop | None, _Deliver]


class Writer:
    """Writes for a whole process. `submit` is for coroutines, `send` for threads."""

    def __init__(self, store: Store, most: int = MOST) -> None:
        self.store = store
        self.commits = 0
        """How many transactions there have been, for metrics."""
        self._most = most
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()

    async def submit(self, submission: Submission) -> Answer:
        """The answer once it is on the disk; raises what `Store.submit` raises. Cancelling does not undo it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._put(submission, loop, lambda outcome: _resolve(future, outcome))
        return await future

    def send(self, submission: Submission) -> Future[Answer]:
        """The same for threads."""
        future: Future[Answer] = Future()
        self._put(submission, None, lambda outcome: _resolve(future, outcome))
        return future

    def close(self) -> None:
        """Writes what waits and stops."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        self._thread.join()

    def _put(self, submission: Submission, loop: asyncio.AbstractEventLoop | None, deliver: _Deliver) -> None:
        with self._gate:
            if self._closed:
                raise Unavailable("the store is being closed and takes no more commands")
            self._waiting.put((submission, loop, deliver))

    def _run(self) -> None:
        open_ = True
        while open_:
            batch: list[_Waiting] = []
            item = self._waiting.get()
            while True:
                if item is None:
                    open_ = False
                    break
                batch.append(item)
                if len(batch) >= self._most:
                    break
                try:
                    item = self._waiting.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[_Waiting]) -> None:
        outcomes: list[Outcome]
        try:
            outcomes = self.store.submit_all([submission for submission, _, _ in batch])
        except Exception as error:  # nothing was committed: nobody is told otherwise
            outcomes = [error] * len(batch)
        self.commits += 1
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Deliver, Outcome]]] = {}
        for (_, loop, deliver), outcome in zip(batch, outcomes, strict=True):
            if loop is None:
                deliver(outcome)
            else:
                by_loop.setdefault(loop, []).append((deliver, outcome))
        for loop, answers in by_loop.items():
            try:
                loop.call_soon_threadsafe(_deliver_all, answers)
            except RuntimeError:  # the loop is gone, and nobody waits any more
                continue


def _deliver_all(answers: list[tuple[_Deliver, Outcome]]) -> None:
    for deliver, outcome in answers:
        deliver(outcome)


def _resolve(future: Future[Answer] | asyncio.Future[Answer], outcome: Outcome) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)

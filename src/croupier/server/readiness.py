"""Readiness: whether commands can be carried out now.

Two checks, each with a result that is kept for a while and never more than one run at a time, so that any number of
requests costs one check and occupies no thread of the pool:

- a *probe*, a write that changes nothing, takes the way of every command: it fails with the disk, the database, a
  locked file or the writer itself;
- a *scrub* reads the file with SQLite's quick check, in a thread of its own. Its pauses are long compared with its
  duration, so that a large file is read at most for a fiftieth of the time.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

from croupier.server.logs import log
from croupier.storage import GroupCommitWriter, StorageUnavailable
from croupier.storage.sql.database import Database, file_faults

ANSWER_SECONDS = 2.0
"""How long a request waits for a check; a database that takes longer is not ready."""
PROBE_SECONDS = 1.0
"""How long the result of a probe is good for."""
MIN_SCRUB_PAUSE_SECONDS = 1.0
SCRUB_PAUSE_FACTOR = 50
DAMAGED = "the file is damaged: restore a backup"
SLOW = "the database does not answer in time"


class CachedCheck:
    """A check that raises if something is wrong. One run at a time; the last result is good for some seconds."""

    def __init__(self, start: Callable[[], Future[None]], pause: Callable[[float], float]) -> None:
        """`start` starts a run; `pause` says how long its result is good for, given the seconds that it took."""
        self._start = start
        self._pause = pause
        self._run: Future[None] | None = None
        self._due_at = 0.0
        self._problem: str | None = None
        self.runs = 0

    async def problem(self, answer_seconds: float, default: str = "") -> str:
        """What is wrong, empty if nothing is; `default` if the first run takes longer than anybody waits."""
        run = self._current_run()
        if run is not None:
            waiter = asyncio.wrap_future(run)
            waiter.add_done_callback(lambda done: done.cancelled() or done.exception())  # `_finish` has it already
            await asyncio.wait({waiter}, timeout=answer_seconds)
        if self._problem is None or (run is not None and not run.done() and default):
            return default
        return self._problem

    def _current_run(self) -> Future[None] | None:
        """The run that is under way, started if the last result is too old."""
        if self._run is None and time.monotonic() >= self._due_at:
            started_at = time.monotonic()
            self.runs += 1
            try:
                self._run = self._start()
            except StorageUnavailable as error:
                self._problem = error.reason
                return None
            self._run.add_done_callback(lambda run: self._finish(run, started_at))
        return self._run

    def _finish(self, run: Future[None], started_at: float) -> None:
        error = run.exception()
        if error is None:
            problem = ""
        else:
            problem = error.reason if isinstance(error, StorageUnavailable) else "a check of the database failed"
            if problem != self._problem:
                log.warning("the server is not ready", extra={"reason": str(error)})
        now = time.monotonic()
        self._problem = problem
        self._due_at = now + self._pause(now - started_at)
        self._run = None


class Readiness:
    """Whether this process can carry out commands."""

    def __init__(self, database: Database, writer: GroupCommitWriter) -> None:
        self._database = database
        self.probe = CachedCheck(writer.probe, lambda _: PROBE_SECONDS)
        self.scrub = CachedCheck(
            self._start_scrub, lambda seconds: max(MIN_SCRUB_PAUSE_SECONDS, SCRUB_PAUSE_FACTOR * seconds)
        )

    async def problem(self) -> str:
        """Why no command can be carried out, empty if they can."""
        problem = await self.probe.problem(ANSWER_SECONDS, SLOW)
        if problem or not self._database.is_sqlite:
            return problem
        return await self.scrub.problem(ANSWER_SECONDS)

    def _start_scrub(self) -> Future[None]:
        run: Future[None] = Future()
        threading.Thread(target=self._run_scrub, args=(run,), name="croupier-scrub", daemon=True).start()
        return run

    def _run_scrub(self, run: Future[None]) -> None:
        try:
            require_intact(self._database)
        except Exception as error:  # whoever asked gets it
            run.set_exception(error)
        else:
            run.set_result(None)


def require_intact(database: Database) -> None:
    """Reads the whole SQLite file; raises `StorageUnavailable` if a page is damaged."""
    reader = Database(database.url.database, read_only=True)  # a new connection has nothing in its cache
    try:
        with reader.read_transaction() as connection:
            faults = file_faults(connection, quick=True)
    finally:
        reader.close()
    if faults:
        raise StorageUnavailable(DAMAGED, place=database.name, detail=faults[0].splitlines()[0])

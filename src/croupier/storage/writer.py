"""Commands in transactions, with group commit: one thread writes all queued commands, then delivers their results.

Commands queue up while a transaction is being written, so batches grow with the load; a single command never waits
for others.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import sqlalchemy as sa

from croupier.core.errors import InvariantError
from croupier.storage.repositories.links import StoredLink
from croupier.storage.snapshots import LoadedTable, catch_up, load_table
from croupier.storage.sql.database import Database, StorageUnavailable, WriteConflict, load_table_heads, probe
from croupier.storage.unit_of_work import CommandBatch, CommandEnvelope, CommandResult, Outcome, speculate
from croupier.table.model.state import Table

SNAPSHOT_EVERY = 2_000
"""Events between two snapshots of a table, which keep loading fast."""
_MAX_ATTEMPTS = 3
Begin = Callable[[sa.Connection], None]
Finish = Callable[[sa.Connection, CommandResult], None]


class _LostBeforeCommit(StorageUnavailable):
    """The connection broke before the commit was sent: a retry is safe."""


class CommandExecutor:
    """Carries out commands in transactions and caches the states of their tables. One lock serializes a process."""

    def __init__(self, database: Database, snapshot_every: int = SNAPSHOT_EVERY) -> None:
        self.lock = threading.RLock()
        self._database = database
        self._snapshot_every = snapshot_every
        self._tables: dict[str, LoadedTable] = {}
        self._links: dict[int, StoredLink] = {}

    def submit_all(self, envelopes: Sequence[CommandEnvelope]) -> list[Outcome]:
        """Carries out commands in order, in one transaction; returns a result or an error for each.

        Raises `StorageUnavailable` if the database fails: then none of them happened.
        """
        if not envelopes:
            return []
        with self.lock:
            try:
                return self._attempt(envelopes)
            except WriteConflict:
                pass
            except _LostBeforeCommit:  # the server was restarted since the last command
                return self._attempt(envelopes)
            return [outcome for envelope in envelopes for outcome in self._submit_alone(envelope)]

    def _submit_alone(self, envelope: CommandEnvelope) -> list[Outcome]:
        """Carries out one command in its own transaction; retries if another process was faster."""
        for _ in range(_MAX_ATTEMPTS):
            try:
                return self._attempt([envelope])
            except WriteConflict as error:
                conflict = error
            except StorageUnavailable as error:  # earlier envelopes may have been committed, but not this one
                return [error]
        return [InvariantError(f"the database rejects the rows of table {envelope.table}: {conflict}")]

    def submit_with(self, envelope: CommandEnvelope, begin: Begin, finish: Finish) -> CommandResult:
        """Carries out a command between `begin` and `finish` in one transaction; `finish` gets its result.

        An error in any of the three rolls back everything.
        """
        with self.lock:
            for attempt in range(_MAX_ATTEMPTS):
                try:
                    (outcome,) = self._attempt([envelope], begin, finish)
                except (WriteConflict, _LostBeforeCommit):
                    if attempt + 1 == _MAX_ATTEMPTS:
                        raise
                    continue
                break
        if isinstance(outcome, Exception):  # pragma: no cover - `_attempt` has raised it
            raise outcome
        return outcome

    def _attempt(
        self, envelopes: Sequence[CommandEnvelope], begin: Begin | None = None, finish: Finish | None = None
    ) -> list[Outcome]:
        is_decided = False
        speculations = speculate(self._tables, envelopes) if begin is None else {}
        try:
            with self._database.pinned_write_transaction() as connection:
                if begin is not None:
                    begin(connection)
                batch = CommandBatch(
                    connection,
                    self._tables,
                    self._links,
                    notifies=not self._database.is_sqlite,
                    snapshot_every=self._snapshot_every,
                    speculations=speculations,
                )
                outcomes = batch.run(envelopes)
                if finish is not None:
                    if isinstance(outcomes[0], Exception):
                        raise outcomes[0]
                    finish(connection, outcomes[0])
                is_decided = True
        except BaseException as error:
            # The cached states may be stale if the commit went through: read them again.
            for envelope in envelopes:
                self._tables.pop(envelope.table, None)
            self._links.clear()
            if isinstance(error, StorageUnavailable) and error.lost and not is_decided:
                raise _LostBeforeCommit(error.reason, detail=str(error), lost=True) from error
            raise
        self._tables |= batch.tables
        self._links |= batch.links
        return outcomes

    def probe(self) -> None:
        """Commits a write that changes nothing, as a command would be; raises `StorageUnavailable` if that fails."""
        with self.lock:
            probe(self._database)

    def forget_table(self, name: str) -> None:
        """Drops the cached state of a table, because it was changed without a command."""
        self._tables.pop(name, None)

    def forget_links(self) -> None:
        """Drops the cached links, because a table has joined one."""
        self._links.clear()

    def cached(self, name: str) -> tuple[Table, int] | None:
        """State and sequence number as this process last committed or read them, or `None`; makes no query."""
        loaded = self._tables.get(name)
        return None if loaded is None else (loaded.table, loaded.seq)

    def current(self, name: str) -> tuple[Table, int]:
        """State and sequence number with the events of every process."""
        loaded = self._refresh(name)
        return loaded.table, loaded.seq

    def _refresh(self, name: str) -> LoadedTable:
        with self.lock, self._database.read_transaction() as connection:
            loaded, heads = self._tables.get(name), load_table_heads(connection, [name], lock=False)
            if loaded is None or not heads or heads[0].status != loaded.status or heads[0].seq < loaded.seq:
                loaded = load_table(connection, name)
            elif heads[0].seq > loaded.seq:
                loaded = catch_up(connection, loaded)
            self._tables[name] = loaded
            return loaded


MAX_BATCH_SIZE = 256
"""The maximum number of commands in one transaction."""
_Deliver = Callable[[Outcome], None]
_QueuedCommand = tuple[CommandEnvelope, asyncio.AbstractEventLoop | None, _Deliver]
_Probe = Future[None]


class GroupCommitWriter:
    """The writer of a process. `submit` is for coroutines, `send` for threads."""

    def __init__(self, executor: CommandExecutor, max_batch_size: int = MAX_BATCH_SIZE) -> None:
        self._executor = executor
        self.commits = 0
        """The number of transactions so far, for metrics."""
        self._max_batch_size = max_batch_size
        self._queue: queue.SimpleQueue[_QueuedCommand | _Probe | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="croupier-writer", daemon=True)
        self._thread.start()

    async def submit(self, envelope: CommandEnvelope) -> CommandResult:
        """Returns the result once it is on disk; raises what `Store.submit` raises. Cancelling does not undo it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[CommandResult] = loop.create_future()
        self._enqueue((envelope, loop, lambda outcome: _resolve(future, outcome)))
        return await future

    def send(self, envelope: CommandEnvelope) -> Future[CommandResult]:
        """The same for threads."""
        future: Future[CommandResult] = Future()
        self._enqueue((envelope, None, lambda outcome: _resolve(future, outcome)))
        return future

    def probe(self) -> Future[None]:
        """Sends a write that changes nothing the way of every command: it tests thread, lock, database and disk."""
        future: Future[None] = Future()
        self._enqueue(future)
        return future

    @property
    def is_alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Drains the queue and stops the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _enqueue(self, item: _QueuedCommand | _Probe) -> None:
        with self._lock:
            if self._closed:
                raise StorageUnavailable("the store is closing and accepts no more commands")
            self._queue.put(item)

    def _run(self) -> None:
        is_open = True
        while is_open:
            batch: list[_QueuedCommand] = []
            probes: list[_Probe] = []
            item = self._queue.get()
            while True:
                if item is None:
                    is_open = False
                    break
                if isinstance(item, Future):
                    probes.append(item)
                else:
                    batch.append(item)
                if len(batch) >= self._max_batch_size:
                    break
                try:
                    item = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._commit(batch)
            if probes:
                self._probe(probes)

    def _probe(self, probes: list[_Probe]) -> None:
        error: Exception | None = None
        try:
            self._executor.probe()
        except Exception as failure:  # whoever asked gets it
            error = failure
        for future in probes:
            future.set_result(None) if error is None else future.set_exception(error)

    def _commit(self, batch: list[_QueuedCommand]) -> None:
        outcomes: list[Outcome]
        try:
            outcomes = self._executor.submit_all([envelope for envelope, _, _ in batch])
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

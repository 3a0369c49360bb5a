"""Questions to the database that are asked together: those that come while one is on its way go with the next."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from anyio.to_thread import run_sync

K = TypeVar("K")
V = TypeVar("V")


class Gathering(Generic[K, V]):
    """Asks for the coroutines of an event loop. `read`, in a thread, gives what it finds of several keys."""

    def __init__(self, read: Callable[[Sequence[K]], Mapping[K, V]]) -> None:
        self._read = read
        self._waiting: dict[K, asyncio.Future[V | Exception | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, key: K) -> V | None:
        """What there is for a key, read after this was asked; raises what reading raises."""
        answer = self._waiting.get(key)
        if answer is None:
            answer = self._waiting[key] = asyncio.get_running_loop().create_future()
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        found = await asyncio.shield(answer)  # others may wait for it when this one gives up
        if isinstance(found, Exception):
            raise found
        return found

    async def _ask(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting, {}
                found: Mapping[K, V] = {}
                failed: Exception | None = None
                try:
                    found = await run_sync(self._read, list(asked))
                except Exception as error:  # whoever asked hears of it
                    failed = error
                for key, answer in asked.items():
                    answer.set_result(failed or found.get(key))
        finally:
            self._waiting.clear()  # the loop ends, and with it whoever waits

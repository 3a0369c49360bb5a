"""The batch loader coalesces concurrent lookups: results, failures and cancellation."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from croupier.server.accounts.sessions import BatchLoader
from croupier.storage.sql.database import StorageUnavailable
from tests.support import run_in_thread


class SlowReader:
    """Doubles even numbers, finds no odd ones, and blocks until released."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.go = threading.Semaphore(0)

    def __call__(self, keys: Sequence[int]) -> dict[int, int]:
        self.calls.append(sorted(keys))
        self.go.acquire()
        if -1 in keys:
            raise StorageUnavailable("the database cannot be reached")
        return {key: 2 * key for key in keys if key % 2 == 0}


async def _wait_for_calls(read: SlowReader, times: int) -> None:
    while len(read.calls) < times:
        await asyncio.sleep(0.001)


def test_lookups_during_a_read_share_the_next_read() -> None:
    async def scenario() -> None:
        read = SlowReader()
        loader = BatchLoader(read)
        first = asyncio.create_task(loader.load(2))
        await _wait_for_calls(read, 1)
        later = [asyncio.create_task(loader.load(key)) for key in (4, 5, 6, 4, 2)]
        await asyncio.sleep(0)
        read.go.release()
        read.go.release()
        assert await first == 4
        assert await asyncio.gather(*later) == [8, None, 12, 8, 4]
        # A lookup never gets a result read before it started: the second 2 is read again.
        assert read.calls == [[2], [2, 4, 5, 6]]

    run_in_thread(scenario())


def test_a_failure_affects_only_its_own_batch() -> None:
    async def scenario() -> None:
        read = SlowReader()
        loader = BatchLoader(read)
        failing = [asyncio.create_task(loader.load(key)) for key in (-1, 2)]
        await _wait_for_calls(read, 1)
        later = asyncio.create_task(loader.load(2))
        await asyncio.sleep(0)
        read.go.release()
        read.go.release()
        for lookup in failing:
            with pytest.raises(StorageUnavailable):
                await lookup
        assert await later == 4

    run_in_thread(scenario())


def test_a_cancelled_lookup_does_not_affect_others() -> None:
    async def scenario() -> None:
        read = SlowReader()
        loader = BatchLoader(read)
        cancelled, remaining = asyncio.create_task(loader.load(2)), asyncio.create_task(loader.load(2))
        await _wait_for_calls(read, 1)
        cancelled.cancel()
        await asyncio.sleep(0)
        read.go.release()
        assert await remaining == 4
        assert cancelled.cancelled()

    run_in_thread(scenario())

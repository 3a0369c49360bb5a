"""Questions that are asked together: who gets which answer, and what becomes of failures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from croupier.server.accounts.sessions import BatchLoader
from croupier.storage.sql.database import StorageUnavailable
from tests.support import run_in_thread


class Slow:
    """Doubles even numbers when it is let; knows nothing of odd ones."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.go = threading.Semaphore(0)

    def __call__(self, keys: Sequence[int]) -> dict[int, int]:
        self.asked.append(sorted(keys))
        self.go.acquire()
        if -1 in keys:
            raise StorageUnavailable("the database cannot be reached")
        return {key: 2 * key for key in keys if key % 2 == 0}


async def _deadline_of(read: Slow, times: int) -> None:
    while len(read.asked) < times:
        await asyncio.sleep(0.001)


def test_those_who_come_while_one_is_on_its_way_go_together() -> None:
    async def story() -> None:
        read = Slow()
        gathering = BatchLoader(read)
        first = asyncio.create_task(gathering.load(2))
        await _deadline_of(read, 1)
        later = [asyncio.create_task(gathering.load(key)) for key in (4, 5, 6, 4, 2)]
        await asyncio.sleep(0)
        read.go.release()
        read.go.release()
        assert await first == 4
        assert await asyncio.gather(*later) == [8, None, 12, 8, 4]
        # Nobody gets what was read before it was asked for: the second 2 is read once more.
        assert read.asked == [[2], [2, 4, 5, 6]]

    run_in_thread(story())


def test_a_failure_reaches_those_who_asked_and_nobody_else() -> None:
    async def story() -> None:
        read = Slow()
        gathering = BatchLoader(read)
        both = [asyncio.create_task(gathering.load(key)) for key in (-1, 2)]
        await _deadline_of(read, 1)
        after = asyncio.create_task(gathering.load(2))
        await asyncio.sleep(0)
        read.go.release()
        read.go.release()
        for one in both:
            with pytest.raises(StorageUnavailable):
                await one
        assert await after == 4

    run_in_thread(story())


def test_who_gives_up_takes_nothing_from_others() -> None:
    async def story() -> None:
        read = Slow()
        gathering = BatchLoader(read)
        gone, stays = asyncio.create_task(gathering.load(2)), asyncio.create_task(gathering.load(2))
        await _deadline_of(read, 1)
        gone.cancel()
        await asyncio.sleep(0)
        read.go.release()
        assert await stays == 4
        assert gone.cancelled()

    run_in_thread(story())

"""What happened lately at each table, for those who watch it: a feed wakes its watchers, who take what is new."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable

from croupier.server.seen import Happened, numbered
from croupier.table.events import Event
from croupier.table.state import Table

KEPT = 256
"""So many events are kept for those who come back after a lost connection; who missed more gets the view alone."""


class Watcher:
    """Somebody who watches a table. Waking costs nothing and never piles up, however slow he is."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        """The last event that he has been told."""
        self._wake = asyncio.Event()

    def wake(self) -> None:
        self._wake.set()

    async def woken(self) -> None:
        """Returns when there is something new."""
        await self._wake.wait()
        self._wake.clear()


class Feed:
    """One table: its state as far as this process knows, and its last events."""

    def __init__(self, table: Table, seq: int) -> None:
        self.table = table
        self.seq = seq
        self.watchers: set[Watcher] = set()
        self._events: deque[Happened] = deque(maxlen=KEPT)
        self._round = table.rounds

    def push(self, events: Iterable[Event], first: int, table: Table, seq: int) -> None:
        """Events from number `first` on, and the state at `seq`, which may be later than the last of them."""
        for happened in numbered(events, first, self._round):
            if happened.seq == self.last + 1:  # what was there before is known already
                self._events.append(happened)
                self._round = happened.round
        if seq >= self.seq:
            self.table, self.seq = table, seq
        self.wake()

    def reset(self, table: Table, seq: int) -> None:
        """The state after events that this process does not have."""
        self._events.clear()
        self._round = table.rounds
        self.table, self.seq = table, seq
        self.wake()

    @property
    def last(self) -> int:
        """The number of the last event that is kept."""
        return self._events[-1].seq if self._events else self.seq

    def since(self, seq: int) -> tuple[list[Happened], bool]:
        """The events after a number, and whether some are missing before them."""
        found = [happened for happened in self._events if happened.seq > seq]
        first = found[0].seq if found else self.last + 1
        return found, first > seq + 1

    def wake(self) -> None:
        """Tells everybody that something is new: an event, or the time of a clock."""
        for watcher in self.watchers:
            watcher.wake()

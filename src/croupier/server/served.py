"""One table that a process serves."""

from __future__ import annotations

from croupier.server.feeds import Feed
from croupier.server.running import Running
from croupier.table.automation import Automation
from croupier.table.shuffling import OperatingSystemShuffle


class Served:
    """How one table is run: its settings, and what the system does at it."""

    def __init__(self, number: int, running: Running) -> None:
        self.number = number
        self.running = running
        self.automation = Automation(OperatingSystemShuffle(), running.steps)
        self.feed: Feed | None = None
        self.told = 0
        """The last event of this process that its watchers and clocks know of."""

"""One table that a process serves."""

from __future__ import annotations

from croupier.server.feeds import Feed
from croupier.server.running import Running
from croupier.table.automation import Automation
from croupier.table.shuffling import OperatingSystemShuffle


class Served:
    """How one table is run: its settings, what the system does at it, and who wants to go."""

    def __init__(self, number: int, running: Running) -> None:
        self.number = number
        self.running = running
        self.automation = Automation(OperatingSystemShuffle(), running.steps)
        self.departing: set[str] = set()
        """Patrons who leave when the round is over."""
        self.ready: dict[str, int] = {}
        """Patrons who need no more betting time, and for which round."""
        self.feed: Feed | None = None

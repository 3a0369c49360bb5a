"""The server's own time: a clock that a jump of the system clock does not move.

Events are stamped with it, and their time decides the gaming day. A table's time never goes back, so a single event
stamped two days ahead would hold the table there for two days.
"""

from __future__ import annotations

import time
from collections.abc import Callable

JUMP_MILLISECONDS = 2_000
"""The system clock was set if it moves by more than this against the monotonic clock between two readings."""
_MONOTONIC = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Linux has one that goes on while the machine is suspended."""
Clock = Callable[[], int]
"""Gives milliseconds."""


def epoch_milliseconds() -> int:
    """The system clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_milliseconds() -> int:
    """A monotonic clock."""
    return time.clock_gettime_ns(_MONOTONIC) // 1_000_000


class SteadyClock:
    """Milliseconds since 1970. Follows the system clock as it drifts or is slewed, but not when it jumps.

    After a jump it goes on with the monotonic clock until the system clock is back, or the server is restarted.
    """

    def __init__(self, system: Clock, monotonic: Clock) -> None:
        self._system = system
        self._monotonic = monotonic
        self._offset = system() - monotonic()

    def __call__(self) -> int:
        steady = self._monotonic() + self._offset
        deviation = self._system() - steady
        if abs(deviation) > JUMP_MILLISECONDS:
            return steady
        self._offset += deviation
        return steady + deviation

    def deviation(self) -> int:
        """By how much the system clock has been set, in milliseconds; 0 if it was not."""
        deviation = self._system() - self._monotonic() - self._offset
        return deviation if abs(deviation) > JUMP_MILLISECONDS else 0

"""Times several contenders in turns, so that other load on the machine affects all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Contender:
    """A repeatable piece of work of a known size."""

    name: str
    work: Callable[[], object]
    size: int


def race(contenders: Sequence[Contender], *, rounds: int) -> dict[str, float]:
    """The rate per second of each contender in its best round.

    Each round starts with another contender. As in `timeit`, the garbage collector is off.
    """
    best = {contender.name: float("inf") for contender in contenders}
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for turn in range(rounds):
            first = turn % len(contenders)
            for contender in (*contenders[first:], *contenders[:first]):
                best[contender.name] = min(best[contender.name], seconds(contender.work))
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()
    return {contender.name: contender.size / best[contender.name] for contender in contenders}


def seconds(work: Callable[[], object]) -> float:
    """The duration of one call."""
    start = perf_counter()
    work()
    return perf_counter() - start

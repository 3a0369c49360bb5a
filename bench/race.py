"""Timing several contenders in turns, so that a busy moment of the machine hits all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Contender:
    """Someone who can do a piece of work of a known size, again and again."""

    name: str
    work: Callable[[], object]
    size: int


def race(contenders: Sequence[Contender], *, rounds: int) -> dict[str, float]:
    """What each does in a second, from its best round.

    Each round starts with another contender. As in `timeit`, the garbage collector rests.
    """
    best = {contender.name: float("inf") for contender in contenders}
    collects = gc.isenabled()
    gc.disable()
    try:
        for turn in range(rounds):
            first = turn % len(contenders)
            for contender in (*contenders[first:], *contenders[:first]):
                best[contender.name] = min(best[contender.name], seconds(contender.work))
            gc.collect()
    finally:
        if collects:
            gc.enable()
    return {contender.name: contender.size / best[contender.name] for contender in contenders}


def seconds(work: Callable[[], object]) -> float:
    """How long one piece of work takes."""
    start = perf_counter()
    work()
    return perf_counter() - start

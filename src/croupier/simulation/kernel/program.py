"""A compiled simulator: source text and arrays, serializable for other processes."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from croupier.core.disk_cache import cache_folder
from croupier.core.errors import InvariantError
from croupier.hands.lookup_tables import Array
from croupier.simulation.kernel.rng import BLOCK_ROUNDS

CHUNK_ROUNDS = 1 << 20
"""Rounds per unit of work: sixteen blocks."""
INITIAL_HIT_CAPACITY = 1 << 12


@dataclass(frozen=True, eq=False)
class Program:
    """Computes rounds. It contains only text and numbers, no game and no edition."""

    text: str
    arrays: tuple[Array, ...]
    cells: int
    sums: int
    seats: int
    groups: int
    cards: int
    session_rounds: int = 0
    has_hits: bool = False
    has_trace: bool = False
    """Whether it records every round, for the cross-check with the table."""

    def compiled(self) -> Callable[..., int]:
        """The compiled function, cached on disk so that it is compiled once per machine."""
        return _compile(self.text)

    def chunk(self, seed: int, number: int, rounds: int) -> Chunk:
        """A chunk of a run, by its number; deterministic on any worker."""
        first = number * CHUNK_ROUNDS
        return self.run(seed, first, min(CHUNK_ROUNDS, rounds - first))

    def run(self, seed: int, first: int, rounds: int, trace: Array | None = None) -> Chunk:
        """Computes rounds from `first`, which must start a block."""
        if first % BLOCK_ROUNDS or not rounds > 0:
            raise InvariantError("a run must start at a block and have at least one round")
        function = self.compiled()
        if trace is None:
            trace = np.zeros((rounds if self.has_trace else 1, self.seats, self.groups + self.cards), dtype=np.int32)
        if self.has_trace and trace.shape != (rounds, self.seats, self.groups + self.cards):
            raise InvariantError("the trace has no capacity for every round")
        capacity = INITIAL_HIT_CAPACITY if self.has_hits else 1
        while True:
            counts = np.zeros((-(-rounds // BLOCK_ROUNDS), self.cells), dtype=np.int64)
            sums = np.zeros(self.sums, dtype=np.int64)
            session_count = rounds // self.session_rounds if self.session_rounds else 0
            sessions = np.zeros((max(session_count, 1), 4), dtype=np.int64)
            hits = np.zeros((capacity, 4), dtype=np.int32)
            hit_count = function(
                np.uint64(seed),
                first,
                rounds,
                self.session_rounds,
                counts,
                sums,
                sessions,
                hits,
                trace,
                *self.arrays,
            )
            if hit_count <= capacity:
                return Chunk(rounds, counts, sums, sessions[:session_count], hits[:hit_count].copy())
            capacity = 2 * hit_count


@dataclass(frozen=True, eq=False)
class Chunk:
    """The results of some rounds, in integers."""

    rounds: int
    counts: Array
    """int64 [blocks, cells]"""
    sums: Array
    """int64 [2 * labels]: sums of squared results per round, in two words"""
    sessions: Array
    """int64 [sessions, 4]: the table's result and stakes, the first seat's result and its lowest point, in cents"""
    hits: Array
    """int32 [hits, 4]: round, seat, group and cell of every payment from a meter"""


@cache
def _compile(text: str) -> Callable[..., int]:
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    name = f"croupier_simulator_{digest}"
    module: Any = sys.modules.get(name)
    if module is None:
        path = _source_file(name, text)
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise InvariantError("the simulator's source cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    function: Callable[..., int] = module.simulate
    return function


def _source_file(name: str, text: str) -> Path:
    """Writes the source to the cache folder, or to a temporary folder if the cache is not writable."""
    folder = cache_folder() / "simulators"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.py"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            handle, temporary = tempfile.mkstemp(dir=folder, suffix=".py")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(path)
        return path
    except OSError:
        path = Path(tempfile.mkdtemp(prefix="croupier-")) / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        return path

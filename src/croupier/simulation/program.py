"""A compiled simulator: source text and arrays, which travel to other processes, and the work they do."""

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

from croupier.errors import BrokenInvariant
from croupier.hands.table_cache import cache_folder
from croupier.hands.tables import Array
from croupier.simulation.drawing import BLOCK

CHUNK = 1 << 20
"""Rounds that are computed and handed back at once: sixteen blocks."""
FIRST_HITS = 1 << 12


@dataclass(frozen=True, eq=False)
class Program:
    """What computes rounds. It holds no game and no edition, only text and numbers."""

    text: str
    arrays: tuple[Array, ...]
    cells: int
    sums: int
    seats: int
    groups: int
    cards: int
    session_rounds: int = 0
    has_hits: bool = False
    traces: bool = False
    """Whether it writes every round down, for a comparison with the table."""

    def compiled(self) -> Callable[..., int]:
        """The function itself; its text lies in the cache folder, so that it is compiled once a machine."""
        return _compiled(self.text)

    def chunk(self, seed: int, number: int, rounds: int) -> Chunk:
        """The chunk of that number in a run of so many rounds: the same whoever computes it."""
        first = number * CHUNK
        return self.run(seed, first, min(CHUNK, rounds - first))

    def run(self, seed: int, first: int, rounds: int, trace: Array | None = None) -> Chunk:
        """Rounds from one that starts a block."""
        if first % BLOCK or not rounds > 0:
            raise BrokenInvariant("work starts with a block and has rounds")
        function = self.compiled()
        if trace is None:
            trace = np.zeros((rounds if self.traces else 1, self.seats, self.groups + self.cards), dtype=np.int32)
        if self.traces and trace.shape != (rounds, self.seats, self.groups + self.cards):
            raise BrokenInvariant("the trace has no room for every round")
        room = FIRST_HITS if self.has_hits else 1
        while True:
            counts = np.zeros((-(-rounds // BLOCK), self.cells), dtype=np.int64)
            sums = np.zeros(self.sums, dtype=np.int64)
            of_session = rounds // self.session_rounds if self.session_rounds else 0
            sessions = np.zeros((max(of_session, 1), 4), dtype=np.int64)
            hits = np.zeros((room, 4), dtype=np.int32)
            found = function(
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
            if found <= room:
                return Chunk(rounds, counts, sums, sessions[:of_session], hits[:found].copy())
            room = 2 * found


@dataclass(frozen=True, eq=False)
class Chunk:
    """What some rounds came to, in whole numbers."""

    rounds: int
    counts: Array
    """int64 [blocks, cells]"""
    sums: Array
    """int64 [2 * results]: squares of a round's result in two words"""
    sessions: Array
    """int64 [sessions, 4]: the table's result and stakes, the first seat's result and its lowest point, in cents"""
    hits: Array
    """int32 [hits, 4]: round, seat, group and cell of everything that a meter pays"""


@cache
def _compiled(text: str) -> Callable[..., int]:
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    name = f"croupier_simulator_{digest}"
    module: Any = sys.modules.get(name)
    if module is None:
        path = _file(name, text)
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise BrokenInvariant("the simulator's source cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    function: Callable[..., int] = module.simulate
    return function


def _file(name: str, text: str) -> Path:
    """The text as a file: in the cache folder, or where that cannot be written to in a temporary one."""
    folder = cache_folder() / "simulators"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.py"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            handle, written = tempfile.mkstemp(dir=folder, suffix=".py")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(written).replace(path)
        return path
    except OSError:
        path = Path(tempfile.mkdtemp(prefix="croupier-")) / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        return path

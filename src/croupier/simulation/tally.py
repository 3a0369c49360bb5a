"""The running totals of a simulation, in integers, added chunk by chunk in order.

Because chunks are added in order, a tally is bit-identical on any executor. Its size does not grow with
the number of rounds: curves are thinned, and session results are counted by value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from croupier.hands.lookup_tables import Array
from croupier.simulation.job import Job
from croupier.simulation.kernel.program import Chunk
from croupier.simulation.kernel.rng import BLOCK_ROUNDS
from croupier.simulation.meters import MeterRun

MAX_CURVE_POINTS = 512
"""Points of a curve before it is thinned."""
HOLD_STEPS = 10_000
"""The hold of a session is counted in hundredths of a percent."""
SESSION_COUNTS = ("table", "hold", "player", "low")


class Tally:
    """The sums of a job's chunks."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.chunks = 0
        self.rounds = 0
        self.counts: list[int] = [0] * job.program.cells
        self.squares: list[int] = [0] * (job.program.sums // 2)
        self.sessions: dict[str, Counter[int]] = {name: Counter() for name in SESSION_COUNTS}
        self.curve: list[tuple[int, tuple[int, ...]]] = []
        self.stride = 1
        """Blocks between two points of the curve."""
        self._blocks = 0
        self.meters = MeterRun(job)
        self._nets = _net_matrix(job)
        self._sums: list[int] = [0] * len(job.labels)

    def add(self, chunk: Chunk) -> None:
        """Adds the next chunk."""
        remaining = chunk.rounds
        for row in (chunk.counts @ self._nets).tolist():
            self._sums = [old + new for old, new in zip(self._sums, row, strict=True)]
            self._blocks += 1
            remaining -= min(BLOCK_ROUNDS, remaining)
            if self._blocks % self.stride == 0 or not remaining:
                self._add_point(self.rounds + chunk.rounds - remaining)
        for cell, count in enumerate(chunk.counts.sum(axis=0).tolist()):
            self.counts[cell] += count
        for place in range(len(self.squares)):
            self.squares[place] += (int(chunk.sums[2 * place]) << 32) + int(chunk.sums[2 * place + 1])
        self._add_sessions(chunk.sessions)
        self.meters.add(chunk)
        self.rounds += chunk.rounds
        self.chunks += 1

    def _add_point(self, rounds: int) -> None:
        self.curve.append((rounds, tuple(self._sums)))
        if len(self.curve) > MAX_CURVE_POINTS:
            self.stride *= 2
            self.curve = [point for point in self.curve if point[0] % (self.stride * BLOCK_ROUNDS) == 0]

    def _add_sessions(self, sessions: Array) -> None:
        if not len(sessions):
            return
        net, staked = sessions[:, 0], sessions[:, 1]
        hold = np.floor_divide(-net * HOLD_STEPS, staked)
        for name, values in zip(SESSION_COUNTS, (net, hold, sessions[:, 2], sessions[:, 3]), strict=True):
            distinct, counts = np.unique(values, return_counts=True)
            self.sessions[name].update(dict(zip(distinct.tolist(), counts.tolist(), strict=True)))

    def net_counts(self, label: str) -> Mapping[int, int]:
        """The frequency of each net result of a label in cents, over all seats."""
        counts: Counter[int] = Counter()
        for number, cells in enumerate(self.job.cells):
            if label in cells.nets:
                start = self.job.plan.offsets[number]
                for cell, net in enumerate(cells.nets[label].tolist()):
                    if self.counts[start + cell]:
                        counts[net] += self.counts[start + cell]
        return counts

    def rows_of(self, label: str) -> Mapping[str, tuple[int, int]]:
        """The frequency of each row of a label, and its total net result in cents."""
        rows: dict[str, tuple[int, int]] = {}
        for number, cells in enumerate(self.job.cells):
            if label in cells.nets:
                start = self.job.plan.offsets[number]
                for cell, (row, net) in enumerate(zip(cells.rows[label], cells.nets[label].tolist(), strict=True)):
                    total, net_total = rows.get(row, (0, 0))
                    count = self.counts[start + cell]
                    if count:
                        rows[row] = (total + count, net_total + count * net)
        return rows

    def state(self) -> dict[str, Any]:
        """The state as plain values, for a checkpoint."""
        return {
            "chunks": self.chunks,
            "rounds": self.rounds,
            "counts": self.counts,
            "squares": self.squares,
            "sessions": {name: sorted(counts.items()) for name, counts in self.sessions.items()},
            "curve": self.curve,
            "stride": self.stride,
            "blocks": self._blocks,
            "sums": self._sums,
            "meters": self.meters.state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores the state from a checkpoint of the same job."""
        self.chunks, self.rounds = int(state["chunks"]), int(state["rounds"])
        self.counts = [int(count) for count in state["counts"]]
        self.squares = [int(square) for square in state["squares"]]
        self.sessions = {
            name: Counter({int(value): int(count) for value, count in state["sessions"][name]})
            for name in SESSION_COUNTS
        }
        self.curve = [(int(rounds), tuple(int(value) for value in sums)) for rounds, sums in state["curve"]]
        self.stride, self._blocks = int(state["stride"]), int(state["blocks"])
        self._sums = [int(value) for value in state["sums"]]
        self.meters.restore(state["meters"])


def _net_matrix(job: Job) -> Array:
    """int64 [cells, labels]: the net result of each cell in cents."""
    matrix = np.zeros((job.program.cells, len(job.labels)), dtype=np.int64)
    for number, cells in enumerate(job.cells):
        start = job.plan.offsets[number]
        for label, nets in cells.nets.items():
            matrix[start : start + len(nets), job.labels.index(label)] = nets
    return matrix

"""Checkpoints: saves the tally of a long run so that an interrupted run can resume."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.core.errors import InputError
from croupier.simulation.kernel.program import CHUNK_ROUNDS
from croupier.simulation.tally import Tally

CHECKPOINT_VERSION = 1
SAVE_INTERVAL_SECONDS = 5.0
"""Interval between two checkpoints."""


@dataclass
class Checkpoint:
    """A checkpoint file, always replaced atomically."""

    path: Path
    seconds: float = SAVE_INTERVAL_SECONDS
    _saved_at: float = field(default=float("-inf"))

    def load(self, tally: Tally, seed: int, rounds: int) -> None:
        """Resumes from the file if it exists; refuses the checkpoint of another simulation."""
        if not self.path.parent.is_dir() or self.path.is_dir():
            raise InputError(
                str(self.path), "cannot be a checkpoint: its folder does not exist, or it is a folder itself"
            )
        if not self.path.exists():
            return
        try:
            document: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
            version, digest, saved_seed = document["version"], document["job"], document["seed"]
            state = document["tally"]
            rounds_done = int(state["rounds"])
        except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise InputError(str(self.path), "is not a checkpoint of a simulation") from error
        if version != CHECKPOINT_VERSION:
            raise InputError(
                str(self.path), f"is a checkpoint of format {version}; this program reads format {CHECKPOINT_VERSION}"
            )
        if digest != tally.job.digest or saved_seed != seed:
            raise InputError(
                str(self.path), "is the checkpoint of another simulation: remove it or choose another file"
            )
        if rounds_done > rounds:
            raise InputError(str(self.path), f"already has {rounds_done:,} rounds, more than the {rounds:,} requested")
        if rounds_done % CHUNK_ROUNDS and rounds_done != rounds:
            raise InputError(
                str(self.path), f"is of a run that finished after {rounds_done:,} rounds and cannot be extended"
            )
        tally.restore(state)

    def save_when_due(self, tally: Tally, seed: int, now: float) -> None:
        """Saves if the save interval has passed."""
        if now - self._saved_at >= self.seconds:
            self.save(tally, seed)
            self._saved_at = now

    def save(self, tally: Tally, seed: int) -> None:
        """Writes a temporary file and renames it into place."""
        document = {"version": CHECKPOINT_VERSION, "job": tally.job.digest, "seed": seed, "tally": tally.state()}
        folder = self.path.parent
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(self.path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

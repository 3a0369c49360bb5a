"""Checkpoints: the tally of a long run in a file, so that a run that was killed goes on."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.errors import Malformed
from croupier.simulation.program import CHUNK
from croupier.simulation.tally import Tally

VERSION = 1
SECONDS = 5.0
"""Between two checkpoints."""


@dataclass
class Checkpoint:
    """A file that always holds one whole state: it is replaced, never written into."""

    path: Path
    seconds: float = SECONDS
    _saved_at: float = field(default=float("-inf"))

    def load(self, tally: Tally, seed: int, rounds: int) -> None:
        """Goes on from the file, if it is there; refuses one of another simulation."""
        if not self.path.parent.is_dir() or self.path.is_dir():
            raise Malformed(str(self.path), "cannot be a checkpoint: its folder is not there, or it is one itself")
        if not self.path.exists():
            return
        try:
            found: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
            version, digest, of_seed = found["version"], found["job"], found["seed"]
            state = found["tally"]
            done = int(state["rounds"])
        except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
            raise Malformed(str(self.path), "is not a checkpoint of a simulation") from error
        if version != VERSION:
            raise Malformed(str(self.path), f"is a checkpoint of version {version}, and this is version {VERSION}")
        if digest != tally.job.digest or of_seed != seed:
            raise Malformed(str(self.path), "is the checkpoint of another simulation: remove it or name another file")
        if done > rounds:
            raise Malformed(str(self.path), f"has {done:,} rounds already, more than the {rounds:,} asked for")
        if done % CHUNK and done != rounds:
            raise Malformed(str(self.path), f"is of a run that was finished after {done:,} rounds: it cannot grow")
        tally.restore(state)

    def save_when_due(self, tally: Tally, seed: int, now: float) -> None:
        """Saves if the last time is long enough ago."""
        if now - self._saved_at >= self.seconds:
            self.save(tally, seed)
            self._saved_at = now

    def save(self, tally: Tally, seed: int) -> None:
        """Writes the state beside the file and puts it in its place."""
        document = {"version": VERSION, "job": tally.job.digest, "seed": seed, "tally": tally.state()}
        folder = self.path.parent
        handle, written = tempfile.mkstemp(dir=folder, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(document, file)
                file.flush()
                os.fsync(file.fileno())
            Path(written).replace(self.path)
        except BaseException:
            Path(written).unlink(missing_ok=True)
            raise

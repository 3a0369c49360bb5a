"""Mutants that behave like the original, each with the reason. They are left out of the sample."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.targets import ROOT

LIST = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant that no test can notice: the changed lines before and after, and why."""

    module: str
    before: str
    after: str
    reason: str
    number: int = 1
    """Which of several places with the same lines."""

    @property
    def key(self) -> str:
        """The key of the mutant."""
        return "\n".join((self.module, self.before, self.after, str(self.number)))


def load_equivalents(path: Path = LIST) -> list[Equivalent]:
    """The list, strictly: an unknown or missing field is an error. `after` lists mutants with the same reason."""
    with path.open("rb") as file:
        entries = tomllib.load(file)["equivalent"]
    return [Equivalent(**{**entry, "after": after}) for entry in entries for after in entry["after"]]


def stale_entries(equivalents: Collection[Equivalent], root: Path = ROOT) -> Iterator[Equivalent]:
    """Entries whose code is no longer in the module, or that give no reason."""
    for entry in equivalents:
        lines = [line.strip() for line in (root / entry.module).read_text(encoding="utf-8").splitlines()]
        before = entry.before.splitlines()
        places = sum(lines[start : start + len(before)] == before for start in range(len(lines)))
        if places < entry.number or not entry.reason.strip():
            yield entry


def unknown_entries(equivalents: Collection[Equivalent], keys: Collection[str]) -> Iterator[Equivalent]:
    """Entries that are no longer among the mutants."""
    return (entry for entry in equivalents if entry.key not in keys)

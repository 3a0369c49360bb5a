"""A mutant: a module with one small change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module: the lines before and after, and the whole code."""

    module: str
    operator: str
    line: int
    before: str
    after: str
    number: int
    """Tells apart the same change in several places of a module: 1 for the first."""
    code: str

    @property
    def key(self) -> str:
        """Identifies a mutant, whatever else changes in its module."""
        return "\n".join((self.module, self.before, self.after, str(self.number)))

    def diff(self) -> str:
        """The change as a diff."""
        removed = [f"-{line}" for line in self.before.splitlines()]
        added = [f"+{line}" for line in self.after.splitlines()]
        return "\n".join([f"{self.module}:{self.line}", *removed, *added])

"""A line of the benchmark report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """A figure with its unit, its reference and its target."""

    name: str
    value: float | str
    """A figure, or the outcome of a check."""
    unit: str = ""
    reference: str = ""
    """The reference of the ratio."""
    ratio: float | None = None
    target: float | str | None = None
    """The lowest acceptable ratio, or the expected outcome of a check."""
    limit: float | None = None
    """The highest acceptable ratio, of a time."""

    @property
    def is_check(self) -> bool:
        """Whether this is a check, which does not depend on the machine."""
        return isinstance(self.target, str)

    @property
    def met(self) -> bool | None:
        """Whether the target or limit is met; `None` without one."""
        if self.limit is not None:
            return self.ratio is not None and self.ratio <= self.limit
        if self.target is None:
            return None
        if isinstance(self.target, str):
            return self.value == self.target
        return self.ratio is not None and self.ratio >= self.target

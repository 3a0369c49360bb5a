"""One line of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """A figure with its unit, what it is compared with, and what it should reach."""

    name: str
    value: float | str
    """A figure, or for a check what was found."""
    unit: str = ""
    reference: str = ""
    """What the ratio is to."""
    ratio: float | None = None
    target: float | str | None = None
    """The least ratio wanted, or for a check what should be found."""

    @property
    def is_check(self) -> bool:
        """Whether this is right or wrong, whatever the machine."""
        return isinstance(self.target, str)

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        if isinstance(self.target, str):
            return self.value == self.target
        return self.ratio is not None and self.ratio >= self.target

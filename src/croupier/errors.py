"""The three families of error: malformed input, not permitted now, and a broken invariant."""

from __future__ import annotations


class CroupierError(Exception):
    """Anything Croupier raises on purpose."""


class Malformed(CroupierError):
    """The input cannot be read; `place` says where in it, `clause` which rule it breaks, if it breaks one."""

    def __init__(self, place: str, reason: str, clause: str = "") -> None:
        said = f"{reason} ({clause})" if clause else reason
        super().__init__(f"{place}: {said}" if place else said)
        self.place = place
        self.reason = reason
        self.clause = clause


class NotPermitted(CroupierError):
    """The rules do not allow this now; `clause` says which rule."""

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(f"{reason} ({clause})" if clause else reason)
        self.clause = clause
        self.reason = reason


class BrokenInvariant(CroupierError):
    """Something that can never be false was false: a bug in Croupier."""

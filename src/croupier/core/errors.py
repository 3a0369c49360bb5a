"""The error families: bad input (with not found as a special case), a rule violation, and a broken invariant."""

from __future__ import annotations


class CroupierError(Exception):
    """Anything Croupier raises on purpose."""


class InputError(CroupierError):
    """The input cannot be used; `place` says where in it, `clause` which rule it breaks, if it breaks one."""

    def __init__(self, place: str, reason: str, clause: str = "") -> None:
        sentence = f"{reason} ({clause})" if clause else reason
        super().__init__(f"{place}: {sentence}" if place else sentence)
        self.place = place
        self.reason = reason
        self.clause = clause


class ImpossibleEvent(InputError):
    """A recorded event that cannot follow the state before it: the record is damaged."""


class NotFound(InputError):
    """The input names something that does not exist; `place` says which part names it.

    A kind of `InputError`, so the command line treats it as any other bad input. Over HTTP it is a 404.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)


class RuleViolation(CroupierError):
    """The rules do not allow this now; `clause` says which rule."""

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(f"{reason} ({clause})" if clause else reason)
        self.clause = clause
        self.reason = reason


class InvariantError(CroupierError):
    """An invariant does not hold: a bug in Croupier."""

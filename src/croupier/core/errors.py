"""The errors that Croupier raises: bad input, not found and rule violations, which callers handle, and bugs."""

from __future__ import annotations

from enum import StrEnum


class CroupierError(Exception):
    """A request that Croupier refuses, or cannot carry out now; the message is one sentence for the user."""


class ErrorCode(StrEnum):
    """Errors that a program tells apart without reading the sentence. Stored with a command: at most 8 characters."""

    NONE = ""
    OCCUPIED = "occupied"
    """Somebody sits in this seat."""
    RECOUNT = "recount"
    """The count of the stub is wrong: count every card and send the total."""
    CSRF = "csrf"
    """The request has no valid CSRF token."""
    TOTP = "totp"
    """A one-time code is needed, or must be set up first."""
    PASSWORD = "password"  # noqa: S105
    """The person must set a password of their own first."""


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

    def __init__(self, clause: str, reason: str, code: ErrorCode = ErrorCode.NONE) -> None:
        super().__init__(f"{reason} ({clause})" if clause else reason)
        self.clause = clause
        self.reason = reason
        self.code = code


class InvariantError(Exception):
    """An invariant does not hold: a bug in Croupier.

    Not a `CroupierError`, so that no handler of refusals catches it. Only the edges that report bugs do.
    """

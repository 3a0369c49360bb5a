"""What a person must do before anything else: set a password of their own, or a second factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from croupier.core.errors import ErrorCode
from croupier.server.accounts.sessions import Session
from croupier.server.errors import forbidden

if TYPE_CHECKING:
    from croupier.server.policies import RequestHead

SECOND_FACTOR_PATHS = frozenset({"/api/second-factor", "/api/second-factor/confirm"})
PENDING_PATHS = SECOND_FACTOR_PATHS | {"/api/me", "/api/sign-out", "/api/password"}


@dataclass(frozen=True, slots=True)
class PendingAccount:
    """A request policy: refuses (403) everything else to somebody whose session is pending."""

    name: ClassVar[str] = "pending account"

    def check(self, head: RequestHead, session: Session | None) -> None:
        if session is None or not session.pending or head.path in PENDING_PATHS:
            return
        if session.pending == ErrorCode.PASSWORD:
            raise forbidden("set a password of your own first: somebody else knows this one", code=ErrorCode.PASSWORD)
        raise forbidden("set up a second factor first: this house requires it of staff", code=ErrorCode.TOTP)

"""The roles at a table and the actors who hold them."""

from __future__ import annotations

from enum import StrEnum

from croupier.core.dataclass import dataclass


class Role(StrEnum):
    """The roles of people, and `system` for automated steps."""

    PATRON = "patron"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SHIFT_MANAGER = "shift_manager"
    ACCOUNTING = "accounting"
    SURVEILLANCE = "surveillance"
    REGULATOR = "regulator"
    ADMINISTRATOR = "administrator"
    SYSTEM = "system"

    @property
    def label(self) -> str:
        """The role with its article: `a dealer`, `an administrator`, `accounting`."""
        if self in (Role.ACCOUNTING, Role.SURVEILLANCE):
            return self.value
        if self is Role.SYSTEM:
            return "the system"
        return f"{'an' if self is Role.ADMINISTRATOR else 'a'} {self.replace('_', ' ')}"


FLOOR = frozenset({Role.FLOORPERSON, Role.SHIFT_MANAGER})
"""A floorperson or above."""
DEALER_OR_SYSTEM = frozenset({Role.DEALER, Role.SYSTEM})
FLOOR_OR_SYSTEM = FLOOR | {Role.SYSTEM}


@dataclass(frozen=True, slots=True)
class Actor:
    """A person or the system, in a role."""

    name: str
    role: Role


SYSTEM = Actor("system", Role.SYSTEM)

"""The base of all commands."""

from __future__ import annotations

from typing import ClassVar

from croupier.core.dataclass import dataclass
from croupier.table.model.roles import Actor, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A request to the table. `at` is in milliseconds since 1970, UTC."""

    by: Actor
    at: int
    roles: ClassVar[frozenset[Role]] = frozenset()
    older_roles: ClassVar[frozenset[Role]] = frozenset()
    """More roles that could give the command under the first version of the procedure."""
    rule: ClassVar[str] = ""

"""Separation of duties: who may ask for an act on an account, and who must approve it.

This is the only place that says so; routes, pages, documents and tests read it. Nobody alone creates staff, changes
their roles or lets them in again, and the house has no power over those who watch it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from croupier.core.errors import RuleViolation
from croupier.table.model.roles import Role

CLAUSE = "ACC-1"


class Act(StrEnum):
    """What can be done to the account of a person."""

    CREATE = "create"
    ISSUE_LINK = "issue_link"
    """A one-time link with which the person sets a new password."""
    CHANGE_ROLE = "change_role"
    RESET_SECOND_FACTOR = "reset_second_factor"
    REACTIVATE = "reactivate"
    DEACTIVATE = "deactivate"
    LOCK = "lock"
    UNLOCK = "unlock"
    CLOSE_SESSIONS = "close_sessions"

    @property
    def issues_link(self) -> bool:
        """Whether the person sets a password with a link afterwards."""
        return self in (Act.CREATE, Act.ISSUE_LINK)


class RoleGroup(StrEnum):
    """Roles that are treated alike."""

    PATRONS = "patrons"
    HOUSE = "house"
    OVERSIGHT = "oversight"
    """Those who watch the house."""


GROUPS: Mapping[Role, RoleGroup] = {
    Role.PATRON: RoleGroup.PATRONS,
    Role.DEALER: RoleGroup.HOUSE,
    Role.FLOORPERSON: RoleGroup.HOUSE,
    Role.SHIFT_MANAGER: RoleGroup.HOUSE,
    Role.ACCOUNTING: RoleGroup.HOUSE,
    Role.ADMINISTRATOR: RoleGroup.HOUSE,
    Role.SURVEILLANCE: RoleGroup.OVERSIGHT,
    Role.REGULATOR: RoleGroup.OVERSIGHT,
}
MACHINE_APPOINTMENTS: Mapping[Role, int] = {Role.ADMINISTRATOR: 2, Role.REGULATOR: 2, Role.SURVEILLANCE: 1}
"""How a house begins: whoever runs the machine issues links for these roles until so many of them can sign in
(`croupier serve` for the first administrators, `croupier appoint` for the rest). The journal has every link."""


@dataclass(frozen=True, slots=True)
class Duty:
    """Who may ask for an act, and who must approve it: another person in one of these roles, or nobody if empty."""

    requesters: frozenset[Role]
    approvers: frozenset[Role] = frozenset()

    @property
    def needs_second_person(self) -> bool:
        """Whether one person is not enough."""
        return bool(self.approvers)


_ADMINISTRATOR = frozenset({Role.ADMINISTRATOR})
_MANAGEMENT = frozenset({Role.ADMINISTRATOR, Role.SHIFT_MANAGER})
_CAGE = frozenset({Role.ACCOUNTING, Role.SHIFT_MANAGER})
_REGULATOR = frozenset({Role.REGULATOR})

_ADMINISTRATOR_ALONE = Duty(_ADMINISTRATOR)
_REGULATOR_ALONE = Duty(_REGULATOR)
_STAFF = Duty(_ADMINISTRATOR, _MANAGEMENT)
_WATCHERS = Duty(_REGULATOR, _REGULATOR)
# Whoever resets a patron's password alone could play with, and lose, their money.
_PATRON_LINK = Duty(_ADMINISTRATOR, _CAGE)

_COLUMNS = (RoleGroup.PATRONS, RoleGroup.HOUSE, RoleGroup.OVERSIGHT)
_ROWS: Mapping[Act, tuple[Duty | None, Duty, Duty]] = {
    Act.CREATE: (_ADMINISTRATOR_ALONE, _STAFF, _WATCHERS),
    Act.ISSUE_LINK: (_PATRON_LINK, _STAFF, _WATCHERS),
    Act.CHANGE_ROLE: (None, _STAFF, _WATCHERS),
    Act.RESET_SECOND_FACTOR: (None, _STAFF, _WATCHERS),
    Act.REACTIVATE: (_ADMINISTRATOR_ALONE, _STAFF, _WATCHERS),
    Act.DEACTIVATE: (_ADMINISTRATOR_ALONE, _ADMINISTRATOR_ALONE, _WATCHERS),
    Act.LOCK: (_ADMINISTRATOR_ALONE, _ADMINISTRATOR_ALONE, _REGULATOR_ALONE),
    Act.UNLOCK: (_ADMINISTRATOR_ALONE, _ADMINISTRATOR_ALONE, _REGULATOR_ALONE),
    Act.CLOSE_SESSIONS: (_ADMINISTRATOR_ALONE, _ADMINISTRATOR_ALONE, _REGULATOR_ALONE),
}
DUTIES: Mapping[tuple[Act, RoleGroup], Duty] = {
    (act, group): duty
    for act, row in _ROWS.items()
    for group, duty in zip(_COLUMNS, row, strict=True)
    if duty is not None
}
"""Act and group of the person concerned, who may ask, who must approve. What is not listed, nobody may do."""
REQUESTERS = frozenset().union(*(duty.requesters for duty in DUTIES.values()))
"""Everybody who may ask for something."""
APPROVERS = frozenset().union(*(duty.approvers for duty in DUTIES.values()))


def duty_of(act: Act, *roles: Role, play_money: bool = False) -> Duty:
    """The duty for an act on a person with these roles: the present one and, if it changes, the new one.

    Raises `RuleViolation` if nobody may do it. On a server with play money only, an administrator does everything
    alone.
    """
    groups = {GROUPS.get(role) for role in roles}
    group = groups.pop()
    if groups:
        raise RuleViolation(CLAUSE, "nobody moves between patrons, the house and those who watch it: create an account")
    duty = DUTIES.get((act, group)) if group is not None else None
    if duty is None:
        raise RuleViolation(CLAUSE, f"nobody may do this ({act.replace('_', ' ')}) to {roles[0].label}")
    return Duty(duty.requesters | _ADMINISTRATOR) if play_money else duty


def require_requester(duty: Duty, act: Act, asker: Role, target: Role) -> None:
    """Raises `RuleViolation` if a role may not ask for an act on another."""
    if asker not in duty.requesters:
        raise RuleViolation(
            CLAUSE, f"{_sentence(act, target)} is asked for by {_join(duty.requesters)}, not {asker.label}"
        )


def require_approver(duty: Duty, act: Act, approver: Role, target: Role) -> None:
    """Raises `RuleViolation` if a role may not approve an act on another."""
    if approver not in duty.approvers:
        raise RuleViolation(
            CLAUSE, f"{_sentence(act, target)} is approved by {_join(duty.approvers)}, not {approver.label}"
        )


def _sentence(act: Act, target: Role) -> str:
    return f"{act.replace('_', ' ')} of {target.label}"


def _join(roles: frozenset[Role]) -> str:
    return " or ".join(sorted(role.label for role in roles))

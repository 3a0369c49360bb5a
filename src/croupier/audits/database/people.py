"""Checks of accounts against the journal: who became what, and which two people decided it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.audits.chain import CHAIN_CLAUSE
from croupier.audits.finding import Finding
from croupier.storage.repositories import audit, journal
from croupier.storage.repositories.account_requests import JOURNAL_KINDS, STATUS_KINDS, AccountRequest
from croupier.storage.sql.database import Connection
from croupier.table.model.roles import Role

_ROLE_KINDS = frozenset({"person_created", "person_joined", "role_changed", "machine_link_issued"})
"""Lines that say which role somebody has from then on."""


def check_people(connection: Connection) -> Iterator[Finding]:
    """Acts on accounts that the journal lacks or states differently, and roles that nobody gave."""
    requests = audit.account_requests(connection)
    carried_out: set[str] = set()
    roles: dict[str, str] = {}
    for row, _ in journal.load_rows(connection):
        data = journal.parse_data(row.data)
        if row.kind in _ROLE_KINDS:
            roles[str(data.get("name"))] = str(data.get("role"))
        identifier = data.get("request")
        if row.kind in JOURNAL_KINDS.values() and identifier is not None:
            carried_out.add(str(identifier))
            yield from _compare(row, data, requests.get(str(identifier)))
        elif row.kind in STATUS_KINDS.values() and str(identifier) not in requests:
            yield Finding(
                row.number, CHAIN_CLAUSE, f"line {row.number} of the journal is for a request that is missing"
            )
    for request in requests.values():
        if request.status == "approved" and request.id not in carried_out:
            act = f"{request.act.replace('_', ' ')} of {request.name}"
            yield Finding(0, CHAIN_CLAUSE, f"request {request.id} ({act}) was approved, but is not in the journal")
    for name, role in audit.staff(connection):
        if name not in roles:
            yield Finding(0, CHAIN_CLAUSE, f"{name} is {Role(role).label}, but the journal does not say since when")
        elif roles[name] != role:
            before = Role(roles[name]).label
            yield Finding(0, CHAIN_CLAUSE, f"{name} is {Role(role).label}, but according to the journal {before}")


def _compare(row: Any, data: dict[str, Any], request: AccountRequest | None) -> Iterator[Finding]:
    line = f"line {row.number} of the journal"
    if request is None or request.status != "approved":
        yield Finding(row.number, CHAIN_CLAUSE, f"{line} is for request {data['request']}, which was never approved")
        return
    second = request.second.name if request.second is not None else ""
    expected = (JOURNAL_KINDS.get(request.act), request.by.name, second, request.name, request.role.value)
    if (row.kind, row.actor, row.second, data.get("name"), data.get("role")) != expected:
        yield Finding(row.number, CHAIN_CLAUSE, f"{line} differs from request {request.id}")

"""The route-by-role matrix: every documented operation, sent by every role, and who may use it."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server

OPERATIONS = ("get", "post", "put", "patch", "delete")
STAFF = frozenset(
    {"dealer", "floorperson", "shift_manager", "accounting", "surveillance", "regulator", "administrator"}
)
PATRONS = frozenset({"patron", "guest"})
SIGNED_IN = STAFF | PATRONS
EVERYBODY = SIGNED_IN | {"nobody"}
RECORD_READERS = frozenset({"surveillance", "regulator", "administrator"})
MONEY_READERS = RECORD_READERS | {"accounting", "shift_manager"}
MANAGERS = frozenset({"shift_manager", "administrator"})
ADMINISTRATORS = frozenset({"administrator"})
EXPECTED: dict[frozenset[str], str] = {
    EVERYBODY: """
        GET /api/clauses/{edition}
        GET /api/drills/{kind}
        POST /api/drills/{kind}
        GET /api/editions
        POST /api/guests
        POST /api/join
        GET /api/me
        GET /api/program
        POST /api/register
        GET /api/schemas/{name}
        POST /api/sign-in
        POST /api/sign-out
        GET /api/tables
        GET /api/tables/{table}
        GET /api/tables/{table}/rounds
        GET /api/tables/{table}/rounds/{number}/verifiable
        GET /api/tables/{table}/guide
        GET /api/tables/{table}/rules
        GET /healthz
        GET /metrics
        GET /readyz
    """,
    SIGNED_IN: """
        POST /api/password
        POST /api/second-factor/confirm
        POST /api/tables/{table}/commands
        GET /api/tables/{table}/rounds/{number}
    """,
    PATRONS: """
        GET /api/account
        GET /api/tables/{table}/advice
        POST /api/tables/{table}/chips
        POST /api/tables/{table}/ready
        POST /api/tables/{table}/sit
    """,
    STAFF: """
        POST /api/second-factor
        GET /api/editions/{name}/form
        GET /api/floor
        GET /api/links/{name}
        GET /api/meters
        GET /api/records/events
        GET /api/records/tables
        GET /api/requests
        POST /api/requests
        POST /api/requests/{identifier}/approve
        POST /api/requests/{identifier}/refuse
        GET /api/submissions
        POST /api/submissions/check
        POST /api/submissions/edges
        POST /api/submissions/edit
        GET /api/submissions/{name}/{version}
        GET /api/tables/{table}/events
        GET /api/tables/{table}/rounds/{number}/steps
    """,
    MONEY_READERS: """
        GET /api/people/requests
        POST /api/people/requests/{identifier}/approve
        POST /api/people/requests/{identifier}/refuse
        GET /api/accounts/{name}
        GET /api/days
        GET /api/holds
        GET /api/journal
    """,
    RECORD_READERS | {"shift_manager"}: "GET /api/settings",
    RECORD_READERS: """
        GET /api/people/acts
        GET /api/tables/{table}/audit
        GET /api/tables/{table}/record
    """,
    MANAGERS: """
        POST /api/links
        POST /api/submissions
        POST /api/tables
        POST /api/tables/{table}/retire
    """,
    frozenset({"regulator"}): "POST /api/submissions/{name}/{version}/approve",
    ADMINISTRATORS | {"regulator"}: """
        GET /api/people
        POST /api/people
        POST /api/people/invitations
        POST /api/people/{name}/deactivate
        POST /api/people/{name}/link
        POST /api/people/{name}/lock
        POST /api/people/{name}/reactivate
        POST /api/people/{name}/role
        POST /api/people/{name}/second-factor/reset
        POST /api/people/{name}/sessions/close
        POST /api/people/{name}/unlock
    """,
}
"""Who may use which operations. Which commands and requests a role may send is a matter of `tests.server.test_roles`
and of the approvals."""
CONFIG = replace(
    TEST_CONFIG,
    guests=replace(TEST_CONFIG.guests, allowed=True),
    sign_in=replace(TEST_CONFIG.sign_in, registration=True),
    web=replace(TEST_CONFIG.web, sign_ins_per_minute=100_000),
    open=("pa-682a",),
)
"""Guests and registration are allowed, and nothing is refused for its rate."""


@dataclass
class MatrixResult:
    """The outcome of a run."""

    operations: int = 0
    requests: int = 0
    problems: list[str] = field(default_factory=list)


def check_matrix(server: Server, tokens: Mapping[str, str]) -> MatrixResult:
    """Sends every documented operation as every role, and compares who is admitted with who should be."""
    expected = {line.strip(): roles for roles, lines in EXPECTED.items() for line in lines.split("\n") if line.strip()}
    result = MatrixResult()
    # Signing out ends a session, so that comes last.
    operations = sorted(documented_operations(server), key=lambda operation: "/sign-out" in operation[1])
    for method, path in operations:
        result.operations += 1
        result.requests += len(tokens)
        name = f"{method} {path}"
        admitted = admitted_roles(server, method, path, tokens)
        if name not in expected:
            result.problems.append(f"{name}: nothing states who may use it; admitted are {sorted(admitted)}")
        elif admitted != expected[name]:
            result.problems.append(f"{name}: {sorted(admitted ^ expected[name])} differ")
    missing = expected.keys() - {f"{method} {path}" for method, path in operations}
    result.problems += [f"{name}: there is no such operation" for name in sorted(missing)]
    return result


def documented_operations(server: Server) -> list[tuple[str, str]]:
    """Method and path of every operation, as in the OpenAPI document."""
    paths = server.app.framework.openapi()["paths"]
    return [(method.upper(), path) for path, methods in paths.items() for method in methods if method in OPERATIONS]


def send(server: Server, method: str, path: str, token: str) -> int:
    """The status of an otherwise empty request; 401 and 403 mean that the sender may not use the operation."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    target = re.sub(r"\{[^}]*\}", "1", path)
    connection.request(method, target, json.dumps({}) if method != "GET" else None, headers)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def admitted_roles(server: Server, method: str, path: str, tokens: Mapping[str, str]) -> set[str]:
    """The roles that an operation does not refuse."""
    statuses = {role: send(server, method, path, token) for role, token in tokens.items()}
    assert all(status < 500 for status in statuses.values()), (method, path, statuses)
    return {role for role, status in statuses.items() if status not in (401, 403)}

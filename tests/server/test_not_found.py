"""Every route answers 404, in the standard form, for a resource that does not exist."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client
from croupier.core.errors import InputError, NotFound
from croupier.regulations import edition
from croupier.server.api import drills
from croupier.server.errors import error_reply
from croupier.server.services import play_table
from croupier.server.workers.drills import DRILLS
from croupier.submissions.template import submission_template
from croupier.table.model.roles import Role
from tests.server.servers import ROLES, TIMEOUT_SECONDS, Server, run_server

TABLE = "Table 1"
EXISTING = {"table": TABLE, "number": "1", "identifier": "request", "edition": "pa-682a", "version": "1"}
"""An existing value of each path parameter; `name` depends on the route."""
NAMES = {
    "/api/accounts/": "Ann",
    "/api/people/": "Ann",
    "/api/submissions/": "Summer",
    "/api/links/": "East",
    "/api/editions/": "pa-682a",
    "/api/schemas/": "events",
}
MISSING = {"number": "999", "version": "999", "kind": "juggle"}
"""A well-formed value that does not exist; "nowhere" for any other parameter."""
DRILL_ANSWER = {"edition": "pa-682a", "number": "7", "answer": None}
COMMAND = {"command": "CloseTable", "key": "k", "seq": 0}
BODIES: dict[str, Any] = {
    "/api/tables/{table}/sit": {"seats": [1], "key": "k"},
    "/api/tables/{table}/chips": {"amount_cents": 5, "key": "k"},
    "/api/tables/{table}/commands": COMMAND,
    "/api/people/{name}/role": {"role": "dealer"},
    "/api/drills/{kind}": DRILL_ANSWER,
}
QUERIES = {"/api/drills/{kind}": "?edition=pa-682a", "/api/clauses/{edition}": "?clause=682a.1"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(str(tmp_path_factory.mktemp("missing") / "house.db")) as instance:
        instance.open_table(replace(play_table("pa-682a"), name=TABLE))
        yield instance


@pytest.fixture(scope="module")
def people(server: Server) -> dict[Role, Client]:
    """One person per role, with a seated patron, a filed submission and a link."""
    names = {Role.PATRON: "Ann", Role.ADMINISTRATOR: "Ada"}
    clients: dict[Role, Client] = {
        role: server.add_person(names.get(role, f"the {role}"), role, cents=0) for role in ROLES
    }
    ann = clients[Role.PATRON]
    ann.sit(TABLE, 1)
    ada = clients[Role.ADMINISTRATOR]
    ada.post("/api/submissions", {"name": "Summer", "text": submission_template(edition("pa-682a"))})
    ada.post("/api/links", {"name": "East"})
    return clients


def operations(server: Server) -> Iterator[tuple[str, str, str]]:
    """Method, path and path parameter, for every parameter of every operation in the OpenAPI document."""
    for path, methods in server.app.framework.openapi()["paths"].items():
        for method, operation in methods.items():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    yield method.upper(), path, parameter["name"]


def send_request(client: Client, server: Server, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """Sends a request; returns the status and the body of the response."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {client.token}"}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, json.loads(text)


def assert_not_found(status: int, document: Any) -> None:
    assert status == 404, document
    assert set(document) == {"error"}
    assert set(document["error"]) == {"reason", "clause", "place", "code"}
    assert document["error"]["reason"]
    assert document["error"]["reason"] != "there is nothing at this address", "the route itself is missing"


def missing_path(path: str, parameter: str) -> str:
    """The path with existing values, except for one parameter that names nothing."""
    names = {
        **EXISTING,
        "kind": "settle",
        "name": next((name for start, name in NAMES.items() if path.startswith(start)), ""),
    }
    values = {**names, parameter: MISSING.get(parameter, "nowhere")}
    return path.format(**{name: quote(value) for name, value in values.items()}) + QUERIES.get(path, "")


def test_every_route_answers_404_for_a_missing_resource(server: Server, people: dict[Role, Client]) -> None:
    checked = set()
    for method, path, parameter in operations(server):
        body = BODIES.get(path, {}) if method == "POST" else None
        responses = {
            role: send_request(client, server, method, missing_path(path, parameter), body)
            for role, client in people.items()
        }
        allowed = {role: document for role, document in responses.items() if document[0] != 403}
        assert allowed, (method, path)
        for role, (status, document) in allowed.items():
            assert status == 404, (method, path, parameter, role, status, document)
            assert_not_found(status, document)
        checked.add((method, path, parameter))
    assert {method for method, _, _ in checked} == {"GET", "POST"}
    assert len(checked) > 25, "the document must list the routes"


@pytest.mark.parametrize("path", ["/nowhere", "/static/nowhere.js"])
def test_a_missing_page_is_not_found(server: Server, path: str) -> None:
    assert_not_found(*send_request(server.anonymous_client(), server, "GET", path))


@pytest.mark.parametrize(
    ("role", "path", "body", "place"),
    [
        (Role.ADMINISTRATOR, "/api/tables", {"table": "New", "submission": "nowhere", "version": 1}, "version"),
        (
            Role.FLOORPERSON,
            "/api/requests",
            {"id": "r", "kind": "fill", "amount_cents": 5_00, "table": "Nowhere"},
            "table",
        ),
        (Role.PATRON, "/api/drills/settle", {**DRILL_ANSWER, "edition": "nowhere"}, "edition"),
    ],
)
def test_a_missing_resource_named_in_a_body_is_not_found(
    server: Server, people: dict[Role, Client], role: Role, path: str, body: Any, place: str
) -> None:
    status, answer = send_request(people[role], server, "POST", path, body)
    assert_not_found(status, answer)
    assert answer["error"]["place"] == place


def test_a_table_cannot_be_opened_with_a_missing_link(server: Server, people: dict[Role, Client]) -> None:
    people[Role.REGULATOR].post("/api/submissions/Summer/1/approve", {})
    opening = {"table": "New", "submission": "Summer", "version": 1, "link": "nowhere"}
    status, answer = send_request(people[Role.ADMINISTRATOR], server, "POST", "/api/tables", opening)
    assert_not_found(status, answer)
    assert answer["error"]["place"] == "link"
    assert "New" not in server.tables.names()


def test_the_status_depends_on_the_error_type_not_on_its_wording() -> None:
    wording = "there is no table 'Nowhere'"
    assert error_reply(NotFound("table", wording)).status == 404
    assert error_reply(NotFound("", "gone fishing")).status == 404
    assert error_reply(InputError("table", wording)).status == 400


def test_the_openapi_document_lists_every_kind_of_drill() -> None:
    assert set(drills.DRILL_KINDS) == set(DRILLS)

"""A missing thing is a 404 in the contract's form, on every route that names one: by its type, never by its wording."""

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
from tests.server.table_services import ROLES, WAIT, Server, serving

TABLE = "Table 1"
EXISTING = {"table": TABLE, "number": "1", "identifier": "request", "edition": "pa-682a", "version": "1"}
"""A value of each path parameter that names something; `name` depends on the route."""
NAMES = {
    "/api/accounts/": "Ann",
    "/api/people/": "Ann",
    "/api/submissions/": "Summer",
    "/api/links/": "East",
    "/api/editions/": "pa-682a",
    "/api/schemas/": "events",
}
MISSING = {"number": "999", "version": "999", "kind": "juggle"}
"""A value of the right form that names nothing; "nowhere" for any other parameter."""
SETTLED = {"edition": "pa-682a", "number": "7", "answer": None}
COMMAND = {"command": "CloseTable", "key": "k", "seq": 0}
BODIES: dict[str, Any] = {
    "/api/tables/{table}/sit": {"seats": [1], "key": "k"},
    "/api/tables/{table}/chips": {"amount_cents": 5, "key": "k"},
    "/api/tables/{table}/commands": COMMAND,
    "/api/people/{name}/role": {"role": "dealer"},
    "/api/drills/{kind}": SETTLED,
}
QUERIES = {"/api/drills/{kind}": "?edition=pa-682a", "/api/clauses/{edition}": "?clause=682a.1"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(str(tmp_path_factory.mktemp("missing") / "house.db")) as up:
        up.open(replace(play_table("pa-682a"), name=TABLE))
        yield up


@pytest.fixture(scope="module")
def people(server: Server) -> dict[Role, Client]:
    """One person of every role; the patron is seated, a submission is filed and a link made."""
    named = {Role.PATRON: "Ann", Role.ADMINISTRATOR: "Ada"}
    clients: dict[Role, Client] = {role: server.person(named.get(role, f"the {role}"), role, cents=0) for role in ROLES}
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


def ask(client: Client, server: Server, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """Status and body of an answer, whatever they are."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {client.token}"}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, json.loads(text)


def assert_in_form(status: int, answer: Any) -> None:
    assert status == 404, answer
    assert set(answer) == {"error"}
    assert set(answer["error"]) == {"reason", "clause", "place"}
    assert answer["error"]["reason"]
    assert answer["error"]["reason"] != "there is nothing at this address", "the route itself is missing"


def address(path: str, missing: str) -> str:
    """The path with everything named but one parameter, which names nothing."""
    names = {
        **EXISTING,
        "kind": "settle",
        "name": next((n for start, n in NAMES.items() if path.startswith(start)), ""),
    }
    values = {**names, missing: MISSING.get(missing, "nowhere")}
    return path.format(**{name: quote(value) for name, value in values.items()}) + QUERIES.get(path, "")


def test_every_route_answers_404_for_a_missing_thing(server: Server, people: dict[Role, Client]) -> None:
    checked = set()
    for method, path, missing in operations(server):
        body = BODIES.get(path, {}) if method == "POST" else None
        answers = {role: ask(client, server, method, address(path, missing), body) for role, client in people.items()}
        allowed = {role: answer for role, answer in answers.items() if answer[0] != 403}
        assert allowed, (method, path)
        for role, (status, answer) in allowed.items():
            assert status == 404, (method, path, missing, role, status, answer)
            assert_in_form(status, answer)
        checked.add((method, path, missing))
    assert {method for method, _, _ in checked} == {"GET", "POST"}
    assert len(checked) > 25, "the document lists the routes"


@pytest.mark.parametrize("path", ["/nowhere", "/static/nowhere.js"])
def test_a_missing_page(server: Server, path: str) -> None:
    assert_in_form(*ask(server.nobody(), server, "GET", path))


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
        (Role.PATRON, "/api/drills/settle", {**SETTLED, "edition": "nowhere"}, "edition"),
    ],
)
def test_a_missing_thing_named_in_a_body(
    server: Server, people: dict[Role, Client], role: Role, path: str, body: Any, place: str
) -> None:
    status, answer = ask(people[role], server, "POST", path, body)
    assert_in_form(status, answer)
    assert answer["error"]["place"] == place


def test_a_table_under_a_missing_link(server: Server, people: dict[Role, Client]) -> None:
    people[Role.REGULATOR].post("/api/submissions/Summer/1/approve", {})
    opening = {"table": "New", "submission": "Summer", "version": 1, "link": "nowhere"}
    status, answer = ask(people[Role.ADMINISTRATOR], server, "POST", "/api/tables", opening)
    assert_in_form(status, answer)
    assert answer["error"]["place"] == "link"
    assert "New" not in server.tables.names()


def test_the_wording_decides_nothing() -> None:
    wording = "there is no table 'Nowhere'"
    assert error_reply(NotFound("table", wording)).status == 404
    assert error_reply(NotFound("", "gone fishing")).status == 404
    assert error_reply(InputError("table", wording)).status == 400


def test_the_document_lists_every_kind_of_drill() -> None:
    assert set(drills.DRILL_KINDS) == set(DRILLS)

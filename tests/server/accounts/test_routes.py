"""The account routes: cookies and bearer tokens, CSRF, roles, invitations, malformed bodies."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from croupier.server.accounts.invitations import issue_setup_links
from croupier.server.dependencies import ServicesProtocol
from croupier.server.policies import Rate, RequestLimits
from croupier.table.model.roles import Role
from tests.server.accounts.services import OTHER_PASSWORD, PASSWORD, AccountServices


def refusal_reason(response: httpx.Response, status: int) -> str:
    """Checks the form of a refusal and returns its sentence."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    error = response.json()["error"]
    assert set(response.json()) == {"error"}
    assert set(error) == {"reason", "clause", "place", "code"}
    assert error["reason"]
    assert "\n" not in error["reason"]
    return str(error["reason"])


def test_the_test_services_implement_the_protocol(sqlite_services: AccountServices) -> None:
    protocol: ServicesProtocol = sqlite_services
    assert protocol.users is sqlite_services.users


def test_signing_in_and_out(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    browser = services.client()
    nobody = {
        "person": None,
        "csrf": None,
        "pending": "",
        "guests": True,
        "registration": True,
        "play_money_only": True,
    }
    assert browser.get("/api/me").json() == nobody
    response = browser.post("/api/sign-in", {"name": "PAT", "password": PASSWORD})
    csrf = response.json()["csrf"]
    person = {"name": "Pat", "role": "patron", "guest": False}
    assert response.json() == {"person": person, "csrf": csrf, "token": None, "pending": ""}
    assert browser.get("/api/me").json() == {**nobody, "person": person, "csrf": csrf}
    refusal_reason(browser.post("/api/sign-out"), 403)
    old_cookies = dict(browser.cookies)
    assert browser.post("/api/sign-out", headers={"X-CSRF-Token": csrf}).status_code == 200
    assert set(browser.cookies) == {"croupier_device"}
    browser.cookies = httpx.Cookies(old_cookies)
    assert browser.get("/api/me").json() == nobody
    assert browser.post("/api/sign-out").status_code == 200


def test_the_cookie_is_restricted_to_this_server(sqlite_services: AccountServices) -> None:
    sqlite_services.add("Pat", Role.PATRON)
    response = sqlite_services.client().post("/api/sign-in", {"name": "Pat", "password": PASSWORD})
    session_cookie, device_cookie = response.headers.get_list("set-cookie")
    token, *attributes = session_cookie.split("; ")
    assert token.startswith("croupier_session=")
    assert len(token) == len("croupier_session=") + 43
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict", f"Max-Age={12 * 3600}"}
    token, *attributes = device_cookie.split("; ")
    assert token.startswith("croupier_device=")
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict", f"Max-Age={400 * 24 * 3600}"}
    sqlite_services.config.https = True
    browser = sqlite_services.client()
    response = browser.post("/api/sign-in", {"name": "Pat", "password": PASSWORD})
    cookies = [header.split("; ") for header in response.headers.get_list("set-cookie")]
    assert {token.partition("=")[0] for token, *_ in cookies} == {"__Host-croupier_session", "__Host-croupier_device"}
    for _, *attributes in cookies:
        assert {"Secure", "Path=/", "HttpOnly", "SameSite=Strict"} < set(attributes)
        assert not any(attribute.startswith("Domain") for attribute in attributes)
    assert browser.get("/api/me").json()["person"]["name"] == "Pat"


def test_under_tls_a_cookie_without_the_prefix_is_ignored(sqlite_services: AccountServices) -> None:
    """Any subdomain, and anybody on the way to one, can set a cookie of that name for this host."""
    sqlite_services.add("Pat", Role.PATRON)
    token, _ = sqlite_services.sessions.open(sqlite_services.users.get("Pat").person)
    for https, name, is_signed_in in (
        (True, "croupier_session", False),
        (True, "__Host-croupier_session", True),
        (False, "__Host-croupier_session", False),
        (False, "croupier_session", True),
    ):
        sqlite_services.config.https = https
        response = sqlite_services.client().get("/api/me", headers={"Cookie": f"{name}={token}"})
        assert (response.json()["person"] is not None) is is_signed_in, (https, name)


def test_ACC_1_a_browser_is_known_again_after_signing_out(services: AccountServices) -> None:
    ada = services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    ada.post("/api/sign-out")
    for _ in range(6):  # from the same address
        refusal_reason(services.client().post("/api/sign-in", {"name": "Ada", "password": OTHER_PASSWORD}), 401)
    refusal_reason(services.client().post("/api/sign-in", {"name": "Ada", "password": PASSWORD}), 401)
    assert ada.post("/api/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 200


def test_ACC_1_a_look_alike_of_the_administrator_cannot_register(services: AccountServices) -> None:
    services.add("admin", Role.ADMINISTRATOR)
    for name in ("\u0430dmin", "adrnin", "ad\u200bmin", "ADMIN"):
        response = services.client().post("/api/register", {"name": name, "password": PASSWORD})
        refusal_reason(response, 400 if "\u0430" in name or "\u200b" in name else 409)


def test_signing_in_ends_a_planted_session(sqlite_services: AccountServices) -> None:
    planted = sqlite_services.add_and_sign_in("Eve", Role.PATRON)
    before = dict(planted.cookies)
    sqlite_services.add("Pat", Role.PATRON)
    planted.post("/api/sign-in", {"name": "Pat", "password": PASSWORD})
    assert dict(planted.cookies) != before
    planted.cookies = httpx.Cookies(before)
    assert planted.get("/api/me").json()["person"] is None


def test_wrong_names_and_passwords_get_the_same_response(services: AccountServices) -> None:
    services.add("Pat", Role.PATRON)
    bodies = [
        {"name": "Pat", "password": OTHER_PASSWORD},
        {"name": "Nobody", "password": OTHER_PASSWORD},
        {"name": "Pat", "password": ""},
    ]
    responses = [services.client().post("/api/sign-in", body) for body in bodies]
    assert len({refusal_reason(response, 401) for response in responses}) == 1
    assert len({tuple(sorted(response.headers.items())) for response in responses}) == 1


def test_programs_use_bearer_tokens(services: AccountServices) -> None:
    services.add("Ada", Role.ADMINISTRATOR)
    program = services.client()
    response = program.post("/api/sign-in", {"name": "Ada", "password": PASSWORD, "bearer": True})
    assert "set-cookie" not in response.headers
    program.headers["Authorization"] = f"Bearer {response.json()['token']}"
    assert program.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}).status_code == 201
    for forged in (
        "Bearer ",
        "Bearer x",
        f"Basic {response.json()['token']}",
        f"Bearer {response.json()['token'][:-1]}A=",
    ):
        program.headers["Authorization"] = forged
        refusal_reason(program.get("/api/people"), 401)


def test_a_wrong_bearer_token_does_not_fall_back_to_the_cookie(sqlite_services: AccountServices) -> None:
    ada = sqlite_services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    assert ada.get("/api/people").status_code == 200
    refusal_reason(ada.get("/api/people", headers={"Authorization": "Bearer " + "x" * 43}), 401)


@pytest.mark.parametrize("csrf", [None, "", "x", "é" * 43, "A" * 43])
def test_without_the_csrf_token_nothing_changes(sqlite_services: AccountServices, csrf: str | None) -> None:
    ada = sqlite_services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    del ada.headers["X-CSRF-Token"]
    headers = {} if csrf is None else {"X-CSRF-Token": csrf.encode()}
    response = ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}, headers=headers)
    assert "X-CSRF-Token" in refusal_reason(response, 403)
    assert response.json()["error"]["code"] == "csrf"
    assert len(sqlite_services.users.list_accounts()) == 1


def test_another_sessions_csrf_token_is_wrong(sqlite_services: AccountServices) -> None:
    ada = sqlite_services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    other = sqlite_services.sign_in("Ada")
    ada.headers["X-CSRF-Token"] = other.headers["X-CSRF-Token"]
    refusal_reason(ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}), 403)


def test_expired_sessions_are_refused(services: AccountServices) -> None:
    ada = services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    assert ada.get("/api/people").status_code == 200
    services.clock.advance(minutes=15)
    refusal_reason(ada.get("/api/people"), 401)
    refusal_reason(ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}), 401)


ADMINISTRATION: list[tuple[str, str, Any]] = [
    ("POST", "/api/people", {"name": "New", "role": "dealer", "password": PASSWORD}),
    ("POST", "/api/people/invitations", {"name": "New", "role": "administrator"}),
    ("POST", "/api/people/Pat/link", None),
    ("POST", "/api/people/Pat/role", {"role": "administrator"}),
    ("POST", "/api/people/Pat/lock", None),
    ("POST", "/api/people/Pat/unlock", None),
    ("POST", "/api/people/Pat/deactivate", None),
    ("POST", "/api/people/Pat/reactivate", None),
    ("POST", "/api/people/Pat/sessions/close", None),
]


def test_ACC_1_only_an_administrator_changes_people(sqlite_services: AccountServices) -> None:
    sqlite_services.add("Pat", Role.PATRON)
    assert len(sqlite_services.users.list_accounts()) == 1
    for role in Role:
        if role in (Role.SYSTEM, Role.ADMINISTRATOR):
            continue
        other = sqlite_services.add_and_sign_in(f"A {role}", role)
        for method, path, body in ADMINISTRATION:
            status = 422 if role is Role.REGULATOR else 403  # regulators ask for acts on regulators and surveillance
            refusal_reason(other.request(method, path, json=body), status)
        assert other.get("/api/people").status_code == (200 if role is Role.REGULATOR else 403)
    notes = len(sqlite_services.notes)
    for method, path, body in [*ADMINISTRATION, ("GET", "/api/people", None)]:
        refusal_reason(sqlite_services.client().request(method, path, json=body), 401)
    assert len(sqlite_services.notes) == notes


def test_administrators_manage_accounts(services: AccountServices) -> None:
    ada = services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    created = ada.post("/api/people", {"name": "Flo", "role": "floorperson", "password": PASSWORD})
    assert created.status_code == 201
    assert created.json() == {"name": "Flo", "role": "floorperson", "guest": False}
    refusal_reason(ada.post("/api/people", {"name": "FLO", "role": "dealer", "password": PASSWORD}), 409)
    flo = services.sign_in("Flo")
    flo.post("/api/password", {"old": PASSWORD, "new": OTHER_PASSWORD})
    assert ada.post("/api/people/flo/role", {"role": "shift_manager"}).json()["role"] == "shift_manager"
    assert flo.get("/api/me").json()["person"] is None  # has to sign in again
    flo = services.sign_in("Flo", OTHER_PASSWORD)
    assert ada.post("/api/people/Flo/sessions/close").json()["status"] == "approved"
    assert flo.get("/api/me").json()["person"] is None
    for path in ("lock", "deactivate"):
        flo = services.sign_in("Flo", OTHER_PASSWORD)
        assert ada.post(f"/api/people/Flo/{path}").status_code == 200
        assert flo.get("/api/me").json()["person"] is None
        refusal_reason(services.client().post("/api/sign-in", {"name": "Flo", "password": OTHER_PASSWORD}), 401)
        assert ada.post("/api/people/Flo/unlock").status_code == 200
        assert ada.post("/api/people/Flo/reactivate").status_code == 200
    people = {entry["name"]: entry for entry in ada.get("/api/people").json()["people"]}
    assert people["Flo"]["created_by"] == "Ada"
    assert people["Flo"]["active"]
    assert "argon2" not in json.dumps(people)
    assert "last administrator" in refusal_reason(ada.post("/api/people/Ada/deactivate"), 422)
    refusal_reason(ada.post("/api/people/Nobody/lock"), 404)
    refusal_reason(ada.post("/api/people/%00/lock"), 400)
    refusal_reason(ada.post("/api/people/%ED%A0%80/lock"), 404)


def test_the_first_administrator_joins_and_invites(services: AccountServices) -> None:
    (path,) = issue_setup_links(services.database, play_money=True, now=services.clock)
    token = path.removeprefix("/join#")
    ada = services.client()
    joined = ada.post("/api/join", {"token": token, "name": "Ada", "password": PASSWORD})
    assert joined.status_code == 201
    assert joined.json()["person"] == {"name": "Ada", "role": "administrator", "guest": False}
    ada.headers["X-CSRF-Token"] = joined.json()["csrf"]
    refusal_reason(services.client().post("/api/join", {"token": token, "name": "Eve", "password": PASSWORD}), 403)
    link = ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"})
    assert link.status_code == 201
    assert link.json()["valid_hours"] == 24
    token = link.json()["path"].removeprefix("/join#")
    dana = services.client()
    assert dana.post("/api/join", {"token": token, "password": PASSWORD}).json()["person"]["name"] == "Dana"
    refusal_reason(dana.post("/api/join", {"token": token, "password": PASSWORD}), 403)
    assert ada.post("/api/people/Dana/link").status_code == 201


def test_changing_the_password_ends_other_sessions(services: AccountServices) -> None:
    first, second = services.add_and_sign_in("Pat", Role.PATRON), services.sign_in("Pat")
    refusal_reason(first.post("/api/password", {"old": OTHER_PASSWORD, "new": OTHER_PASSWORD}), 401)
    refusal_reason(first.post("/api/password", {"old": PASSWORD, "new": "short"}), 400)
    assert first.post("/api/password", {"old": PASSWORD, "new": OTHER_PASSWORD}).status_code == 200
    assert first.get("/api/me").json()["person"] is not None
    assert second.get("/api/me").json()["person"] is None
    services.sign_in("Pat", OTHER_PASSWORD)
    refusal_reason(services.client().post("/api/sign-in", {"name": "Pat", "password": PASSWORD}), 401)


def test_guests_play_without_an_account(services: AccountServices) -> None:
    browser = services.client()
    response = browser.post("/api/guests", {})
    assert response.status_code == 201
    name = response.json()["person"]["name"]
    assert browser.get("/api/me").json()["person"] == {"name": name, "role": "patron", "guest": True}
    browser.headers["X-CSRF-Token"] = response.json()["csrf"]
    refusal_reason(browser.post("/api/password", {"old": PASSWORD, "new": OTHER_PASSWORD}), 403)
    refusal_reason(services.client().post("/api/sign-in", {"name": name, "password": ""}), 401)
    services.config.guests = False
    refusal_reason(services.client().post("/api/guests", {}), 403)
    assert [note[1] for note in services.notes if note[0] == "person_created"] == [name]


def test_patrons_register_only_if_registration_is_enabled(services: AccountServices) -> None:
    body = {"name": "Pat", "password": PASSWORD}
    assert services.client().post("/api/register", body).json()["person"]["role"] == "patron"
    refusal_reason(services.client().post("/api/register", body), 409)
    refusal_reason(services.client().post("/api/register", {"name": "system", "password": PASSWORD}), 400)
    refusal_reason(services.client().post("/api/register", {"name": "Zoë", "password": "my zoë secret"}), 400)
    services.config.registration = False
    refusal_reason(services.client().post("/api/register", {"name": "Quin", "password": PASSWORD}), 403)
    assert [entry.person.name for entry in services.users.list_accounts()] == ["Pat"]


def test_sign_ins_per_address_are_limited(sqlite_services: AccountServices) -> None:
    sqlite_services.add("Pat", Role.PATRON)
    sqlite_services.limits = RequestLimits(sign_in=Rate(3, 60), guests=Rate(2, 60))
    browser = sqlite_services.client()
    for _ in range(3):
        refusal_reason(browser.post("/api/sign-in", {"name": "Nobody", "password": OTHER_PASSWORD}), 401)
    response = browser.post("/api/sign-in", {"name": "Pat", "password": PASSWORD})
    refusal_reason(response, 429)
    assert 1 <= int(response.headers["Retry-After"]) <= 21  # one every 20 s
    assert [browser.post("/api/guests", {}).status_code for _ in range(3)] == [201, 201, 429]


BAD_BODIES: list[tuple[str, bytes]] = [
    ("nothing", b""),
    ("not JSON", b"{"),
    ("a list", b"[]"),
    ("null", b"null"),
    ("another key", b'{"name": "Pat", "password": "x", "admin": true}'),
    ("a lone surrogate as a key", b'{"name": "Pat", "password": "x", "\\ud800": 1}'),
    ("a number", b'{"name": 7, "password": "x"}'),
    ("a huge number", b'{"name": "Pat", "password": ' + b"9" * 5000 + b"}"),
    ("a huge exponent", b'{"name": "Pat", "password": 1e999999}'),
    ("not a number", b'{"name": "Pat", "password": NaN}'),
    ("text instead of a boolean", b'{"name": "Pat", "password": "x", "bearer": "yes"}'),
    ("deep nesting", b"[" * 30_000 + b"]" * 30_000),
    ("deep nesting inside", b'{"name": ' + b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b', "password": "x"}'),
    ("not UTF-8", b'{"name": "\xff\xfe", "password": "x"}'),
    ("a lone surrogate", b'{"name": "\\ud800", "password": "\\udfff"}'),
    ("a byte order mark", b'\xef\xbb\xbf{"name": "Pat"}'),
    ("a long name", b'{"name": "' + b"x" * 41 + b'", "password": "x"}'),
]


@pytest.mark.parametrize(("name", "body"), BAD_BODIES, ids=[name for name, _ in BAD_BODIES])
def test_malformed_bodies_are_refused(sqlite_services: AccountServices, name: str, body: bytes) -> None:
    response = sqlite_services.client().request(
        "POST", "/api/sign-in", content=body, headers={"Content-Type": "application/json"}
    )
    refusal_reason(response, 400)


def test_null_bytes_are_refused(services: AccountServices) -> None:
    refusal_reason(services.client().post("/api/sign-in", {"name": "Pat\0", "password": "\0"}), 401)
    refusal_reason(services.client().post("/api/register", {"name": "Pat\0", "password": PASSWORD}), 400)
    refusal_reason(
        services.client().post("/api/join", {"token": "\0" * 43, "name": "Pat\0", "password": PASSWORD}), 403
    )
    ada = services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    refusal_reason(ada.get("/api/people?after=%00"), 400)
    refusal_reason(ada.get("/api/people?limit=99999999999999999999999"), 400)


def test_only_json_bodies_are_read(sqlite_services: AccountServices) -> None:
    body = b'{"name": "Pat", "password": "x"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        refusal_reason(
            sqlite_services.client().request("POST", "/api/sign-in", content=body, headers={"Content-Type": kind}), 400
        )


def test_unknown_paths_and_methods_are_refused(sqlite_services: AccountServices) -> None:
    refusal_reason(sqlite_services.client().get("/api/nothing"), 404)
    response = sqlite_services.client().request("DELETE", "/api/me")
    refusal_reason(response, 405)
    assert response.headers["allow"] == "GET"


def test_an_unavailable_database_gets_503(sqlite_services: AccountServices) -> None:
    with sqlite_services.database.write_transaction() as connection:
        connection.exec_driver_sql("ALTER TABLE people RENAME TO away")
    response = sqlite_services.client().post("/api/sign-in", {"name": "Pat", "password": PASSWORD})
    refusal_reason(response, 503)
    assert response.headers["Retry-After"] == "1"


def test_an_internal_error_reveals_nothing(sqlite_services: AccountServices, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(kind: str, name: str, *arguments: object, **people: object) -> None:
        raise ZeroDivisionError(f"secret of {name}")

    monkeypatch.setattr(sqlite_services.users, "note", fail)
    assert "secret" not in refusal_reason(sqlite_services.client().post("/api/guests", {}), 500)


def test_the_openapi_document_lists_every_error_status(sqlite_services: AccountServices) -> None:
    document = sqlite_services.client().get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            listed = set(route["responses"])
            assert {"400", "403", "408", "413", "422", "429", "431", "503"} <= listed, (path, method)
            for status, response in route["responses"].items():
                if status >= "400":
                    schema = response["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/ErrorResponse"}, (path, method, status)
    assert "HTTPValidationError" not in document["components"]["schemas"]

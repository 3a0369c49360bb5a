"""The routes about people: sessions by cookie and bearer, CSRF, roles, links, and bodies that mean harm."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from croupier.server.accounts.invitations import invite_first_administrator
from croupier.server.dependencies import ServicesProtocol as HouseProtocol
from croupier.server.policies import RequestLimits
from croupier.server.policies.rules import Rate
from croupier.table.model.roles import Role
from tests.server.accounts.services import GOOD, OTHER, House


def reason(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal, after a look at its form."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    error = answer.json()["error"]
    assert set(answer.json()) == {"error"}
    assert set(error) == {"reason", "clause", "place"}
    assert error["reason"]
    assert "\n" not in error["reason"]
    return str(error["reason"])


def test_the_house_of_the_tests_is_one(small: House) -> None:
    house: HouseProtocol = small
    assert house.users is small.users


def test_signing_in_and_out(house: House) -> None:
    house.add("Pat", Role.PATRON)
    browser = house.client()
    nobody = {"person": None, "csrf": None, "guests": True, "registration": True}
    assert browser.get("/api/me").json() == nobody
    answer = browser.post("/api/sign-in", {"name": "PAT", "password": GOOD})
    csrf = answer.json()["csrf"]
    person = {"name": "Pat", "role": "patron", "guest": False}
    assert answer.json() == {"person": person, "csrf": csrf, "token": None}
    assert browser.get("/api/me").json() == {**nobody, "person": person, "csrf": csrf}
    reason(browser.post("/api/sign-out"), 403)
    taken = dict(browser.cookies)
    assert browser.post("/api/sign-out", headers={"X-CSRF-Token": csrf}).status_code == 200
    assert not browser.cookies
    browser.cookies = httpx.Cookies(taken)
    assert browser.get("/api/me").json() == nobody
    assert browser.post("/api/sign-out").status_code == 200


def test_the_cookie_is_for_this_server_alone(small: House) -> None:
    small.add("Pat", Role.PATRON)
    answer = small.client().post("/api/sign-in", {"name": "Pat", "password": GOOD})
    token, *attributes = answer.headers["set-cookie"].split("; ")
    assert token.startswith("croupier_session=")
    assert len(token) == len("croupier_session=") + 43
    assert set(attributes) == {"Path=/", "HttpOnly", "SameSite=Strict", f"Max-Age={12 * 3600}"}
    small.config.https = True
    answer = small.client().post("/api/sign-in", {"name": "Pat", "password": GOOD})
    assert "Secure" in answer.headers["set-cookie"].split("; ")


def test_a_session_that_was_planted_ends_at_signing_in(small: House) -> None:
    planted = small.signed_in("Eve", Role.PATRON)
    before = dict(planted.cookies)
    small.add("Pat", Role.PATRON)
    planted.post("/api/sign-in", {"name": "Pat", "password": GOOD})
    assert dict(planted.cookies) != before
    planted.cookies = httpx.Cookies(before)
    assert planted.get("/api/me").json()["person"] is None


def test_wrong_names_and_passwords_get_the_same_answer(house: House) -> None:
    house.add("Pat", Role.PATRON)
    bodies = [
        {"name": "Pat", "password": OTHER},
        {"name": "Nobody", "password": OTHER},
        {"name": "Pat", "password": ""},
    ]
    answers = [house.client().post("/api/sign-in", body) for body in bodies]
    assert len({reason(answer, 401) for answer in answers}) == 1
    assert len({tuple(sorted(answer.headers.items())) for answer in answers}) == 1


def test_bearer_tokens_for_programs(house: House) -> None:
    house.add("Ada", Role.ADMINISTRATOR)
    program = house.client()
    answer = program.post("/api/sign-in", {"name": "Ada", "password": GOOD, "bearer": True})
    assert "set-cookie" not in answer.headers
    program.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    assert program.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}).status_code == 201
    for forged in ("Bearer ", "Bearer x", f"Basic {answer.json()['token']}", f"Bearer {answer.json()['token'][:-1]}A="):
        program.headers["Authorization"] = forged
        reason(program.get("/api/people"), 401)


def test_a_bearer_that_is_wrong_does_not_fall_back_to_the_cookie(small: House) -> None:
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    assert ada.get("/api/people").status_code == 200
    reason(ada.get("/api/people", headers={"Authorization": "Bearer " + "x" * 43}), 401)


@pytest.mark.parametrize("csrf", [None, "", "x", "é" * 43, "A" * 43])
def test_without_the_csrf_token_nothing_changes(small: House, csrf: str | None) -> None:
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    del ada.headers["X-CSRF-Token"]
    headers = {} if csrf is None else {"X-CSRF-Token": csrf.encode()}
    answer = ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}, headers=headers)
    assert "X-CSRF-Token" in reason(answer, 403)
    assert len(small.users.list_accounts()) == 1


def test_another_sessions_csrf_token_is_wrong(small: House) -> None:
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    other = small.sign_in("Ada")
    ada.headers["X-CSRF-Token"] = other.headers["X-CSRF-Token"]
    reason(ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}), 403)


def test_expired_sessions(house: House) -> None:
    ada = house.signed_in("Ada", Role.ADMINISTRATOR)
    assert ada.get("/api/people").status_code == 200
    house.clock.later(minutes=15)
    reason(ada.get("/api/people"), 401)
    reason(ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"}), 401)


ADMINISTRATION: list[tuple[str, str, Any]] = [
    ("POST", "/api/people", {"name": "New", "role": "dealer", "password": GOOD}),
    ("POST", "/api/people/invitations", {"name": "New", "role": "administrator"}),
    ("POST", "/api/people/Pat/link", None),
    ("POST", "/api/people/Pat/role", {"role": "administrator"}),
    ("POST", "/api/people/Pat/lock", None),
    ("POST", "/api/people/Pat/unlock", None),
    ("POST", "/api/people/Pat/deactivate", None),
    ("POST", "/api/people/Pat/reactivate", None),
    ("POST", "/api/people/Pat/sessions/close", None),
]


def test_ACC_1_only_an_administrator_changes_people(small: House) -> None:
    small.add("Pat", Role.PATRON)
    for role in Role:
        if role in (Role.SYSTEM, Role.ADMINISTRATOR):
            continue
        other = small.signed_in(f"A {role}", role)
        for method, path, body in ADMINISTRATION:
            assert "this is for an administrator" in reason(other.ask(method, path, json=body), 403)
        assert other.get("/api/people").status_code == (200 if role is Role.REGULATOR else 403)
    notes = len(small.notes)
    for method, path, body in [*ADMINISTRATION, ("GET", "/api/people", None)]:
        reason(small.client().ask(method, path, json=body), 401)
    assert len(small.notes) == notes


def test_everything_an_administrator_does(house: House) -> None:
    ada = house.signed_in("Ada", Role.ADMINISTRATOR)
    made = ada.post("/api/people", {"name": "Flo", "role": "floorperson", "password": GOOD})
    assert made.status_code == 201
    assert made.json() == {"name": "Flo", "role": "floorperson", "guest": False}
    reason(ada.post("/api/people", {"name": "FLO", "role": "dealer", "password": GOOD}), 409)
    flo = house.sign_in("Flo")
    assert ada.post("/api/people/flo/role", {"role": "shift_manager"}).json()["role"] == "shift_manager"
    assert flo.get("/api/me").json()["person"] is None  # must sign in again
    flo = house.sign_in("Flo")
    assert ada.post("/api/people/Flo/sessions/close").json() == {"sessions": 1}
    assert flo.get("/api/me").json()["person"] is None
    for path in ("lock", "deactivate"):
        flo = house.sign_in("Flo")
        assert ada.post(f"/api/people/Flo/{path}").status_code == 200
        assert flo.get("/api/me").json()["person"] is None
        reason(house.client().post("/api/sign-in", {"name": "Flo", "password": GOOD}), 401)
        assert ada.post("/api/people/Flo/unlock").status_code == 200
        assert ada.post("/api/people/Flo/reactivate").status_code == 200
    shown = {entry["name"]: entry for entry in ada.get("/api/people").json()["people"]}
    assert shown["Flo"]["created_by"] == "Ada"
    assert shown["Flo"]["active"]
    assert "argon2" not in json.dumps(shown)
    assert "last administrator" in reason(ada.post("/api/people/Ada/deactivate"), 422)
    reason(ada.post("/api/people/Nobody/lock"), 404)
    reason(ada.post("/api/people/%00/lock"), 400)
    reason(ada.post("/api/people/%ED%A0%80/lock"), 404)


def test_the_first_administrator_and_whom_he_invites(house: House) -> None:
    path = invite_first_administrator(house.database, now=house.clock)
    assert path is not None
    token = path.removeprefix("/join#")
    ada = house.client()
    joined = ada.post("/api/join", {"token": token, "name": "Ada", "password": GOOD})
    assert joined.status_code == 201
    assert joined.json()["person"] == {"name": "Ada", "role": "administrator", "guest": False}
    ada.headers["X-CSRF-Token"] = joined.json()["csrf"]
    reason(house.client().post("/api/join", {"token": token, "name": "Eve", "password": GOOD}), 403)
    link = ada.post("/api/people/invitations", {"name": "Dana", "role": "dealer"})
    assert link.status_code == 201
    assert link.json()["valid_hours"] == 24
    token = link.json()["path"].removeprefix("/join#")
    dana = house.client()
    assert dana.post("/api/join", {"token": token, "password": GOOD}).json()["person"]["name"] == "Dana"
    reason(dana.post("/api/join", {"token": token, "password": GOOD}), 403)
    assert ada.post("/api/people/Dana/link").status_code == 201


def test_changing_ones_own_password_ends_the_other_sessions(house: House) -> None:
    here, there = house.signed_in("Pat", Role.PATRON), house.sign_in("Pat")
    reason(here.post("/api/password", {"old": OTHER, "new": OTHER}), 401)
    reason(here.post("/api/password", {"old": GOOD, "new": "short"}), 400)
    assert here.post("/api/password", {"old": GOOD, "new": OTHER}).status_code == 200
    assert here.get("/api/me").json()["person"] is not None
    assert there.get("/api/me").json()["person"] is None
    house.sign_in("Pat", OTHER)
    reason(house.client().post("/api/sign-in", {"name": "Pat", "password": GOOD}), 401)


def test_guests_play_at_once(house: House) -> None:
    browser = house.client()
    answer = browser.post("/api/guests", {})
    assert answer.status_code == 201
    name = answer.json()["person"]["name"]
    assert house.guests == [name]
    assert browser.get("/api/me").json()["person"] == {"name": name, "role": "patron", "guest": True}
    browser.headers["X-CSRF-Token"] = answer.json()["csrf"]
    reason(browser.post("/api/password", {"old": GOOD, "new": OTHER}), 403)
    reason(house.client().post("/api/sign-in", {"name": name, "password": ""}), 401)
    house.config.guests = False
    reason(house.client().post("/api/guests", {}), 403)
    assert house.guests == [name]


def test_patrons_register_only_where_the_house_says_so(house: House) -> None:
    body = {"name": "Pat", "password": GOOD}
    assert house.client().post("/api/register", body).json()["person"]["role"] == "patron"
    reason(house.client().post("/api/register", body), 409)
    reason(house.client().post("/api/register", {"name": "system", "password": GOOD}), 400)
    reason(house.client().post("/api/register", {"name": "Zoë", "password": "my zoë secret"}), 400)
    house.config.registration = False
    reason(house.client().post("/api/register", {"name": "Quin", "password": GOOD}), 403)
    assert [entry.person.name for entry in house.users.list_accounts()] == ["Pat"]


def test_too_many_sign_ins_from_one_address(small: House) -> None:
    small.add("Pat", Role.PATRON)
    small.limits = RequestLimits(sign_in=Rate(3, 60), guests=Rate(2, 60))
    browser = small.client()
    for _ in range(3):
        reason(browser.post("/api/sign-in", {"name": "Nobody", "password": OTHER}), 401)
    answer = browser.post("/api/sign-in", {"name": "Pat", "password": GOOD})
    reason(answer, 429)
    assert 1 <= int(answer.headers["Retry-After"]) <= 21  # one every 20 s
    assert [browser.post("/api/guests", {}).status_code for _ in range(3)] == [201, 201, 429]


BAD: list[tuple[str, bytes]] = [
    ("nothing", b""),
    ("not JSON", b"{"),
    ("a list", b"[]"),
    ("null", b"null"),
    ("another key", b'{"name": "Pat", "password": "x", "admin": true}'),
    ("a key of half a character", b'{"name": "Pat", "password": "x", "\\ud800": 1}'),
    ("a number", b'{"name": 7, "password": "x"}'),
    ("a huge number", b'{"name": "Pat", "password": ' + b"9" * 5000 + b"}"),
    ("a huge exponent", b'{"name": "Pat", "password": 1e999999}'),
    ("not a number", b'{"name": "Pat", "password": NaN}'),
    ("a text for a truth", b'{"name": "Pat", "password": "x", "bearer": "yes"}'),
    ("deep nesting", b"[" * 30_000 + b"]" * 30_000),
    ("deep nesting inside", b'{"name": ' + b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b', "password": "x"}'),
    ("not UTF-8", b'{"name": "\xff\xfe", "password": "x"}'),
    ("half a character", b'{"name": "\\ud800", "password": "\\udfff"}'),
    ("a byte order mark", b'\xef\xbb\xbf{"name": "Pat"}'),
    ("a long name", b'{"name": "' + b"x" * 41 + b'", "password": "x"}'),
]


@pytest.mark.parametrize(("what", "body"), BAD, ids=[what for what, _ in BAD])
def test_bodies_that_mean_harm_are_malformed(small: House, what: str, body: bytes) -> None:
    answer = small.client().ask("POST", "/api/sign-in", content=body, headers={"Content-Type": "application/json"})
    reason(answer, 400)


def test_zero_bytes_are_a_wrong_name(house: House) -> None:
    reason(house.client().post("/api/sign-in", {"name": "Pat\0", "password": "\0"}), 401)
    reason(house.client().post("/api/register", {"name": "Pat\0", "password": GOOD}), 400)
    reason(house.client().post("/api/join", {"token": "\0" * 43, "name": "Pat\0", "password": GOOD}), 403)
    ada = house.signed_in("Ada", Role.ADMINISTRATOR)
    reason(ada.get("/api/people?after=%00"), 400)
    reason(ada.get("/api/people?limit=99999999999999999999999"), 400)


def test_a_form_of_another_site_is_not_read(small: House) -> None:
    body = b'{"name": "Pat", "password": "x"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        reason(small.client().ask("POST", "/api/sign-in", content=body, headers={"Content-Type": kind}), 400)


def test_addresses_and_methods_that_are_not_there(small: House) -> None:
    reason(small.client().get("/api/nothing"), 404)
    answer = small.client().ask("DELETE", "/api/me")
    reason(answer, 405)
    assert answer.headers["allow"] == "GET"


def test_a_database_that_cannot_be_reached(small: House) -> None:
    with small.database.write_transaction() as connection:
        connection.exec_driver_sql("ALTER TABLE people RENAME TO away")
    answer = small.client().post("/api/sign-in", {"name": "Pat", "password": GOOD})
    reason(answer, 503)
    assert answer.headers["Retry-After"] == "1"


def test_a_fault_says_so_and_nothing_else(small: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ZeroDivisionError(f"secret of {name}")

    monkeypatch.setattr(small, "grant_play_money", fail)
    assert "secret" not in reason(small.client().post("/api/guests", {}), 500)


def test_the_document_lists_every_status(small: House) -> None:
    document = small.client().get("/openapi.json").json()
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            listed = set(route["responses"])
            assert {"400", "403", "408", "413", "422", "429", "431", "503"} <= listed, (path, method)
            for status, described in route["responses"].items():
                if status >= "400":
                    schema = described["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/ErrorResponse"}, (path, method, status)
    assert "HTTPValidationError" not in document["components"]["schemas"]

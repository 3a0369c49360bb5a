"""One-time codes: the RFCs' vectors, replays, drift, guesses, enrollment, and recovery by two people."""

from __future__ import annotations

import stat
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import sqlalchemy as sa

from croupier.core.errors import InputError, RuleViolation
from croupier.server.accounts import account_requests, sign_in
from croupier.server.accounts.duties import Act
from croupier.server.accounts.second_factor import (
    SecretDeriver,
    hotp,
    load_key_file,
    matching_step,
    otpauth_uri,
    secret_text,
    step_of,
)
from croupier.server.accounts.users import Person
from croupier.server.errors import HttpError
from croupier.storage.sql import schema as s
from croupier.table.model.roles import Actor, Role
from tests.server.accounts.services import ADA, OTHER_PASSWORD, PASSWORD, AccountServices, Browser
from tests.server.accounts.test_duties import BEN, approve, found_house
from tests.server.accounts.test_people import token_of, try_sign_in
from tests.server.accounts.test_routes import refusal_reason
from tests.support import run_in_thread

RFC_SECRET = b"12345678901234567890"
RFC_6238 = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}
"""RFC 6238, appendix B: seconds since 1970 and the codes of SHA-1 with eight digits."""
RFC_4226 = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
"""RFC 4226, appendix D: the codes of the counters 0 to 9 with six digits."""


def test_RFC_6238_vectors() -> None:
    for seconds, code in RFC_6238.items():
        assert hotp(RFC_SECRET, step_of(seconds * 1_000 + 999), digits=8) == code


def test_RFC_4226_vectors() -> None:
    assert [hotp(RFC_SECRET, counter) for counter in range(10)] == RFC_4226


def test_a_code_may_be_one_step_early_or_late() -> None:
    now = 1_111_111_111_000
    step = step_of(now)
    for offset in range(-3, 4):
        code = hotp(RFC_SECRET, step + offset)
        expected = step + offset if abs(offset) <= 1 else None
        assert matching_step(RFC_SECRET, f"{code[:3]} {code[3:]}", now, after=0) == expected
    assert matching_step(RFC_SECRET, hotp(RFC_SECRET, step), now, after=step) is None
    for wrong in ("", "12345", "１２３４５６", "\ud800", hotp(RFC_SECRET, step, digits=8)):
        assert matching_step(RFC_SECRET, wrong, now, after=0) is None


def test_the_address_for_an_authenticator() -> None:
    uri = urlsplit(otpauth_uri(RFC_SECRET, name="Zoë: 1", issuer="The House & Co"))
    assert (uri.scheme, uri.netloc, unquote(uri.path)) == ("otpauth", "totp", "/The House & Co:Zoë: 1")
    values = {name: value for name, (value,) in parse_qs(uri.query).items()}
    assert values == {
        "secret": secret_text(RFC_SECRET), "issuer": "The House & Co", "algorithm": "SHA1", "digits": "6",
        "period": "30",
    }  # fmt: skip
    assert values["secret"] == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # noqa: S105 - base 32 of the RFC's secret


def test_the_key_is_kept_in_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "second-factor.key"
    key = load_key_file(path)
    assert load_key_file(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    first, second = SecretDeriver(lambda: key), SecretDeriver(lambda: b"x" * 32)
    nonce = SecretDeriver.new_nonce()
    assert first.secret(nonce) == first.secret(nonce) != second.secret(nonce)
    assert first.secret(nonce) != first.secret(SecretDeriver.new_nonce())
    for text in ("", "00", "not hex"):
        path.write_text(text)
        with pytest.raises(InputError, match="key of the second factor"):
            load_key_file(path)


@pytest.fixture
def enrolled(house: AccountServices) -> tuple[AccountServices, bytes]:
    """A house in which Ada has a second factor."""
    found_house(house)
    return house, enroll(house, house.sign_in("Ada"))


def enroll(house: AccountServices, browser: Browser) -> bytes:
    response = browser.post("/api/second-factor", {})
    assert response.status_code == 201, response.text
    secret = house.users.secret_deriver.secret(house.users.get("Ada").new_second_factor)
    assert response.json()["secret"] == secret_text(secret)
    wrong = hotp(secret, step_of(house.clock()) + 5)
    refusal_reason(browser.post("/api/second-factor/confirm", {"one_time_code": wrong}), 403)
    assert not house.users.get("Ada").second_factor
    code = hotp(secret, step_of(house.clock()))
    assert browser.post("/api/second-factor/confirm", {"one_time_code": code}).status_code == 200
    house.clock.advance(seconds=30)
    return secret


def credentials(secret: bytes, house: AccountServices, *, steps: int = 0) -> dict[str, str]:
    code = hotp(secret, step_of(house.clock()) + steps)
    return {"name": "Ada", "password": PASSWORD, "one_time_code": code}


def test_ACC_1_password_and_code_are_needed(enrolled: tuple[AccountServices, bytes]) -> None:
    house, secret = enrolled
    client = house.client()
    response = client.post("/api/sign-in", {"name": "Ada", "password": PASSWORD})
    refusal_reason(response, 401)
    assert response.json()["error"]["code"] == "totp"
    wrong_password = client.post("/api/sign-in", {**credentials(secret, house), "password": OTHER_PASSWORD})
    refusal_reason(wrong_password, 401)
    assert wrong_password.json()["error"]["code"] == ""  # says nothing about the code
    assert client.post("/api/sign-in", credentials(secret, house)).status_code == 200


def test_ACC_1_a_code_works_once(enrolled: tuple[AccountServices, bytes]) -> None:
    """Also an earlier one within the window, once a later one was used; and the one of the enrollment."""
    house, secret = enrolled
    refusal_reason(house.client().post("/api/sign-in", credentials(secret, house, steps=-1)), 401)
    body = credentials(secret, house)
    assert house.client().post("/api/sign-in", body).status_code == 200
    refusal_reason(house.client().post("/api/sign-in", body), 401)
    house.clock.advance(seconds=30)
    refusal_reason(house.client().post("/api/sign-in", body), 401)
    assert house.client().post("/api/sign-in", credentials(secret, house, steps=1)).status_code == 200
    refusal_reason(house.client().post("/api/sign-in", credentials(secret, house)), 401)


def test_ACC_1_wrong_codes_count_like_wrong_passwords(enrolled: tuple[AccountServices, bytes]) -> None:
    house, secret = enrolled
    client = house.client()
    for _ in range(5):
        refusal_reason(client.post("/api/sign-in", {**credentials(secret, house), "one_time_code": "000000"}), 401)
    refusal_reason(client.post("/api/sign-in", credentials(secret, house)), 401)
    assert "sign_in_blocked" in house.note_kinds()
    house.clock.advance(minutes=15)
    assert client.post("/api/sign-in", credentials(secret, house)).status_code == 200


def test_ACC_1_a_stolen_session_cannot_replace_the_second_factor(enrolled: tuple[AccountServices, bytes]) -> None:
    house, secret = enrolled
    client = house.client()
    client.headers["Authorization"] = f"Bearer {house.sessions.open(Person('Ada', Role.ADMINISTRATOR))[0]}"
    refusal_reason(client.post("/api/second-factor", {}), 401)
    refusal_reason(client.post("/api/second-factor", {"one_time_code": "000000"}), 401)
    refusal_reason(client.post("/api/second-factor/confirm", {"one_time_code": "000000"}), 422)
    code = hotp(secret, step_of(house.clock()))
    assert client.post("/api/second-factor", {"one_time_code": code}).status_code == 201
    assert client.get("/api/me").json()["person"] is not None


def test_ACC_1_a_new_password_link_does_not_get_around_the_second_factor(
    enrolled: tuple[AccountServices, bytes],
) -> None:
    house, secret = enrolled
    cleo = Actor("Cleo", Role.ADMINISTRATOR)
    house.add("Cleo", Role.ADMINISTRATOR)
    outcome = house.act(Act.ISSUE_LINK, "Ada", by=cleo)
    body = {"token": token_of(outcome.path), "password": OTHER_PASSWORD, "link_code": approve(house, outcome).code}
    client = house.client()
    refusal_reason(client.post("/api/join", body), 401)
    refusal_reason(client.post("/api/join", {**body, "one_time_code": "000000"}), 401)
    assert isinstance(try_sign_in(house, "Ada", OTHER_PASSWORD), HttpError)
    code = hotp(secret, step_of(house.clock()))
    assert client.post("/api/join", {**body, "one_time_code": code}).status_code == 201


def test_ACC_1_recovery_needs_two_people(enrolled: tuple[AccountServices, bytes]) -> None:
    house, _ = enrolled
    ada = house.client()
    ada.headers["Authorization"] = f"Bearer {house.sessions.open(Person('Ada', Role.ADMINISTRATOR))[0]}"
    outcome = house.act(Act.RESET_SECOND_FACTOR, "Ada", by=BEN)
    assert not outcome.is_done
    for by, reason in ((BEN, "two people"), (ADA, "their own account")):
        with pytest.raises(RuleViolation, match=reason):
            approve(house, outcome, by)
    house.add("Sam", Role.SHIFT_MANAGER)
    sam = house.sign_in("Sam")
    assert sam.post(f"/api/people/requests/{outcome.request.id}/approve").status_code == 200
    assert ada.get("/api/me").json()["person"] is None  # has to sign in again
    assert house.client().post("/api/sign-in", {"name": "Ada", "password": PASSWORD}).status_code == 200


def test_the_database_has_no_secret(enrolled: tuple[AccountServices, bytes]) -> None:
    house, secret = enrolled
    with house.database.read_transaction() as connection:
        rows = str(connection.execute(sa.select(s.people)).all()).casefold()
    assert secret.hex() not in rows
    assert secret_text(secret).casefold() not in rows


def test_ACC_1_a_house_can_require_a_second_factor_of_staff(house: AccountServices) -> None:
    found_house(house)
    house.sessions.second_factor = True
    pat = house.act(Act.CREATE, "Pat", role=Role.PATRON)
    run_in_thread(sign_in.join(house.users, token_of(pat.path), "", PASSWORD))
    patron = house.client()
    assert patron.post("/api/sign-in", {"name": "Pat", "password": PASSWORD}).json()["pending"] == ""
    ada = house.client()
    session = ada.post("/api/sign-in", {"name": "Ada", "password": PASSWORD}).json()
    assert session["pending"] == "totp"
    ada.headers["X-CSRF-Token"] = session["csrf"]
    response = ada.get("/api/people")
    assert "second factor first" in refusal_reason(response, 403)
    assert response.json()["error"]["code"] == "totp"
    refusal_reason(ada.post("/api/people/invitations", {"name": "Eve", "role": "dealer"}), 403)
    enroll(house, ada)
    assert ada.get("/api/people").status_code == 200
    assert {entry["name"]: entry["second_factor"] for entry in ada.get("/api/people").json()["people"]} == {
        "Ada": True, "Ben": False, "Pat": False,
    }  # fmt: skip


def test_patrons_have_no_second_factor(house: AccountServices) -> None:
    found_house(house)
    pat = house.act(Act.CREATE, "Pat", role=Role.PATRON)
    run_in_thread(sign_in.join(house.users, token_of(pat.path), "", PASSWORD))
    refusal_reason(house.sign_in("Pat").post("/api/second-factor", {}), 403)
    assert account_requests.list_waiting(house.users) == []

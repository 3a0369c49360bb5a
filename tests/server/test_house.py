"""A running house with real money: who sees acts on accounts, what its settings demand, and cheats with roles."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.audits.database.audit import audit_database
from croupier.cli.main import main
from croupier.client import Client, RequestFailed
from croupier.regulations import edition
from croupier.server.accounts.invitations import issue_setup_links
from croupier.server.clock import epoch_milliseconds
from croupier.server.config import Config, load_config
from croupier.server.services import play_table
from croupier.storage import Store
from croupier.storage.currency import Currency
from croupier.storage.repositories import journal
from croupier.submissions.template import submission_template
from croupier.table.model.roles import SYSTEM, Role
from tests.server.accounts.services import PASSWORD, Clock, fast_hasher
from tests.server.servers import ROLES, TEST_CONFIG, Server, expect_refusal, run_server
from tests.storage.rounds import fund_wallet

HOUSE: Config = TEST_CONFIG
PLAY_SERVER: Config = replace(TEST_CONFIG, play_money_only=True)
ANY_HOST = "0.0.0.0"  # noqa: S104


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db"), HOUSE) as instance:
        yield instance


def found_house(server: Server) -> tuple[Client, Client]:
    """The first two administrators, who joined with the links of the machine."""
    paths = issue_setup_links(server.store.database, play_money=False, now=server.clock)
    clients = server.anonymous_client(), server.anonymous_client()
    for client, name, path in zip(clients, ("Ada", "Ben"), paths, strict=True):
        client.join(path, PASSWORD, name=name)
    return clients


def add_staff(server: Server, ada: Client, ben: Client, name: str, role: Role) -> Client:
    """Ada asks, Ben approves, and the person joins with both halves."""
    request = ada.post("/api/people/invitations", {"name": name, "role": role.value})
    code = ben.post(f"/api/people/requests/{request['id']}/approve", {})["link_code"]
    client = server.anonymous_client()
    client.join(request["path"], PASSWORD, link_code=code)
    return client


def test_LOG_3_regulators_see_who_appointed_whom(server: Server) -> None:
    ada, ben = found_house(server)
    add_staff(server, ada, ben, "Acc", Role.ACCOUNTING)
    main(["appoint", "regulator", "Reg", "--database", str(server.store.database.name)])
    readers = {Role.REGULATOR, Role.SURVEILLANCE, Role.ADMINISTRATOR}
    for role in ROLES:
        name = f"the {role}"
        person = server.services.users.create(
            name, role, by=SYSTEM, password=fast_hasher().hash(PASSWORD), approved_by="test"
        )
        client = server.new_session(person)
        if role not in readers:
            assert expect_refusal(client, "GET", "/api/people/acts").status == 403
            continue
        acts = client.get("/api/people/acts")
        created = next(act for act in acts if act["kind"] == "person_created" and act["data"]["name"] == "Acc")
        assert created["by"] == {"name": "Ada", "role": "administrator"}
        assert created["second"] == {"name": "Ben", "role": "administrator"}
        links = [act["data"]["name"] for act in acts if act["kind"] == "machine_link_issued"]
        assert links == ["", "", "Reg"]
        assert "link_code" not in str(acts)


def test_ACC_1_nobody_approves_as_another_role_what_they_requested(server: Server) -> None:
    """Dana asks for chips as a dealer, becomes a floorperson, and tries to approve; then changes back."""
    ada, ben = found_house(server)
    table = server.open_table(play_table("pa-682a"))
    pat = server.services.users.create("Pat", Role.PATRON, by=SYSTEM)
    fund_wallet(server.store, at=server.clock(), patron="Pat", cents=500_00)
    server.new_session(pat).sit(table, 1)
    dana = add_staff(server, ada, ben, "Dana", Role.DEALER)
    request = {"id": "7f", "kind": "buy_in", "table": table, "patron": "Pat", "amount_cents": 100_00}
    dana.post("/api/requests", request)
    for role in (Role.FLOORPERSON, Role.DEALER):
        change = ada.post("/api/people/Dana/role", {"role": role.value})
        assert change["status"] == "waiting"
        assert dana.get("/api/me")["person"]["role"] != role
        ben.post(f"/api/people/requests/{change['id']}/approve", {})
        assert dana.get("/api/me")["person"] is None  # has to sign in again
        dana.sign_in("Dana", PASSWORD)
        refusal = expect_refusal(dana, "POST", "/api/requests/7f/approve", {})
        assert "Dana requested it and cannot also approve it" in refusal.reason
    assert server.store.wallet("Pat") == 500_00


def test_who_was_appointed_alone_is_signed_out_when_play_money_ends(tmp_path: Path) -> None:
    path = str(tmp_path / "house.db")
    with run_server(path, PLAY_SERVER) as server:
        password = fast_hasher().hash("a password 1")
        eve = server.new_session(server.services.users.create("Eve", Role.ADMINISTRATOR, by=SYSTEM, password=password))
        pat = server.add_person("Pat", Role.PATRON)
        tokens = eve.token, pat.token
        assert eve.get("/api/people")["people"]
    with run_server(path, HOUSE) as server:
        eve, pat = server.anonymous_client(), server.anonymous_client()
        eve.token, pat.token = tokens
        assert expect_refusal(eve, "GET", "/api/people").status == 401
        assert pat.get("/api/me")["person"]["name"] == "Pat"
        with pytest.raises(RequestFailed):
            eve.sign_in("Eve", "a password 1")


def test_the_settings_reach_the_accounts(tmp_path: Path) -> None:
    key = tmp_path / "secret" / "key"
    sign_in = replace(HOUSE.sign_in, second_factor=True, key_file=str(key))
    with run_server(str(tmp_path / "house.db"), replace(HOUSE, sign_in=sign_in)) as server:
        ada, _ = found_house(server)
        assert ada.get("/api/me")["pending"] == "totp"
        refusal = expect_refusal(ada, "GET", "/api/tables")
        assert (refusal.status, refusal.code) == (403, "totp")
        assert not key.exists()
        assert "Croupier" in ada.post("/api/second-factor", {})["uri"]
        assert key.exists()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, True),
        ({"CROUPIER_HOST": ANY_HOST}, False),
        ({"CROUPIER_WEB_BEHIND_PROXY": "true"}, False),
        ({"CROUPIER_PLAY_MONEY_ONLY": "false"}, False),
        ({"CROUPIER_HOST": ANY_HOST, "CROUPIER_PLAY_MONEY_ONLY": "true"}, True),
    ],
)
def test_a_server_that_others_can_reach_needs_two_people(environment: dict[str, str], expected: bool) -> None:
    assert load_config(environment=environment).play_money_only is expected


def test_the_machine_appoints_regulators_until_there_are_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "house.db")
    clock = Clock()
    clock.time = epoch_milliseconds()  # the command has no other
    with run_server(path, HOUSE, clock) as server:
        for name in ("Reg", "Rae"):
            assert main(["appoint", "regulator", name, "--database", path]) == 0
            link = capsys.readouterr().out.split("append ")[1].split()[0]
            client = server.anonymous_client()
            client.join(link, PASSWORD)
            assert client.get("/api/people")["people"]
        assert main(["appoint", "regulator", "Eve", "--database", path]) == 2
        error = capsys.readouterr().err
        assert "they ask for and approve others themselves" in error
        assert error.count("\n") == 1
        for role in ("accounting", "patron"):
            with pytest.raises(SystemExit):
                main(["appoint", role, "Eve", "--database", path])
    store = Store(path)
    kinds = [entry.data["name"] for entry in journal.read(store, kinds=["machine_link_issued"])]
    assert kinds == ["Reg", "Rae"]
    store.close()


# Repeated requests about accounts.


def test_a_repeated_request_takes_effect_once(server: Server) -> None:
    """The answer got lost: the same key gets the same request, and a link in place of the one that nobody saw."""
    ada, ben = found_house(server)
    invitation = {"name": "Acc", "role": "accounting", "key": "7f"}
    lost, request = (ada.post("/api/people/invitations", invitation) for _ in range(2))
    assert request["id"] == lost["id"]
    assert request["path"] != lost["path"]
    approve = f"/api/people/requests/{request['id']}/approve"
    lost_code, code = (ben.post(approve, {})["link_code"] for _ in range(2))
    assert code != lost_code
    acc = server.anonymous_client()
    for path, half in ((lost["path"], code), (request["path"], lost_code)):
        with pytest.raises(RequestFailed):
            acc.join(path, PASSWORD, link_code=half)
    acc.join(request["path"], PASSWORD, link_code=code)
    assert ada.post("/api/people/invitations", invitation)["path"] == "", "the link was used"
    assert ben.post(approve, {})["link_code"] == ""
    lines = journal.read(server.store, kinds=["account_requested", "person_created"])
    assert [line.kind for line in lines] == ["account_requested", "person_created"]
    other = expect_refusal(ada, "POST", "/api/people/invitations", {**invitation, "name": "Eve"})
    assert "the key '7f' belongs to another request" in other.reason


def test_a_key_belongs_to_the_person_who_chose_it(server: Server) -> None:
    """Ben uses Ada's key first; her request is another one, and he learns nothing about it."""
    ada, ben = found_house(server)
    first = ben.post("/api/people/invitations", {"name": "Eve", "role": "dealer", "key": "7f"})
    second = ada.post("/api/people/invitations", {"name": "Acc", "role": "accounting", "key": "7f"})
    assert (first["id"], first["name"]) != (second["id"], second["name"])
    ben.post(f"/api/people/requests/{second['id']}/approve", {})
    assert ada.post("/api/people/invitations", {"name": "Acc", "role": "accounting", "key": "7f"})["path"] == ""


def test_a_repeated_key_opens_no_account_that_somebody_uses(server: Server) -> None:
    """An administrator invites a patron, who joins and gets money; the old key gives no second link."""
    ada, _ = found_house(server)
    invitation = {"name": "Pat", "role": "patron", "key": "7f"}
    pat = server.anonymous_client()
    pat.join(ada.post("/api/people/invitations", invitation)["path"], PASSWORD)
    assert ada.post("/api/people/invitations", invitation)["path"] == ""
    link = ada.post("/api/people/Pat/link", {"key": "8a"})
    assert (link["status"], ada.post("/api/people/Pat/link", {"key": "8a"})["id"]) == ("waiting", link["id"])


def test_an_unused_account_with_money_needs_two_people_for_a_link(server: Server) -> None:
    """An administrator invites a patron who never comes, and somebody deposits money for them."""
    ada, _ = found_house(server)
    ada.post("/api/people/invitations", {"name": "Pat", "role": "patron"})
    assert ada.post("/api/people/Pat/link", {})["status"] == "approved"
    fund_wallet(server.store, at=server.clock(), patron="Pat", cents=500_00)
    assert ada.post("/api/people/Pat/link", {})["status"] == "waiting"


def test_signing_somebody_out_twice_with_one_key_does_it_once(server: Server) -> None:
    ada, ben = found_house(server)
    ada.post("/api/people/Ben/sessions/close", {"key": "out"})
    assert ben.get("/api/me")["person"] is None
    ben.sign_in("Ben", PASSWORD)
    ada.post("/api/people/Ben/sessions/close", {"key": "out"})
    assert ben.get("/api/me")["person"]["name"] == "Ben"


# Play money only.


def test_a_server_with_play_money_only_has_no_real_money(tmp_path: Path) -> None:
    """One person runs it, so it must not hold anything of value: no deposit, no real table, no account to cash."""
    path = str(tmp_path / "house.db")
    with run_server(path) as server:  # was a house
        server.open_table(replace(play_table("pa-682a"), name="Old"))
        rich = server.services.users.create("Rich", Role.PATRON, by=SYSTEM)
        fund_wallet(server.store, at=server.clock(), patron=rich.name, cents=900_00)
        acc = server.add_person("Acc", Role.ACCOUNTING)
        payout = {"kind": "withdrawal", "patron": "Rich", "amount_cents": 900_00}
        acc.post("/api/requests", {"id": "before", **payout})
    with run_server(path, PLAY_SERVER) as server:
        assert server.anonymous_client().get("/api/me")["play_money_only"]
        ada = server.add_person("Ada", Role.ADMINISTRATOR)
        staff = {role: server.add_person(f"The {role}", role) for role in (Role.ACCOUNTING, Role.SHIFT_MANAGER)}
        requests = [
            {"kind": "deposit", "patron": "Rich", "amount_cents": 1_00},
            payout,
            {"kind": "buy_in", "patron": "Rich", "table": "Old", "amount_cents": 1_00},
            {"kind": "drop", "table": "Old", "amount_cents": 1_00},
        ]
        for number, request in enumerate(requests):
            refusal = expect_refusal(staff[Role.ACCOUNTING], "POST", "/api/requests", {"id": f"r{number}", **request})
            assert "this server has play money only" in refusal.reason
        refusal = expect_refusal(staff[Role.SHIFT_MANAGER], "POST", "/api/requests/before/approve", {})
        assert "this server has play money only" in refusal.reason
        assert server.store.wallet("Rich") == 900_00
        ada.post("/api/people", {"name": "Pat", "role": "patron", "password": PASSWORD})
        assert server.store.wallet("Pat") == PLAY_SERVER.guests.play_money
        assert server.store.wallet_currency("Pat") is Currency.PLAY
        refusal = expect_refusal(
            staff[Role.ACCOUNTING], "POST", "/api/requests", {"id": "w", **payout, "patron": "Pat", "amount_cents": 1}
        )
        assert "has play money" in refusal.reason
        table = server.open_table(replace(play_table("pa-682a"), name="New"))
        assert server.store.table_currency(table) is Currency.PLAY


def test_only_play_tables_are_opened_where_there_is_play_money_only(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "house.db"), PLAY_SERVER) as server:
        manager, regulator = server.add_person("Mia", Role.SHIFT_MANAGER), server.add_person("Reg", Role.REGULATOR)
        text = submission_template(edition("pa-682a"))
        manager.post("/api/submissions", {"name": "Prime", "text": text})
        regulator.post("/api/submissions/Prime/1/approve", {})
        table = {"table": "One", "submission": "Prime", "version": 1}
        refusal = expect_refusal(manager, "POST", "/api/tables", {**table, "currency": "real"})
        assert "no table is opened for real money" in refusal.reason
        manager.post("/api/tables", table)
        assert server.store.table_currency("One") is Currency.PLAY
        (line,) = journal.read(server.store, kinds=["table_opened"])
        assert line.data["currency"] == "play"
        # Chips are bought with play money, by two people as everywhere.
        server.add_person("Pat", Role.PATRON)
        dealer, floor = server.add_person("Dan", Role.DEALER), server.add_person("Flo", Role.FLOORPERSON)
        cashier = server.add_person("Acc", Role.ACCOUNTING)
        dealer.command("One", "ReceiveCards", decks=[1])
        dealer.command("One", "Sit", patron="Pat", seats=[1])
        request = {"id": "chips", "kind": "buy_in", "table": "One", "patron": "Pat", "amount_cents": 100_00}
        refusal = expect_refusal(dealer, "POST", "/api/requests", request)
        assert "is for play money, and a buy in moves real money" in refusal.reason, "a dealer takes cash"
        cashier.post("/api/requests", request)
        floor.post("/api/requests/chips/approve", {})
        assert server.store.wallet("Pat") == PLAY_SERVER.guests.play_money - 100_00
        assert audit_database(str(server.store.database.name)).problems == []


# The audit of a house.


def test_the_audit_of_a_house_is_clean_and_finds_staff_that_nobody_appointed(tmp_path: Path) -> None:
    path = str(tmp_path / "house.db")
    with run_server(path) as server:
        ada, ben = found_house(server)
        add_staff(server, ada, ben, "Acc", Role.ACCOUNTING)
        refused = ada.post("/api/people/invitations", {"name": "Zed", "role": "dealer"})
        ben.post(f"/api/people/requests/{refused['id']}/refuse", {})
        change = ada.post("/api/people/Acc/role", {"role": "floorperson"})
        ben.post(f"/api/people/requests/{change['id']}/approve", {})
        ada.post("/api/people/Acc/lock", {})
        main(["appoint", "regulator", "Reg", "--database", path])
    assert audit_database(path).problems == []
    forgeries = {
        "UPDATE people SET role = 'shift_manager' WHERE name = 'Acc'": (
            "Acc is a shift manager, but according to the journal a floorperson"
        ),
        "UPDATE people SET name = 'Eve' WHERE name = 'Acc'": "Eve is a floorperson, but the journal does not say",
        "UPDATE account_requests SET second = 'Ada' WHERE act = 'change_role'": "differs from request",
        "UPDATE account_requests SET status = 'waiting' WHERE act = 'create' AND name = 'Acc'": "was never approved",
        "UPDATE account_requests SET status = 'approved' WHERE name = 'Zed'": "was approved, but is not in the journal",
        "DELETE FROM account_requests WHERE name = 'Zed'": "is for a request that is missing",
    }
    for statement, expected in forgeries.items():
        forged = shutil.copy(path, tmp_path / "forged.db")
        with closing(sqlite3.connect(forged)) as connection:
            connection.execute(statement)
            connection.commit()
        messages = [finding.message for _, finding in audit_database(str(forged)).problems]
        assert any(expected in message for message in messages), (statement, messages)

"""A running house with real money: who sees acts on accounts, what its settings demand, and cheats with roles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cli.main import main
from croupier.client import Client, RequestFailed
from croupier.server.accounts.invitations import issue_setup_links
from croupier.server.clock import epoch_milliseconds
from croupier.server.config import Config, load_config
from croupier.server.services import play_table
from croupier.storage import Store
from croupier.storage.repositories import journal
from croupier.table.model.roles import SYSTEM, Role
from tests.server.accounts.services import PASSWORD, Clock, fast_hasher
from tests.server.servers import ROLES, TEST_CONFIG, Server, expect_refusal, run_server
from tests.storage.rounds import fund_wallet

HOUSE: Config = replace(TEST_CONFIG, play_money_only=False)
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
    with run_server(path) as server:  # play money only
        eve, pat = server.add_person("Eve", Role.ADMINISTRATOR), server.add_person("Pat", Role.PATRON)
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

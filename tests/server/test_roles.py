"""Nobody can act for somebody else: every role and command, other patrons' seats, invalid sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client, RequestFailed
from croupier.server.config import Config, GuestSettings
from croupier.server.services import play_table
from croupier.server.tables.command_endpoint import COMMAND_KINDS
from croupier.server.tables.service import STAFFED, default_settings
from croupier.storage import Store, reconciliation
from croupier.table import Phase
from croupier.table.model.roles import Role
from tests.server.servers import ROLES, STAFF, TEST_CONFIG, Server, expect_refusal, run_server

VALUES: dict[str, Any] = {
    "by_device": True,
    "deck": 1,
    "decks": [1],
    "reason": "a test",
    "depth": 26,
    "patron": "Ann",
    "seats": [5],
    "seat": 1,
    "wager": "ante",
    "amount": 5_00,
    "counted": 0,
    "stub": 34,
    "reference": "1",
    "exposed": False,
    "where": "the stub",
    "device": "shoe",
    "marked": "covered",
    "method": "hand",
    "shuffler": "automated",
    "abandoned": True,
    "outcome": "void",
    "round": 1,
    "returned": 0,
    "paid": 0,
    "text": "a text",
    "cards": ["As", "Kd"],
    "place": "player",
    "number": 1,
    "card": "As",
    "is_duplicate": True,
}
"""A valid value for each field of a command."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def table_snapshot(store: Store, name: str) -> Any:
    """Everything that a command can change about a table."""
    return store.seq(name), reconciliation.balances(store.database, name), store.table(name)


def build_command(kind: str, seq: int, key: str, **values: Any) -> dict[str, Any]:
    fields = {name: VALUES[name] for name in COMMAND_KINDS[kind].required}
    return {"command": kind, "key": key, "seq": seq, **fields, **values}


def sit_down(server: Server, table: str, *names: str) -> dict[str, Client]:
    people = {}
    for seat, name in enumerate(names, 1):
        people[name] = server.add_person(name, Role.PATRON, cents=1_000_00)
        people[name].sit(table, seat, chips=500_00)
    return people


def start_round(server: Server, table: str, people: dict[str, Client]) -> None:
    for seat, person in enumerate(people.values(), 1):
        person.command(table, "PlaceWager", seat=seat, wager="ante", amount=5_00)
    for person in people.values():
        person.ready(table)
    assert server.state(table)[0].phase is Phase.DECIDING


def test_every_command_field_has_a_test_value() -> None:
    assert {name for kind in COMMAND_KINDS.values() for name in kind.required} <= set(VALUES)


@pytest.mark.parametrize("moment", ["closed", "betting", "deciding"])
def test_ACC_1_no_role_can_send_the_commands_of_another(server: Server, moment: str) -> None:
    table = server.open_table(play_table("pa-682a"))
    if moment != "closed":
        people = sit_down(server, table, "Ann", "Bob")
        if moment == "deciding":
            start_round(server, table, people)
    people = {str(role): server.add_person(f"the {role}", role) for role in ROLES}
    before, path = table_snapshot(server.store, table), f"/api/tables/{quote(table)}/commands"
    for role in ROLES:
        for kind, command_kind in COMMAND_KINDS.items():
            is_patron_command = role is Role.PATRON and Role.PATRON in command_kind.type.roles
            if role in command_kind.type.roles and not is_patron_command and role is not Role.DEALER:
                continue  # permitted for the role; the table decides whether it is the right time
            refusal = expect_refusal(people[role], "POST", path, build_command(kind, before[0], f"{role} {kind}"))
            assert refusal.status == 422, (role, kind, refusal)
            assert table_snapshot(server.store, table) == before, (role, kind)


def test_dealers_cannot_act_at_an_electronic_table(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    people = sit_down(server, table, "Ann", "Bob")
    start_round(server, table, people)
    dealer, before = server.add_person("Dana", Role.DEALER), table_snapshot(server.store, table)
    path = f"/api/tables/{quote(table)}/commands"
    for kind in COMMAND_KINDS:
        refusal = expect_refusal(dealer, "POST", path, build_command(kind, before[0], kind))
        assert "electronic" in refusal.reason
    assert table_snapshot(server.store, table) == before


ANNS_COMMANDS: dict[str, dict[str, Any]] = {
    "Sit": {"patron": "Ann", "seats": [4]},
    "Leave": {"patron": "Ann"},
    "AnnounceLeaving": {"patron": "Ann"},
    "GetReady": {"patron": "Ann"},
    "PlaceWager": {"seat": 1, "wager": "ante", "amount": 5_00},
    "Decide": {"seat": 1, "amount": None},
    "FundAccount": {"patron": "Ann", "amount": 1_00},
    "ContributeToDeal": {"patron": "Ann", "text": "mine"},
}
"""The commands that Ann may send."""


def test_all_commands_of_patrons_are_covered() -> None:
    assert set(ANNS_COMMANDS) == {name for name, kind in COMMAND_KINDS.items() if Role.PATRON in kind.type.roles}


@pytest.mark.parametrize("moment", ["betting", "deciding"])
@pytest.mark.parametrize("kind", ANNS_COMMANDS)
def test_nobody_plays_another_patrons_seat(server: Server, kind: str, moment: str) -> None:
    table = server.open_table(replace(play_table("pa-683a"), verifiable=True))
    people = sit_down(server, table, "Ann", "Bob")
    if moment == "deciding":
        start_round(server, table, people)
    strangers = [people["Bob"], server.add_person("Olga", Role.PATRON)]
    strangers += [server.add_person(f"the {role}", role) for role in STAFF]
    before, path = table_snapshot(server.store, table), f"/api/tables/{quote(table)}/commands"
    for stranger in strangers:
        refusal = expect_refusal(
            stranger, "POST", path, build_command(kind, before[0], stranger.name, **ANNS_COMMANDS[kind])
        )
        assert refusal.status == 422, (stranger.name, refusal)
        assert table_snapshot(server.store, table) == before, stranger.name


def test_staff_cannot_sit_down_or_buy_chips(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    before = table_snapshot(server.store, table)
    for role in STAFF:
        person = server.add_person(f"the {role}", role)
        for part, body in (
            ("sit", {"seats": [1], "key": "k"}),
            ("chips", {"amount_cents": 5, "key": "k"}),
            ("ready", {}),
        ):
            assert expect_refusal(person, "POST", f"/api/tables/{quote(table)}/{part}", body).status == 403
    assert table_snapshot(server.store, table) == before


def test_a_patron_moves_only_their_own_money(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    people = sit_down(server, table, "Ann", "Bob")
    path = f"/api/tables/{quote(table)}"
    bob = people["Bob"]
    for body in ({"amount_cents": 1_00, "key": "k", "patron": "Ann"}, {"seats": [3], "key": "k", "patron": "Ann"}):
        part = "chips" if "amount_cents" in body else "sit"
        assert expect_refusal(bob, "POST", f"{path}/{part}", body).status == 400
    olga = server.add_person("Olga", Role.PATRON, cents=1_000_00)
    assert expect_refusal(olga, "POST", f"{path}/chips", {"amount_cents": -1_00, "key": "k"}).status == 422
    assert expect_refusal(olga, "POST", f"{path}/ready", {}).status == 422
    assert expect_refusal(bob, "POST", f"{path}/chips", {"amount_cents": -500_01, "key": "k"}).status == 422


def invalid_sessions(server: Server) -> Iterator[tuple[str, dict[str, str]]]:
    eve = server.add_person("Eve", Role.PATRON)
    token = eve.token
    yield "nobody", {}
    yield "empty", {"Authorization": "Bearer "}
    yield "forged", {"Authorization": f"Bearer {'A' * 43}"}
    yield "cut", {"Authorization": f"Bearer {token[:-1]}"}
    yield "another scheme", {"Authorization": f"Basic {token}"}
    yield "as a cookie without its CSRF token", {"Cookie": f"croupier_session={token}"}
    yield "with another's CSRF token", {"Cookie": f"croupier_session={token}", "X-CSRF-Token": "A" * 43}
    server.clock.advance(minutes=121)
    yield "expired", {"Authorization": f"Bearer {token}"}


def test_requests_without_a_valid_session_change_nothing(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    before, path = table_snapshot(server.store, table), f"/api/tables/{quote(table)}"
    import http.client

    for name, headers in invalid_sessions(server):
        for part, body in (
            ("commands", build_command("Sit", before[0], "k")),
            ("sit", {"seats": [1], "key": "k"}),
            ("chips", {"amount_cents": 5, "key": "k"}),
            ("ready", {}),
            ("retire", {}),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            sent_headers = {"Content-Type": "application/json", **headers}
            connection.request("POST", f"{path}/{part}", json.dumps(body), sent_headers)
            response = connection.getresponse()
            reason = json.loads(response.read())["error"]["reason"]
            connection.close()
            assert response.status == (403 if "CSRF" in name else 401), (name, part, reason)
    assert table_snapshot(server.store, table) == before


def test_a_signed_out_patron_is_refused(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    ann = sit_down(server, table, "Ann")["Ann"]
    seq = server.state(table)[1]
    ann.post("/api/sign-out", {})
    with pytest.raises(RequestFailed) as raised:
        ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq)
    assert raised.value.status == 401


def test_guests_have_only_the_rights_of_patrons(tmp_path: Path) -> None:
    config: Config = replace(TEST_CONFIG, guests=GuestSettings(allowed=True, play_money=300_00), open=("pa-682a",))
    with run_server(str(tmp_path / "house.db"), config) as server:
        guest = server.anonymous_client()
        guest.guest()
        (table,) = [summary["table"] for summary in guest.tables()]
        too_much = {"seats": [1], "chips_cents": 300_01, "key": "k"}
        assert expect_refusal(guest, "POST", f"/api/tables/{quote(table)}/sit", too_much).status == 422
        assert server.state(table)[0].seats == {}
        guest.sit(table, 1, chips=300_00)
        assert guest.table(table)["you"]["chips_cents"] == 300_00
        for path in ("/api/people", "/api/settings", "/api/submissions", f"/api/tables/{quote(table)}/events"):
            assert expect_refusal(guest, "GET", path).status == 403
        assert (
            expect_refusal(guest, "POST", "/api/tables", {"table": "x", "submission": "x", "version": 1}).status == 403
        )


def test_the_number_of_guests_is_limited(tmp_path: Path) -> None:
    config: Config = replace(TEST_CONFIG, guests=GuestSettings(allowed=True, most=2), open=("pa-682a",))
    with run_server(str(tmp_path / "house.db"), config) as server:
        guests = [server.anonymous_client() for _ in range(3)]
        for guest in guests[:2]:
            guest.guest()
        assert expect_refusal(guests[2], "POST", "/api/guests", {}).status == 503
        guests[0].post("/api/sign-out", {})
        guests[2].guest()


def test_at_a_staffed_table_the_dealer_cannot_act_for_absent_patrons(server: Server) -> None:
    settings = replace(default_settings(TEST_CONFIG, STAFFED), self_service=True)
    table = server.open_table(play_table("pa-682a"), settings)
    before, dealer = table_snapshot(server.store, table), server.add_person("Dana", Role.DEALER)
    for kind in ("PlaceWager", "Decide", "Leave", "FundAccount", "ContributeToDeal"):
        body = build_command(kind, before[0], kind, **ANNS_COMMANDS[kind])
        assert expect_refusal(dealer, "POST", f"/api/tables/{quote(table)}/commands", body).status == 422
    assert table_snapshot(server.store, table) == before


def test_a_guest_gains_no_real_money(tmp_path: Path) -> None:
    """Play money stays at play tables: no seat at a table of an approved submission, and no withdrawal."""
    config: Config = replace(TEST_CONFIG, guests=GuestSettings(allowed=True, play_money=300_00), open=("pa-682a",))
    with run_server(str(tmp_path / "house.db"), config) as server:
        guest = server.anonymous_client()
        name = guest.guest()
        (demo,) = guest.tables()
        assert (demo["currency"], guest.table(demo["table"])["currency"]) == ("play", "play")
        assert guest.get("/api/account")["currency"] == "play"
        settings = replace(default_settings(TEST_CONFIG), submission="Prime", version=1)
        table = server.open_table(replace(play_table("pa-682a"), name="Pit 1"), settings)
        assert guest.table(table)["currency"] == "real"
        for chips in (0, 100_00):
            seat = {"seats": [1], "chips_cents": chips, "key": f"k{chips}"}
            refusal = expect_refusal(guest, "POST", f"/api/tables/{quote(table)}/sit", seat)
            assert refusal.status == 422
            assert "table Pit 1 is for real money" in refusal.reason
        assert server.state(table)[0].seats == {}
        cashier = server.add_person("Cash", Role.ACCOUNTING)
        request = {"id": "w", "kind": "withdrawal", "patron": name, "amount_cents": 1_00}
        refusal = expect_refusal(cashier, "POST", "/api/requests", request)
        assert "has play money, and a withdrawal moves real money" in refusal.reason
        assert cashier.get("/api/requests") == []


def test_a_floorperson_alone_corrects_no_payment(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    floorperson = server.add_person("Flo", Role.FLOORPERSON)
    correction = {"command": "CorrectPayment", "key": "k", "seq": 0, "round": 1, "seat": 1, "wager": "ante"}
    correction |= {"old_returned": 0, "old_paid": 0, "returned": 0, "paid": 1_000_000_00, "reason": "misread"}
    refusal = expect_refusal(floorperson, "POST", f"/api/tables/{quote(table)}/commands", correction)
    assert "CorrectPayment needs two people: request it at /api/requests" in refusal.reason

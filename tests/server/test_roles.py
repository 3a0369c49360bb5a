"""Nobody acts for somebody else: every role and every command, other patrons' seats, sessions that are none."""

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
from croupier.server.tables.command_parser import COMMAND_KINDS
from croupier.server.tables.settings import STAFFED, default_settings
from croupier.storage import Store, reconciliation
from croupier.table import Phase
from croupier.table.model.roles import Role
from tests.server.table_services import QUIET, ROLES, STAFF, Server, refused, serving

VALUES: dict[str, Any] = {
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
}
"""Something that each value of a command may be."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(str(tmp_path / "house.db")) as up:
        yield up


def whole(store: Store, name: str) -> Any:
    """Everything about a table that a command could change."""
    return store.seq(name), reconciliation.balances(store.database, name), store.table(name)


def said(kind: str, seq: int, key: str, **values: Any) -> dict[str, Any]:
    wanted = {name: VALUES[name] for name in COMMAND_KINDS[kind].required}
    return {"command": kind, "key": key, "seq": seq, **wanted, **values}


def sit_down(server: Server, table: str, *names: str) -> dict[str, Client]:
    people = {}
    for seat, name in enumerate(names, 1):
        people[name] = server.person(name, Role.PATRON, cents=1_000_00)
        people[name].sit(table, seat, chips=500_00)
    return people


def in_mid_round(server: Server, table: str, people: dict[str, Client]) -> None:
    for seat, person in enumerate(people.values(), 1):
        person.command(table, "PlaceWager", seat=seat, wager="ante", amount=5_00)
    for person in people.values():
        person.ready(table)
    assert server.state(table)[0].phase is Phase.DECIDING


def test_every_value_of_every_command_is_known() -> None:
    assert {name for kind in COMMAND_KINDS.values() for name in kind.required} <= set(VALUES)


@pytest.mark.parametrize("moment", ["closed", "betting", "deciding"])
def test_ACC_1_no_role_does_what_is_another_ones(server: Server, moment: str) -> None:
    table = server.open(play_table("pa-682a"))
    if moment != "closed":
        people = sit_down(server, table, "Ann", "Bob")
        if moment == "deciding":
            in_mid_round(server, table, people)
    people = {str(role): server.person(f"the {role}", role) for role in ROLES}
    before, path = whole(server.store, table), f"/api/tables/{quote(table)}/commands"
    for role in ROLES:
        for kind, known in COMMAND_KINDS.items():
            own_patron = role is Role.PATRON and Role.PATRON in known.type.roles
            if role in known.type.roles and not own_patron and role is not Role.DEALER:
                continue  # it is his: whether it is the time for it is the table's business
            problem = refused(people[role], "POST", path, said(kind, before[0], f"{role} {kind}"))
            assert problem.status == 422, (role, kind, problem)
            assert whole(server.store, table) == before, (role, kind)


def test_dealers_do_nothing_at_an_electronic_table(server: Server) -> None:
    table = server.open(play_table("pa-682a"))
    people = sit_down(server, table, "Ann", "Bob")
    in_mid_round(server, table, people)
    dealer, before = server.person("Dana", Role.DEALER), whole(server.store, table)
    path = f"/api/tables/{quote(table)}/commands"
    for kind in COMMAND_KINDS:
        problem = refused(dealer, "POST", path, said(kind, before[0], kind))
        assert "electronic" in problem.reason
    assert whole(server.store, table) == before


OF_ANN: dict[str, dict[str, Any]] = {
    "Sit": {"patron": "Ann", "seats": [4]},
    "Leave": {"patron": "Ann"},
    "AnnounceLeaving": {"patron": "Ann"},
    "GetReady": {"patron": "Ann"},
    "PlaceWager": {"seat": 1, "wager": "ante", "amount": 5_00},
    "Decide": {"seat": 1, "amount": None},
    "FundAccount": {"patron": "Ann", "amount": 1_00},
    "ContributeToDeal": {"patron": "Ann", "text": "mine"},
}
"""What Ann may do at her seat."""


def test_the_commands_of_patrons_are_all_tried() -> None:
    assert set(OF_ANN) == {name for name, kind in COMMAND_KINDS.items() if Role.PATRON in kind.type.roles}


@pytest.mark.parametrize("moment", ["betting", "deciding"])
@pytest.mark.parametrize("kind", OF_ANN)
def test_nobody_plays_another_ones_seat(server: Server, kind: str, moment: str) -> None:
    table = server.open(replace(play_table("pa-683a"), verifiable=True))
    people = sit_down(server, table, "Ann", "Bob")
    if moment == "deciding":
        in_mid_round(server, table, people)
    strangers = [people["Bob"], server.person("Olga", Role.PATRON)]
    strangers += [server.person(f"the {role}", role) for role in STAFF]
    before, path = whole(server.store, table), f"/api/tables/{quote(table)}/commands"
    for stranger in strangers:
        problem = refused(stranger, "POST", path, said(kind, before[0], stranger.name, **OF_ANN[kind]))
        assert problem.status == 422, (stranger.name, problem)
        assert whole(server.store, table) == before, stranger.name


def test_staff_sits_nowhere_and_has_no_chips(server: Server) -> None:
    table = server.open(play_table("pa-682a"))
    before = whole(server.store, table)
    for role in STAFF:
        person = server.person(f"the {role}", role)
        for part, body in (
            ("sit", {"seats": [1], "key": "k"}),
            ("chips", {"amount_cents": 5, "key": "k"}),
            ("ready", {}),
        ):
            assert refused(person, "POST", f"/api/tables/{quote(table)}/{part}", body).status == 403
    assert whole(server.store, table) == before


def test_a_patron_moves_only_his_own_money(server: Server) -> None:
    table = server.open(play_table("pa-682a"))
    people = sit_down(server, table, "Ann", "Bob")
    path = f"/api/tables/{quote(table)}"
    bob = people["Bob"]
    for body in ({"amount_cents": 1_00, "key": "k", "patron": "Ann"}, {"seats": [3], "key": "k", "patron": "Ann"}):
        part = "chips" if "amount_cents" in body else "sit"
        assert refused(bob, "POST", f"{path}/{part}", body).status == 400
    olga = server.person("Olga", Role.PATRON, cents=1_000_00)
    assert refused(olga, "POST", f"{path}/chips", {"amount_cents": -1_00, "key": "k"}).status == 422
    assert refused(olga, "POST", f"{path}/ready", {}).status == 422
    assert refused(bob, "POST", f"{path}/chips", {"amount_cents": -500_01, "key": "k"}).status == 422


def sessions_that_are_none(server: Server) -> Iterator[tuple[str, dict[str, str]]]:
    ann = server.person("Eve", Role.PATRON)
    token = ann.token
    yield "nobody", {}
    yield "empty", {"Authorization": "Bearer "}
    yield "forged", {"Authorization": f"Bearer {'A' * 43}"}
    yield "cut", {"Authorization": f"Bearer {token[:-1]}"}
    yield "another scheme", {"Authorization": f"Basic {token}"}
    yield "as a cookie without its CSRF token", {"Cookie": f"croupier_session={token}"}
    yield "with another's CSRF token", {"Cookie": f"croupier_session={token}", "X-CSRF-Token": "A" * 43}
    server.clock.later(minutes=121)
    yield "expired", {"Authorization": f"Bearer {token}"}


def test_without_a_session_nothing_happens(server: Server) -> None:
    table = server.open(play_table("pa-682a"))
    before, path = whole(server.store, table), f"/api/tables/{quote(table)}"
    import http.client

    for what, headers in sessions_that_are_none(server):
        for part, body in (
            ("commands", said("Sit", before[0], "k")),
            ("sit", {"seats": [1], "key": "k"}),
            ("chips", {"amount_cents": 5, "key": "k"}),
            ("ready", {}),
            ("retire", {}),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            sent = {"Content-Type": "application/json", **headers}
            connection.request("POST", f"{path}/{part}", json.dumps(body), sent)
            answer = connection.getresponse()
            reason = json.loads(answer.read())["error"]["reason"]
            connection.close()
            assert answer.status == (403 if "CSRF" in what else 401), (what, part, reason)
    assert whole(server.store, table) == before


def test_who_was_signed_out_does_nothing_more(server: Server) -> None:
    table = server.open(play_table("pa-682a"))
    ann = sit_down(server, table, "Ann")["Ann"]
    seq = server.state(table)[1]
    ann.post("/api/sign-out", {})
    with pytest.raises(RequestFailed) as problem:
        ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq)
    assert problem.value.status == 401


def test_guests_are_patrons_and_no_more(tmp_path: Path) -> None:
    config: Config = replace(QUIET, guests=GuestSettings(allowed=True, play_money=300_00), open=("pa-682a",))
    with serving(str(tmp_path / "house.db"), config) as server:
        guest = server.nobody()
        guest.guest()
        (table,) = [found["table"] for found in guest.tables()]
        too_much = {"seats": [1], "chips_cents": 300_01, "key": "k"}
        assert refused(guest, "POST", f"/api/tables/{quote(table)}/sit", too_much).status == 422
        assert server.state(table)[0].seats == {}
        guest.sit(table, 1, chips=300_00)
        assert guest.table(table)["you"]["chips_cents"] == 300_00
        for path in ("/api/people", "/api/settings", "/api/submissions", f"/api/tables/{quote(table)}/events"):
            assert refused(guest, "GET", path).status == 403
        assert refused(guest, "POST", "/api/tables", {"table": "x", "submission": "x", "version": 1}).status == 403


def test_a_house_takes_so_many_guests_and_no_more(tmp_path: Path) -> None:
    config: Config = replace(QUIET, guests=GuestSettings(allowed=True, most=2), open=("pa-682a",))
    with serving(str(tmp_path / "house.db"), config) as server:
        guests = [server.nobody() for _ in range(3)]
        for guest in guests[:2]:
            guest.guest()
        assert refused(guests[2], "POST", "/api/guests", {}).status == 503
        guests[0].post("/api/sign-out", {})
        guests[2].guest()


def test_at_a_staffed_table_the_dealer_acts_for_nobody_who_is_not_there(server: Server) -> None:
    running = replace(default_settings(QUIET, STAFFED), self_service=True)
    table = server.open(play_table("pa-682a"), running)
    before, dealer = whole(server.store, table), server.person("Dana", Role.DEALER)
    for kind in ("PlaceWager", "Decide", "Leave", "FundAccount", "ContributeToDeal"):
        body = said(kind, before[0], kind, **OF_ANN[kind])
        assert refused(dealer, "POST", f"/api/tables/{quote(table)}/commands", body).status == 422
    assert whole(server.store, table) == before

"""The journal names who signed in and out, who acted in which role, and what was started and stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier import __version__
from croupier.client import RequestFailed
from croupier.core.program_digest import installed_digest
from croupier.storage import StorageUnavailable, Store
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import JournalEntry
from croupier.storage.sql import schema as s
from croupier.table.model.roles import SYSTEM, Actor, Role
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server

ADA = Actor("Ada", Role.ADMINISTRATOR)
PASSWORD = "a password 1"  # noqa: S105 - what `add_person` sets


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def entries(store: Store, *kinds: str) -> list[JournalEntry]:
    return journal.read(store, kinds=kinds)


def test_LOG_2_sign_ins_and_sign_outs_name_person_and_role(server: Server) -> None:
    for role in (Role.PATRON, Role.ACCOUNTING, Role.REGULATOR, Role.ADMINISTRATOR):
        server.add_person(f"the {role}", role)
        client = server.anonymous_client()
        client.sign_in(f"the {role}", PASSWORD)
        client.post("/api/sign-out", {})
        signed_in, signed_out = entries(server.store, "signed_in", "signed_out")[-2:]
        assert signed_in.by == signed_out.by == Actor(f"the {role}", role)
        assert signed_in.data == {
            "name": f"the {role}",
            "method": "password",
            "address": "127.0.0.1",
            "program": True,
        }
        assert signed_out.data == {"name": f"the {role}", "address": "127.0.0.1"}


def test_LOG_1_the_end_of_a_session_by_timeout_is_a_line(server: Server) -> None:
    """Whether a request or the scheduled work notices it; a session ends once, and so does its line."""
    ada, pat = server.add_person("Ada", Role.ADMINISTRATOR), server.add_person("Pat", Role.PATRON)
    last_used = server.clock()
    server.clock.advance(minutes=16)
    assert ada.get("/api/me")["person"] is None
    assert pat.get("/api/me")["person"]["name"] == "Pat"
    (idle,) = entries(server.store, "session_expired")
    assert (idle.by, idle.at) == (SYSTEM, server.clock())
    assert idle.data == {"name": "Ada", "role": "administrator", "reason": "idle", "last_used": last_used}
    server.clock.advance(minutes=12 * 60)
    server.services.tidy()
    server.services.tidy()
    assert pat.get("/api/me")["person"] is None
    _, over = entries(server.store, "session_expired")
    assert (over.data["name"], over.data["role"], over.data["reason"]) == ("Pat", "patron", "lifetime")
    assert not entries(server.store, "signed_out")


def test_an_account_does_not_change_without_its_line(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal fails: nobody is created, appointed or given another password."""
    ada = server.add_person("Ada", Role.ADMINISTRATOR)
    server.services.users.create("Ben", Role.ADMINISTRATOR, by=SYSTEM)
    with server.store.database.read_transaction() as connection:
        before = [list(connection.execute(table.select())) for table in (s.people, s.account_requests, s.wallets)]

    def fail(*arguments: Any, **values: Any) -> int:
        raise StorageUnavailable("the disk is full")

    monkeypatch.setattr(journal, "_enter", fail)
    attempts = [
        ("/api/people/invitations", {"name": "Eve", "role": "accounting"}),
        ("/api/people/invitations", {"name": "Pat", "role": "patron"}),
        ("/api/people/Ben/lock", {}),
        ("/api/password", {"old": PASSWORD, "new": "another long one 77"}),
    ]
    for path, payload in attempts:
        assert expect_refusal(ada, "POST", path, payload).status == 503
    monkeypatch.undo()
    with server.store.database.read_transaction() as connection:
        after = [list(connection.execute(table.select())) for table in (s.people, s.account_requests, s.wallets)]
    assert after == before


def test_a_failed_sign_in_is_not_an_act_of_the_person_named(server: Server) -> None:
    server.add_person("Ada", Role.ADMINISTRATOR)
    with pytest.raises(RequestFailed):
        server.anonymous_client().sign_in("Ada", "wrong")
    (failure,) = entries(server.store, "sign_in_failed")
    assert (failure.by, failure.data["name"]) == (SYSTEM, "Ada")


def test_LOG_2_administrators_act_under_their_name_and_role(server: Server) -> None:
    ada = server.add_person("Ada", Role.ADMINISTRATOR)
    server.add_person("Pat", Role.PATRON)
    for action in ("lock", "unlock", "deactivate", "reactivate", "sessions/close"):
        ada.post(f"/api/people/Pat/{action}", {})
    kinds = ["person_locked", "person_unlocked", "person_deactivated", "person_reactivated", "sessions_closed"]
    acts = entries(server.store, *kinds)
    assert [entry.kind for entry in acts] == kinds
    assert {entry.by for entry in acts} == {ADA}
    assert {entry.data["name"] for entry in acts} == {"Pat"}


def test_a_guest_and_a_second_sign_in_are_recorded(tmp_path: Path) -> None:
    config = replace(TEST_CONFIG, guests=replace(TEST_CONFIG.guests, allowed=True), open=("pa-682a",))
    with run_server(str(tmp_path / "house.db"), config) as server:
        name = server.anonymous_client().guest()
        (entry,) = entries(server.store, "signed_in")
        assert (entry.by, entry.data["method"]) == (Actor(name, Role.PATRON), "guest")


def described(entry: JournalEntry) -> dict[str, Any]:
    return {name: entry.data[name] for name in ("version", "program", "configuration")}


def test_LOG_1_start_stop_configuration_and_program_are_recorded(tmp_path: Path) -> None:
    path = str(tmp_path / "house.db")
    other = replace(TEST_CONFIG, facility="Another house")
    for config in (TEST_CONFIG, TEST_CONFIG, other):
        with run_server(path, config):
            pass
    store = Store(path)
    starts = entries(store, "server_started")
    configurations = entries(store, "configuration_recorded")
    assert [entry.data["settings"]["facility"] for entry in configurations] == ["Croupier", "Another house"]
    digests = [entry.data["digest"] for entry in configurations]
    assert digests[0] != digests[1]
    expected = {"version": __version__, "program": installed_digest()}
    assert [described(entry) for entry in starts] == [
        {**expected, "configuration": digest} for digest in (digests[0], digests[0], digests[1])
    ]
    stops = entries(store, "server_stopped")
    assert [entry.data["process"] for entry in stops] == [entry.data["process"] for entry in starts]
    assert {entry.by for entry in (*starts, *stops, *configurations)} == {SYSTEM}
    order = [entry.kind for entry in entries(store, "server_started", "server_stopped")]
    assert order == ["server_started", "server_stopped"] * 3
    store.close()


def test_the_recorded_configuration_has_no_password(tmp_path: Path) -> None:
    """The URL of a database may contain one; the journal is read by many."""
    with run_server(str(tmp_path / "house.db")) as server:
        (entry,) = entries(server.store, "configuration_recorded")
        assert entry.data["settings"]["database"] == server.store.database.name

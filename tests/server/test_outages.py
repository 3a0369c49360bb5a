"""Requests while the database fails: 503, nothing half done, and not a word about where the database is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa

from croupier.client import Client
from croupier.server.services import play_table
from croupier.storage import StorageUnavailable, reconciliation
from croupier.storage.repositories import journal
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database
from croupier.storage.unit_of_work import CommandBatch
from croupier.table.model.roles import Role
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server
from tests.storage.postgres import Cluster

GUESTS = replace(TEST_CONFIG, guests=replace(TEST_CONFIG.guests, allowed=True), open=("pa-682a",))


# Repeated keys.


@pytest.fixture
def postgres_server(cluster: Cluster) -> Iterator[Server]:
    url = cluster.new_database()
    with run_server(url) as instance:
        yield instance
    cluster.drop_database(url)


def crash_while_repeating(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """The database server ends the connection whenever the events of a repeated key are read."""
    real, left = CommandBatch._load_stored_events, [times]

    def load(batch: CommandBatch, *arguments: Any) -> Any:
        if left[0]:
            left[0] -= 1
            batch._connection.execute(sa.text("SELECT pg_terminate_backend(pg_backend_pid())"))
        return real(batch, *arguments)

    monkeypatch.setattr(CommandBatch, "_load_stored_events", load)


def place_wager(server: Server) -> tuple[Client, str, dict[str, Any]]:
    table = server.open_table(play_table("pa-682a"))
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    seq = ann.sit(table, 1, chips=100_00)["seq"]
    body = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": 5_00, "seq": seq, "key": "wager"}
    path = f"/api/tables/{quote(table)}/commands"
    assert not ann.post(path, body)["repeated"]
    return ann, path, body


def test_a_repeated_key_during_a_crash_gets_503(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, path, body = place_wager(postgres_server)
    crash_while_repeating(monkeypatch, times=2)
    refusal = expect_refusal(ann, "POST", path, body)
    assert (refusal.status, refusal.reason[:34]) == (503, "the database cannot be reached, so")
    assert ann.post(path, body)["repeated"]


def test_a_repeated_key_survives_one_lost_connection(postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, path, body = place_wager(postgres_server)
    crash_while_repeating(monkeypatch, times=1)
    assert ann.post(path, body)["repeated"]


def test_exhausted_connections_and_raw_driver_errors_are_storage_errors(cluster: Cluster) -> None:
    database = Database(cluster.new_database())
    for error in (sa.exc.TimeoutError("QueuePool limit"), sa.exc.PendingRollbackError("rolled back"), _driver_error()):
        with pytest.raises(StorageUnavailable, match="nothing was acknowledged"), database.read_transaction():
            raise error
    database.close()


def _driver_error() -> Exception:
    import psycopg

    return psycopg.OperationalError("the connection is lost")


# Guests.


def count_rows(server: Server) -> dict[str, int]:
    tables = (s.people, s.wallets, s.journal, s.cage_entries, s.sessions)
    with server.store.database.read_transaction() as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in tables
        }


@pytest.mark.parametrize("table", ["wallets", "journal", "cage_entries"])
def test_a_guest_exists_with_their_money_or_not_at_all(tmp_path: Path, table: str) -> None:
    """The database fails at each step of the creation of a guest; every step is in one transaction."""
    path = tmp_path / "house.db"
    with run_server(str(path), GUESTS) as server:
        before = count_rows(server)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(
                f"CREATE TRIGGER fail BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'disk I/O error'); END"
            )
        assert expect_refusal(server.anonymous_client(), "POST", "/api/guests", {}).status in (409, 503)
        assert count_rows(server) == before
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DROP TRIGGER fail")
        guest = server.anonymous_client()
        name = guest.guest()
        assert server.store.wallet(name) == GUESTS.guests.play_money
        kinds = [(entry.kind, entry.patron or entry.data.get("name")) for entry in journal.read(server.store)]
        assert kinds[-3:] == [("person_created", name), ("play_money", name), ("signed_in", name)]
        assert reconciliation.find_wrong_wallets(server.store.database) == []


# Details.


SECRETS = ("house.db", "/dev/", "127.0.0.1", "localhost", "5432", "sqlite", "psycopg", "SELECT")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_a_503_says_nothing_about_paths_and_hosts(kind: str, tmp_path: Path) -> None:
    own_cluster = Cluster() if kind == "postgresql" else None
    url = own_cluster.new_database() if own_cluster else str(tmp_path / "house.db")
    try:
        with run_server(url) as server:
            ann, path, body = place_wager(server)
            token = ann.token
            if own_cluster:
                own_cluster.stop("immediate")
            else:
                with server.store.database.write_transaction() as connection:
                    for name in ("events", "people", "sessions", "wallets", "commands"):
                        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO {name}_away")
                server.services.sessions._cache.clear()
            requests: list[tuple[str, str, Any]] = [
                ("POST", path, {**body, "key": "new"}),
                ("POST", path, body),
                ("GET", "/api/people", None),
            ]
            requests += [
                ("POST", "/api/sign-in", {"name": "Ann", "password": "a password 1"}),
                ("GET", "/readyz", None),
            ]
            statuses = []
            for method, target, payload in requests:
                client = server.anonymous_client()
                client.token = token
                refusal = None
                try:
                    client.get(target) if method == "GET" else client.post(target, payload)
                except Exception as error:
                    refusal = error
                statuses.append(getattr(refusal, "status", 200))
                text = json.dumps([str(refusal), getattr(refusal, "place", "")])
                assert not [secret for secret in SECRETS if secret in text], text
            assert 503 in statuses
            assert 500 not in statuses
            if own_cluster:
                own_cluster.start()
            else:
                with server.store.database.write_transaction() as connection:
                    for name in ("events", "people", "sessions", "wallets", "commands"):
                        connection.exec_driver_sql(f"ALTER TABLE {name}_away RENAME TO {name}")
    finally:
        if own_cluster:
            own_cluster.remove()

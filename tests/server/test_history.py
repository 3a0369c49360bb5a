"""The history of retired and archived tables is read like that of open ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx

from croupier.client import Client
from croupier.server.config import GuestSettings
from croupier.server.services import play_table
from croupier.storage.archive import Retention, archive
from croupier.table.model.roles import Role
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server

SEARCHES: tuple[dict[str, str], ...] = (
    {},
    {"newest": "true", "limit": "3"},
    {"limit": "3"},
    {"kind": "WagerSettled"},
    {"seat": "2"},
    {"round": "1", "after": "20"},
    {"actor": "Ann"},
    {"at_least_cents": "1000"},
)


def _close_played_table(server: Server, edition_name: str = "pa-682a") -> tuple[str, Client, Client]:
    """Plays one round and closes the table; returns it with a shift manager and a regulator."""
    table = server.open_table(play_table(edition_name))
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit(table, 2, chips=500_00)
    ann.command(table, "PlaceWager", seat=2, wager="ante", amount=10_00)
    ann.command(table, "PlaceWager", seat=2, wager="prime", amount=5_00)
    ann.ready(table)
    ann.command(table, "Decide", seat=2, amount=None)
    ann.command(table, "Leave", patron="Ann")
    server.add_person("Flo", Role.FLOORPERSON).command(table, "CloseTable")
    return table, server.add_person("Mia", Role.SHIFT_MANAGER), server.add_person("Reg", Role.REGULATOR)


def _read_history(reader: Client, table: str) -> list[object]:
    path = f"/api/tables/{quote(table)}"
    answers = [reader.get(f"{path}/events?{urlencode(search)}")["events"] for search in SEARCHES]
    answers += [reader.get(f"{path}/rounds/1/steps"), reader.get(f"{path}/rounds"), reader.get(f"{path}/rounds/1")]
    return answers


def test_LOG_3_a_retired_table_and_an_archived_one_are_searched_and_replayed_like_an_open_one(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "house.db"), TEST_CONFIG) as server:
        table, manager, reader = _close_played_table(server)
        path = f"/api/tables/{quote(table)}"
        record = "".join(server.store.lines(table))
        manager.post(f"{path}/retire", {})
        assert [(entry["table"], entry["status"]) for entry in reader.get("/api/records/tables")] == [
            (table, "retired")
        ]
        retired = _read_history(reader, table)
        assert [len(result) for result in retired[: len(SEARCHES)] if isinstance(result, list)].count(0) == 0
        # A retired table hides nothing: its cards are out of play.
        assert _download_record(server, reader, path) == record
        all_events = reader.get("/api/records/events?limit=1000")
        assert [entry["seq"] for entry in all_events["events"]] == list(range(len(record.splitlines()) - 1, 0, -1))
        assert not all_events["more"]
        assert reader.get("/api/records/events?limit=1")["more"]

        archived = archive(server.store, tmp_path / "archive", server.clock() + 1, Retention(archive_after_days=0))
        assert [entry.table for entry in archived] == [table]
        assert [entry["status"] for entry in reader.get("/api/records/tables")] == ["archived"]
        assert _read_history(reader, table) == retired
        assert _download_record(server, reader, path) == record
        assert reader.get(f"{path}/audit")["problems"] == []
        assert reader.get("/api/records/events") == {"events": [], "more": False}

        archived[0].path.write_bytes(archived[0].path.read_bytes().replace(b"Ann", b"Eve"))
        assert "was changed" in expect_refusal(reader, "GET", f"{path}/rounds/1/steps").reason
        archived[0].path.unlink()
        assert "archived record of table" in expect_refusal(reader, "GET", f"{path}/events").reason
        for part in ("events", "rounds", "rounds/1/steps", "record", "audit"):
            assert expect_refusal(reader, "GET", f"/api/tables/Nowhere/{part}").status == 404


def _download_record(server: Server, reader: Client, path: str) -> str:
    response = httpx.get(f"{server.address}{path}/record", headers={"Authorization": f"Bearer {reader.token}"})
    assert response.status_code == 200
    return response.text


def test_the_search_of_all_tables_is_for_staff_and_hides_cards_in_play(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "house.db"), TEST_CONFIG) as server:
        table = server.open_table(play_table("pa-682a"))
        ann, sue = server.add_person("Ann", Role.PATRON, cents=1_000_00), server.add_person("Sue", Role.SURVEILLANCE)
        ann.sit(table, 2, chips=500_00)
        ann.command(table, "PlaceWager", seat=2, wager="ante", amount=10_00)
        ann.ready(table)
        for path in ("/api/records/tables", "/api/records/events"):
            assert expect_refusal(ann, "GET", path).status == 403
        events = sue.get("/api/records/events")["events"]
        hidden_from = sue.get(f"/api/tables/{quote(table)}/events")["hidden_from"]
        assert hidden_from is not None
        assert [event["seq"] for event in events] == list(range(hidden_from - 1, 0, -1))
        assert not any(event["event"] == "CardDealt" for event in events)


def test_a_server_starts_although_a_configured_table_is_archived(tmp_path: Path) -> None:
    database_url = str(tmp_path / "house.db")
    with run_server(database_url, TEST_CONFIG) as server:
        table, manager, _ = _close_played_table(server)
        manager.post(f"/api/tables/{quote(table)}/retire", {})
        archive(server.store, tmp_path / "archive", server.clock() + 1, Retention(archive_after_days=0))
    with run_server(
        database_url, replace(TEST_CONFIG, guests=GuestSettings(allowed=True), open=("pa-682a", "pa-679a"))
    ) as server:
        assert [summary["table"] for summary in server.anonymous_client().tables()] == [
            "Three Card Prime, Pennsylvania"
        ]

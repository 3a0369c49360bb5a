"""Tables that are no longer there: rounds, events and records are found as if they were, wherever they are kept."""

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
from tests.server.table_services import QUIET, Server, refused, serving

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


def _played(server: Server, setup_of: str = "pa-682a") -> tuple[str, Client, Client]:
    """A table with one round, closed, and nobody at it any more; with a manager and somebody who reads records."""
    table = server.open(play_table(setup_of))
    ann = server.person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit(table, 2, chips=500_00)
    ann.command(table, "PlaceWager", seat=2, wager="ante", amount=10_00)
    ann.command(table, "PlaceWager", seat=2, wager="prime", amount=5_00)
    ann.ready(table)
    ann.command(table, "Decide", seat=2, amount=None)
    ann.command(table, "Leave", patron="Ann")
    server.person("Flo", Role.FLOORPERSON).command(table, "CloseTable")
    return table, server.person("Mia", Role.SHIFT_MANAGER), server.person("Reg", Role.REGULATOR)


def _everything(reader: Client, table: str) -> list[object]:
    path = f"/api/tables/{quote(table)}"
    answers = [reader.get(f"{path}/events?{urlencode(search)}")["events"] for search in SEARCHES]
    answers += [reader.get(f"{path}/rounds/1/steps"), reader.get(f"{path}/rounds"), reader.get(f"{path}/rounds/1")]
    return answers


def test_LOG_3_a_retired_table_and_an_archived_one_are_searched_and_replayed_like_an_open_one(tmp_path: Path) -> None:
    with serving(str(tmp_path / "house.db"), QUIET) as server:
        table, manager, reader = _played(server)
        path = f"/api/tables/{quote(table)}"
        whole = "".join(server.store.lines(table))
        manager.post(f"{path}/retire", {})
        assert [(one["table"], one["status"]) for one in reader.get("/api/records/tables")] == [(table, "retired")]
        retired = _everything(reader, table)
        assert [len(found) for found in retired[: len(SEARCHES)] if isinstance(found, list)].count(0) == 0
        # Nothing of a retired table is hidden any more: its cards are out of play.
        assert _record(server, reader, path) == whole
        everywhere = reader.get("/api/records/events?limit=1000")
        assert [one["seq"] for one in everywhere["events"]] == list(range(len(whole.splitlines()) - 1, 0, -1))
        assert not everywhere["more"]
        assert reader.get("/api/records/events?limit=1")["more"]

        moved = archive(server.store, tmp_path / "archive", server.clock() + 1, Retention(archive_after_days=0))
        assert [one.table for one in moved] == [table]
        assert [one["status"] for one in reader.get("/api/records/tables")] == ["archived"]
        assert _everything(reader, table) == retired
        assert _record(server, reader, path) == whole
        assert reader.get(f"{path}/audit")["problems"] == []
        assert reader.get("/api/records/events") == {"events": [], "more": False}

        moved[0].path.write_bytes(moved[0].path.read_bytes().replace(b"Ann", b"Eve"))
        assert "was changed" in refused(reader, "GET", f"{path}/rounds/1/steps").reason
        moved[0].path.unlink()
        assert "archived record of table" in refused(reader, "GET", f"{path}/events").reason
        for part in ("events", "rounds", "rounds/1/steps", "record", "audit"):
            assert refused(reader, "GET", f"/api/tables/Nowhere/{part}").status == 404


def _record(server: Server, reader: Client, path: str) -> str:
    answer = httpx.get(f"{server.address}{path}/record", headers={"Authorization": f"Bearer {reader.token}"})
    assert answer.status_code == 200
    return answer.text


def test_what_is_found_everywhere_is_for_staff_and_hides_what_is_in_play(tmp_path: Path) -> None:
    with serving(str(tmp_path / "house.db"), QUIET) as server:
        table = server.open(play_table("pa-682a"))
        ann, sue = server.person("Ann", Role.PATRON, cents=1_000_00), server.person("Sue", Role.SURVEILLANCE)
        ann.sit(table, 2, chips=500_00)
        ann.command(table, "PlaceWager", seat=2, wager="ante", amount=10_00)
        ann.ready(table)
        for path in ("/api/records/tables", "/api/records/events"):
            assert refused(ann, "GET", path).status == 403
        found = sue.get("/api/records/events")["events"]
        hidden = sue.get(f"/api/tables/{quote(table)}/events")["hidden_from"]
        assert hidden is not None
        assert [one["seq"] for one in found] == list(range(hidden - 1, 0, -1))
        assert not any(one["event"] == "CardDealt" for one in found)


def test_a_server_starts_although_a_table_that_it_would_open_is_in_the_archive(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")
    with serving(where, QUIET) as server:
        table, manager, _ = _played(server)
        manager.post(f"/api/tables/{quote(table)}/retire", {})
        archive(server.store, tmp_path / "archive", server.clock() + 1, Retention(archive_after_days=0))
    with serving(where, replace(QUIET, guests=GuestSettings(allowed=True), open=("pa-682a", "pa-679a"))) as server:
        assert [one["table"] for one in server.nobody().tables()] == ["Three Card Prime, Pennsylvania"]

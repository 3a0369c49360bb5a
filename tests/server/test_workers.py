"""Advice for patrons at a table does not wait for drills, which anybody may ask for."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

from croupier.client import RequestFailed
from croupier.server.app import DRILL_NICENESS
from croupier.server.services import play_table
from croupier.server.workers.analysis import MAX_WAITING_QUERIES
from croupier.table.model.roles import Role
from tests.server.servers import TIMEOUT_SECONDS, Server, run_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance


def ask_drill(server: Server) -> int:
    try:
        server.anonymous_client().get("/api/drills/read_hand?edition=pa-682a")
    except RequestFailed as refusal:
        return refusal.status
    return 200


def test_advice_is_given_while_drills_fill_their_queue(server: Server) -> None:
    """The process for drills is stopped, and more drills are requested than may wait."""
    table = server.open_table(play_table("pa-682a"))
    ann = server.add_person("Ann", Role.PATRON, cents=100_00)
    ann.sit(table, 1, chips=50_00)
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00)
    ann.ready(table)
    assert ask_drill(server) == 200
    process = server.app.workers["drills"].process_id
    assert process is not None
    assert os.getpriority(os.PRIO_PROCESS, process) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + DRILL_NICENESS)
    drills = MAX_WAITING_QUERIES + 10
    os.kill(process, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(drills) as pool:
            requests = [pool.submit(ask_drill, server) for _ in range(drills)]
            advice = ann.get(f"/api/tables/{quote(table)}/advice")
            assert advice["best"]
            assert sum(not future.done() for future in requests) >= MAX_WAITING_QUERIES - 10, "drills still wait"
            os.kill(process, signal.SIGCONT)
            statuses = [future.result(TIMEOUT_SECONDS) for future in requests]
    finally:
        os.kill(process, signal.SIGCONT)
    assert set(statuses) <= {200, 503}
    assert statuses.count(200) >= MAX_WAITING_QUERIES - 10
    advice_process = server.app.workers["advice"].process_id
    assert advice_process is not None
    assert os.getpriority(os.PRIO_PROCESS, advice_process) == os.getpriority(os.PRIO_PROCESS, 0)

"""`GET /metrics`: Prometheus's own parser reads it, and it counts what happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from croupier.client import RequestFailed
from croupier.server.services import play_table
from croupier.table.model.roles import Role
from tests.server.servers import Server, run_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "metrics.db")) as running:
        yield running


def _samples(server: Server) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    response = httpx.get(f"{server.address}/metrics")
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    families = text_string_to_metric_families(response.text)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def test_commands_are_counted_by_outcome_with_their_latency(server: Server) -> None:
    table = server.open_table(play_table("pa-682a"))
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    seat = {"seats": [1], "chips_cents": 100_00, "key": "sit"}
    seq = ann.post(f"/api/tables/{quote(table)}/sit", seat)["seq"]
    wager = {"seat": 1, "wager": "ante", "seq": seq, "key": "one"}
    ann.command(table, "PlaceWager", amount=5_00, **wager)
    ann.command(table, "PlaceWager", amount=5_00, **wager)
    with pytest.raises(RequestFailed):
        ann.command(table, "PlaceWager", amount=5_00, **{**wager, "key": "stale"})
    samples = _samples(server)
    for outcome in ("done", "repeated", "stale"):
        assert samples["croupier_commands_total", (("outcome", outcome),)] == 1
    assert samples["croupier_command_seconds_count", ()] == 3
    assert samples["croupier_command_seconds_bucket", (("le", "+Inf"),)] == 3
    assert samples["croupier_tables", ()] == len(server.tables.names())
    assert samples["croupier_commits", ()] == server.tables.writer.commits > 0
    assert samples["croupier_watchers", ()] == 0

"""PostgreSQL crashes under load and full disks: clear errors, no loss, automatic recovery."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.checks import find_problems
from tests.faults.kills import open_tables
from tests.faults.players import Player
from tests.faults.servers import Server
from tests.storage.postgres import Cluster


def restart_postgresql(cluster: Cluster, folder: Path, times: int, tables: int = 4, *options: str) -> dict[str, int]:
    """Crashes and restarts PostgreSQL repeatedly while patrons play."""
    database = cluster.new_database()
    names = open_tables(database, tables)
    server = Server(database, folder / "server.log", *options)
    url = server.start()
    players = [Player(url, name) for name in names]
    for player in players:
        player.start()
    for _ in range(times):
        time.sleep(0.5)
        cluster.stop("immediate")
        time.sleep(0.5)
        cluster.start()
        server.wait_ready()
        _wait_for_progress(players)
    for player in players:
        player.end()
    assert server.stop() == 0
    failures = find_problems(database, players) + [sentence for player in players for sentence in player.errors]
    assert not failures, failures
    reasons = [reason for player in players for reason in player.unavailable]
    assert reasons, "no player was told about the outage"
    assert all("cannot be reached" in reason or "refuses" in reason for reason in reasons), set(reasons)
    return {
        "outages": times,
        "acknowledged": sum(len(player.acknowledged) for player in players),
        "unavailable": len(reasons),
    }


def fill_disk(folder: Path, tables: int = 3) -> dict[str, int]:
    """Limits the file size: the server reports it and acknowledges nothing, and continues once there is space."""
    database = str(folder / "full.db")
    names = open_tables(database, tables)
    server = Server(database, folder / "server.log")
    url = server.start(max_file_bytes=Path(database).stat().st_size + 400_000)
    players = [Player(url, name) for name in names]
    for player in players:
        player.start()
    _wait_until(lambda: all(player.unavailable or player.errors for player in players))
    for player in players:
        player.end()
    server.stop()
    reasons = {reason for player in players for reason in player.unavailable}
    assert reasons, "the disk did not fill"
    assert all("full" in reason or "written" in reason for reason in reasons), reasons
    failures = find_problems(database, players) + [sentence for player in players for sentence in player.errors]
    assert not failures, failures
    url = server.start()
    resumed = [Player(url, player.table, player) for player in players]
    for player in resumed:
        player.start()
    _wait_until(lambda: all(len(player.acknowledged) > 5 for player in resumed))
    for player in resumed:
        player.end()
    assert server.stop() == 0
    failures = find_problems(database, [*players, *resumed])
    assert not failures, failures
    return {"acknowledged": sum(len(player.acknowledged) for player in players), "unavailable": len(reasons)}


def _wait_for_progress(players: list[Player]) -> None:
    counts = [len(player.acknowledged) for player in players]
    _wait_until(lambda: all(len(player.acknowledged) > count for player, count in zip(players, counts, strict=True)))


def _wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "no progress before the timeout"
        time.sleep(0.02)

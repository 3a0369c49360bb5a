"""PostgreSQL that crashes in mid-load, a disk that is full: clear errors, no loss, and it goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.faults.checks import problems
from tests.faults.kills import open_tables
from tests.faults.players import Player
from tests.faults.servers import Server
from tests.storage.postgres import Cluster


def restart_postgresql(cluster: Cluster, folder: Path, times: int, tables: int = 4, *options: str) -> dict[str, int]:
    """The database crashes and comes back so often, while patrons play."""
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
        server.wait_healthy()
        _until_all_go_on(players)
    for player in players:
        player.end()
    assert server.stop() == 0
    found = problems(database, players) + [sentence for player in players for sentence in player.broken]
    assert not found, found
    said = [reason for player in players for reason in player.unavailable]
    assert said, "nobody was told that the database was away"
    assert all("cannot be reached" in reason or "refuses" in reason for reason in said), set(said)
    return {"outages": times, "acknowledged": sum(len(p.acknowledged) for p in players), "told_so": len(said)}


def fill_the_disk(folder: Path, tables: int = 3) -> dict[str, int]:
    """No file may grow any more: the server says so and acknowledges nothing; later there is room again."""
    database = str(folder / "full.db")
    names = open_tables(database, tables)
    server = Server(database, folder / "server.log")
    url = server.start(largest_file=Path(database).stat().st_size + 400_000)
    players = [Player(url, name) for name in names]
    for player in players:
        player.start()
    _until(lambda: all(player.unavailable or player.broken for player in players))
    for player in players:
        player.end()
    server.stop()
    said = {reason for player in players for reason in player.unavailable}
    assert said, "the disk did not fill"
    assert all("full" in reason or "written" in reason for reason in said), said
    found = problems(database, players) + [sentence for player in players for sentence in player.broken]
    assert not found, found
    url = server.start()
    again = [Player(url, player.table, player) for player in players]
    for player in again:
        player.start()
    _until(lambda: all(len(player.acknowledged) > 5 for player in again))
    for player in again:
        player.end()
    assert server.stop() == 0
    found = problems(database, [*players, *again])
    assert not found, found
    return {"acknowledged": sum(len(player.acknowledged) for player in players), "told_so": len(said)}


def _until_all_go_on(players: list[Player]) -> None:
    before = [len(player.acknowledged) for player in players]
    _until(lambda: all(len(player.acknowledged) > had for player, had in zip(players, before, strict=True)))


def _until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not go on"
        time.sleep(0.02)

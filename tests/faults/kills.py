"""kill -9 of the server while patrons play, again and again, at any moment."""

from __future__ import annotations

import random
import time
from pathlib import Path

from croupier.regulations import EDITIONS, edition
from croupier.server.config import Config
from croupier.server.tables.service import TableService, epoch_milliseconds
from croupier.server.tables.settings import TableSettings
from croupier.storage import Store
from croupier.table.model.demo_setup import build_demo_setup
from tests.faults.checks import problems
from tests.faults.players import Player
from tests.faults.servers import Server


def open_tables(database: str, count: int) -> list[str]:
    """Electronic tables of all editions in turn, at which nobody's time runs out."""
    store = Store(database)
    tables = TableService(Config(database=database), store)
    running = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True)
    names = []
    for number in range(count):
        setup = build_demo_setup(edition(EDITIONS[number % len(EDITIONS)]).elect(), name=f"Table {number + 1}")
        tables.open_table(setup, running, epoch_milliseconds())
        names.append(setup.name)
    tables.writer.close()
    store.close()
    return names


def kill_again_and_again(database: str, folder: Path, times: int, tables: int = 6, *options: str) -> dict[str, int]:
    """Kills the server so often; every time everything is checked. Gives what happened, and fails where it must."""
    names = open_tables(database, tables)
    server = Server(database, folder / "server.log", *options)
    url = server.start()
    players = [Player(url, name) for name in names]
    for player in players:
        player.start()
    chance = random.Random()
    for _ in range(times):
        time.sleep(chance.uniform(0.01, 0.4))
        server.kill()
        found = problems(database, players)
        assert not found, found
        url = server.start()
        for player in players:
            player.moved(url)
    time.sleep(0.5)
    for player in players:
        player.end()
    assert server.stop() == 0
    found = problems(database, players)
    assert not found, found
    broken = [sentence for player in players for sentence in player.broken + player.refused]
    assert not broken, broken
    return {
        "kills": times,
        "acknowledged": sum(len(player.acknowledged) for player in players),
        "rounds": sum(player.rounds for player in players),
        "answered_again": sum(player.repeated for player in players),
    }

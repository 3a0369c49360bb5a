"""Kills the server with SIGKILL at random moments while patrons play."""

from __future__ import annotations

import random
import time
from pathlib import Path

from croupier.regulations import EDITIONS, edition
from croupier.server.clock import epoch_milliseconds
from croupier.server.config import Config
from croupier.server.tables.service import TableService, TableSettings
from croupier.storage import Store
from croupier.storage.currency import Currency
from croupier.table.model.setup import build_demo_setup
from tests.faults.checks import find_problems
from tests.faults.players import Player
from tests.faults.servers import Server


def open_tables(database: str, count: int) -> list[str]:
    """Opens electronic tables of all editions in turn, with timers too long to expire."""
    store = Store(database)
    tables = TableService(Config(database=database), store)
    settings = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True, currency=Currency.PLAY)
    names = []
    for number in range(count):
        setup = build_demo_setup(edition(EDITIONS[number % len(EDITIONS)]).elect(), name=f"Table {number + 1}")
        tables.open_table(setup, settings, epoch_milliseconds())
        names.append(setup.name)
    tables.writer.close()
    store.close()
    return names


def kill_repeatedly(
    database: str, folder: Path, times: int, chance: random.Random, tables: int = 6, *options: str
) -> dict[str, int]:
    """Kills and restarts the server, checks the database after each kill, and returns totals."""
    names = open_tables(database, tables)
    server = Server(database, folder / "server.log", *options)
    url = server.start()
    players = [Player(url, name) for name in names]
    for player in players:
        player.start()
    for _ in range(times):
        time.sleep(chance.uniform(0.01, 0.4))
        server.kill()
        failures = find_problems(database, players)
        assert not failures, failures
        url = server.start()
        for player in players:
            player.reconnect(url)
    time.sleep(0.5)
    for player in players:
        player.end()
    assert server.stop() == 0
    failures = find_problems(database, players)
    assert not failures, failures
    errors = [sentence for player in players for sentence in player.errors + player.refusals]
    assert not errors, errors
    return {
        "kills": times,
        "acknowledged": sum(len(player.acknowledged) for player in players),
        "rounds": sum(player.rounds for player in players),
        "repeated": sum(player.repeated for player in players),
    }

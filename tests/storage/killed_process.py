"""`python -m tests.storage.killed_process DATABASE FILE TIMES`: plays in a process that is killed again and again.

The process logs each acknowledged command to the file at once and is killed with SIGKILL at a random moment.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from croupier.storage import GroupCommitWriter, Store
from croupier.table.automation import Automation
from croupier.table.procedure.shuffle import SeededShuffle
from tests.storage.resumed_process import Players, create_tables

TABLES = 3


def play(database_url: str, file: Path, turn: int) -> None:
    """Plays until killed."""
    store = Store(database_url, snapshot_every=50)
    players = Players(store, create_tables(store, TABLES), Automation(SeededShuffle(f"killed {turn}")))
    writer = GroupCommitWriter(store.executor)
    output = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    while True:
        for acknowledged in players.step(writer, f"turn {turn}"):
            os.write(output, ("\t".join(map(str, acknowledged)) + "\n").encode())


def main(database_url: str, file: Path, times: int) -> None:
    chance = random.Random("killed")
    store = Store(database_url)
    create_tables(store, TABLES)
    store.close()
    file.touch()
    for turn in range(times):
        before = file.stat().st_size
        child = os.fork()
        if not child:
            try:
                play(database_url, file, turn)
            finally:
                os._exit(1)
        _wait_for_growth(file, before)
        time.sleep(chance.uniform(0, 0.3))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            sys.exit("the process ended before it was killed")


def _wait_for_growth(file: Path, size: int) -> None:
    for _ in range(6_000):
        if file.stat().st_size > size:
            return
        time.sleep(0.01)
    sys.exit("nothing was acknowledged within a minute")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))

"""`python -m tests.faults kills|outages|disk`: long runs on temporary databases."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.faults.kills import kill_repeatedly
from tests.faults.outages import fill_disk, restart_postgresql
from tests.storage.postgres import Cluster

KILLS_PER_DATABASE = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fault", choices=("kills", "outages", "disk"))
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--postgresql", action="store_true", help="kill servers on PostgreSQL, not on SQLite")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32), help="moments of the kills")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    sys.stderr.write(f"{arguments.times} {arguments.fault}, seed {arguments.seed}\n")
    start = time.monotonic()
    options = ("--workers", str(arguments.workers)) if arguments.workers > 1 else ()
    with tempfile.TemporaryDirectory(prefix="croupier-faults-") as folder_name:
        folder = Path(folder_name)
        if arguments.fault == "disk":
            totals = fill_disk(folder)
        elif arguments.fault == "kills" and not arguments.postgresql:
            totals = _kill_in_sets(
                lambda number: str(folder / f"store-{number}.db"), folder, arguments.times, chance, *options
            )
        else:
            cluster = Cluster()
            try:
                if arguments.fault == "kills":
                    totals = _kill_in_sets(lambda _: cluster.new_database(), folder, arguments.times, chance, *options)
                else:
                    totals = restart_postgresql(cluster, folder, arguments.times, 4, *options)
            finally:
                cluster.remove()
    sys.stdout.write(json.dumps({**totals, "seconds": round(time.monotonic() - start, 1)}) + "\n")


def _kill_in_sets(
    database: Callable[[int], str], folder: Path, times: int, chance: random.Random, *options: str
) -> dict[str, int]:
    """Spreads the kills over several databases: each kill is followed by a replay of the full record, which grows."""
    totals: Counter[str] = Counter()
    for database_number, start in enumerate(range(0, times, KILLS_PER_DATABASE)):
        count = min(KILLS_PER_DATABASE, times - start)
        totals += Counter(kill_repeatedly(database(database_number), folder, count, chance, 6, *options))
        sys.stderr.write(f"{json.dumps(totals)}\n")
    return dict(totals)


if __name__ == "__main__":
    main()

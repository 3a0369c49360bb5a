"""`python -m tests.faults kills|outages|disk`: the long versions, on a database of one's own."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.faults.kills import kill_again_and_again
from tests.faults.outages import fill_the_disk, restart_postgresql
from tests.storage.postgres import Cluster

SET = 50
"""So many kills on one database."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fault", choices=("kills", "outages", "disk"))
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--postgresql", action="store_true", help="kill servers on PostgreSQL, not on SQLite")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    start = time.monotonic()
    options = ("--workers", str(given.workers)) if given.workers > 1 else ()
    with tempfile.TemporaryDirectory(prefix="croupier-faults-") as name:
        folder = Path(name)
        if given.fault == "disk":
            said = fill_the_disk(folder)
        elif given.fault == "kills" and not given.postgresql:
            said = _kills(lambda number: str(folder / f"store-{number}.db"), folder, given.times, *options)
        else:
            cluster = Cluster()
            try:
                if given.fault == "kills":
                    said = _kills(lambda _: cluster.new_database(), folder, given.times, *options)
                else:
                    said = restart_postgresql(cluster, folder, given.times, 4, *options)
            finally:
                cluster.remove()
    sys.stdout.write(json.dumps({**said, "seconds": round(time.monotonic() - start, 1)}) + "\n")


def _kills(database: Callable[[int], str], folder: Path, times: int, *options: str) -> dict[str, int]:
    """In sets on databases of their own: every kill is followed by a replay of the whole record, which grows."""
    total: Counter[str] = Counter()
    for number, done in enumerate(range(0, times, SET)):
        total += Counter(kill_again_and_again(database(number), folder, min(SET, times - done), 6, *options))
        sys.stderr.write(f"{json.dumps(total)}\n")
    return dict(total)


if __name__ == "__main__":
    main()

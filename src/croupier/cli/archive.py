"""`croupier archive`: records of tables that are closed and old move from a database to files (LOG-4)."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from croupier.errors import Malformed
from croupier.store import Store
from croupier.store.archive import Retention, archive, damaged, expired


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the records go")
    parser.add_argument("--database", metavar="URL", help="the store (default: the usual file)")
    days = Retention().archive_after_days
    parser.add_argument("--after-days", type=int, default=days, help=f"days after the last event (default: {days})")


def run(arguments: argparse.Namespace) -> int:
    if arguments.folder.exists() and not arguments.folder.is_dir():
        raise Malformed(str(arguments.folder), "is not a folder")
    store = Store(arguments.database)
    retention = Retention(archive_after_days=arguments.after_days)
    now = time.time_ns() // 1_000_000
    try:
        moved = archive(store, arguments.folder, now=now, retention=retention)
        for one in moved:
            print(f"{one.table}: {one.events} events to {one.path}, SHA-256 {one.sha256}")
        print(f"{len(moved)} record{'s' * (len(moved) != 1)} moved")
        for one in expired(store, now, retention):
            print(f"{one.path}: past its {retention.play_years} years; whether it goes is for people to decide")
        wrong = list(damaged(store))
        print(*wrong, sep="\n", end="\n" * bool(wrong))
        return 1 if wrong else 0
    finally:
        store.close()

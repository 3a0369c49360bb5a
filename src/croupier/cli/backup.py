"""`croupier backup`: a copy of an SQLite store of one moment, while a server uses it."""

from __future__ import annotations

import argparse
from pathlib import Path

from croupier.store import Store
from croupier.store.backup import backup


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="where the copy goes; it must not be there yet")
    parser.add_argument("--database", metavar="FILE", help="the store (default: the usual file)")


def run(arguments: argparse.Namespace) -> int:
    store = Store(arguments.database)
    try:
        backup(store, arguments.file)
    finally:
        store.close()
    print(f"{arguments.file}: a copy of {store.database.name}")
    return 0

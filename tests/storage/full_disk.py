"""`python -m tests.storage.full_disk full|read-only FILE`: a store on a full disk or with a read-only file.

Prints the outcome as JSON.
"""

from __future__ import annotations

import json
import os
import resource
import stat
import sys
from pathlib import Path

from croupier.storage import StorageUnavailable, Store
from croupier.table import SYSTEM
from croupier.table.model import commands as c

NOBODY = 65534


def buy(store: Store) -> int:
    return store.submit("one", c.BuyIn(by=SYSTEM, at=0, patron="Pat 1", amount=1_00)).seq


def full(path: Path) -> dict[str, object]:
    """Limits the file size to simulate a full disk, then lifts the limit."""
    store = Store(path)
    acknowledged = buy(store)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    reason = ""
    try:
        while True:
            acknowledged = buy(store)
    except StorageUnavailable as error:
        reason = str(error)
    stored = store.seq("one")
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    return {"refused": reason, "acknowledged": acknowledged, "stored": stored, "later": buy(store)}


def read_only(path: Path) -> dict[str, object]:
    """Makes the file and its folder read-only."""
    Store(path).close()  # imports everything before giving up privileges
    path.chmod(stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH)
    path.parent.chmod(0o555)
    if os.geteuid() == 0:  # root may write to read-only files
        os.setuid(NOBODY)
    try:
        buy(Store(path))
    except StorageUnavailable as error:
        return {"refused": str(error)}
    return {"refused": ""}


if __name__ == "__main__":
    json.dump({"full": full, "read-only": read_only}[sys.argv[1]](Path(sys.argv[2])), sys.stdout)

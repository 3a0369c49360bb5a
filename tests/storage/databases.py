"""Databases with the current schema, migrated once and copied for each test, and the PostgreSQL server of a test run.

All workers of a run share one PostgreSQL server. The first test that needs it starts it; the controller stops it.
"""

from __future__ import annotations

import fcntl
import shutil
import signal
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from croupier.storage import Store
from tests.storage.postgres import EMPTY, Cluster

RUN_FOLDER = pytest.StashKey[Path]()


@cache
def _migrated_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "migrated.db"
        Store(path).close()
        return path.read_bytes()


def new_sqlite_file(path: Path) -> Path:
    """Creates an SQLite file with the current schema."""
    path.touch(0o600)
    path.write_bytes(_migrated_file())
    return path


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    if _is_worker(config):
        config.stash[RUN_FOLDER] = Path(vars(config)["workerinput"]["run_folder"])
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a terminated run stops PostgreSQL, too
    folder = Path(tempfile.mkdtemp(prefix="croupier-tests-"))
    folder.chmod(0o755)  # PostgreSQL may run as another user
    config.stash[RUN_FOLDER] = folder


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells a worker the folder of the run."""
    node.workerinput["run_folder"] = str(node.config.stash[RUN_FOLDER])


def pytest_unconfigure(config: pytest.Config) -> None:
    if _is_worker(config) or RUN_FOLDER not in config.stash:
        return
    folder = config.stash[RUN_FOLDER]
    if (folder / "postgresql" / "port").exists():
        Cluster(folder / "postgresql").remove()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def cluster(pytestconfig: pytest.Config) -> Cluster:
    """The PostgreSQL server of this run; a test that stops one starts its own."""
    folder = pytestconfig.stash[RUN_FOLDER]
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "postgresql").mkdir(exist_ok=True)
        return Cluster(folder / "postgresql")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with the current schema."""
    if request.param == "sqlite":
        yield f"sqlite:///{new_sqlite_file(tmp_path / 'store.db')}"
        return
    server: Cluster = request.getfixturevalue("cluster")
    url = server.new_database()
    yield url
    server.drop_database(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a schema."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    server: Cluster = request.getfixturevalue("cluster")
    return server.new_database(EMPTY)

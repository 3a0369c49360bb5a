"""The databases of the storage tests, and a filled database that is copied for every test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.storage import Store
from tests.audits.database.houses import fill
from tests.storage.conftest import store
from tests.storage.postgres import Cluster

__all__ = ["store"]


def _create_filled(url: str | Path) -> None:
    new_store = Store(url)
    fill(new_store)
    new_store.close()


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house") / "store.db"
    _create_filled(path)
    return path


@pytest.fixture(scope="session")
def filled_database(cluster: Cluster) -> str:
    url = cluster.new_database()
    _create_filled(url)
    return url


@pytest.fixture
def database_path(filled_file: Path, tmp_path: Path) -> Path:
    """A filled SQLite file that is not open."""
    return Path(shutil.copy(filled_file, tmp_path / "store.db"))


@pytest.fixture(params=["sqlite", "postgresql"])
def filled_store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A filled database, open."""
    if request.param == "sqlite":
        opened_store = Store(request.getfixturevalue("database_path"))
    else:
        servers: Cluster = request.getfixturevalue("cluster")
        opened_store = Store(servers.new_database(request.getfixturevalue("filled_database")))
    yield opened_store
    opened_store.close()

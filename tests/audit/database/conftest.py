"""The databases of the store's tests, and a house that is filled once and copied for every test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.storage import Store
from tests.audit.database.houses import fill
from tests.storage.conftest import cluster, store, where
from tests.storage.postgres import Cluster

__all__ = ["cluster", "store", "where"]


def _filled(where: str | Path) -> None:
    made = Store(where)
    fill(made)
    made.close()


@pytest.fixture(scope="session")
def filled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house") / "store.db"
    _filled(path)
    return path


@pytest.fixture(scope="session")
def filled_database(cluster: Cluster) -> str:
    url = cluster.new_database()
    _filled(url)
    return url


@pytest.fixture
def path(filled_file: Path, tmp_path: Path) -> Path:
    """A house in a file that nobody has open."""
    return Path(shutil.copy(filled_file, tmp_path / "store.db"))


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest) -> Iterator[Store]:
    """The same, open."""
    if request.param == "sqlite":
        opened = Store(request.getfixturevalue("path"))
    else:
        servers: Cluster = request.getfixturevalue("cluster")
        opened = Store(servers.new_database(request.getfixturevalue("filled_database")))
    yield opened
    opened.close()

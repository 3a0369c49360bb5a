"""Tests of the store run on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.storage import Store
from tests.storage.postgres import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL server for the whole test session."""
    server = Cluster()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    server: Cluster = request.getfixturevalue("cluster")
    return server.new_database()


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    instance = Store(database_url)
    yield instance
    instance.close()

"""Every test of the store runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.storage import Store
from tests.storage.postgres import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One server for all tests of a process."""
    started = Cluster()
    yield started
    started.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    found: Cluster = request.getfixturevalue("cluster")
    return found.new_database()


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    opened = Store(where)
    yield opened
    opened.close()

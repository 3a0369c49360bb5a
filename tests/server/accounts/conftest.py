"""Everything about people runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.accounts.services import House, house_on
from tests.storage.conftest import cluster, where

__all__ = ["cluster", "where"]


@pytest.fixture
def house(where: str) -> Iterator[House]:
    made = house_on(where)
    yield made
    made.users.passwords.close()
    made.database.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[House]:
    """Where the database makes no difference: SQLite alone."""
    made = house_on(f"sqlite:///{tmp_path / 'house.db'}")
    yield made
    made.users.passwords.close()
    made.database.close()

"""Account tests run on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.accounts.services import AccountServices, open_services
from tests.storage.databases import new_sqlite_file


@pytest.fixture
def services(database_url: str) -> Iterator[AccountServices]:
    instance = open_services(database_url)
    yield instance
    instance.users.passwords.close()
    instance.database.close()


@pytest.fixture
def sqlite_services(tmp_path: Path) -> Iterator[AccountServices]:
    """SQLite only, for tests that do not depend on the database."""
    instance = open_services(f"sqlite:///{new_sqlite_file(tmp_path / 'house.db')}")
    yield instance
    instance.users.passwords.close()
    instance.database.close()


@pytest.fixture
def house(database_url: str) -> Iterator[AccountServices]:
    """A server with real money: two people for staff."""
    instance = open_services(database_url, play_money=False)
    yield instance
    instance.users.passwords.close()
    instance.database.close()

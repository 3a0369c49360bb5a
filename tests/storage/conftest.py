"""Tests of the store run on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.storage import Store


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    instance = Store(database_url)
    yield instance
    instance.close()

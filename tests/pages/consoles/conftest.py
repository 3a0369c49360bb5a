"""People of every role on the server of the session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pages.consoles.staff import Staff
from tests.pages.serving import Server


@pytest.fixture(scope="session")
def staff(server: Server) -> Iterator[Staff]:
    made = Staff(server)
    yield made
    made.close()

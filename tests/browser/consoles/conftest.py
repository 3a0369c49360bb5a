"""Staff of every role on the session's server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.consoles.staff import Staff
from tests.browser.servers import Server


@pytest.fixture(scope="session")
def staff(server: Server) -> Iterator[Staff]:
    people = Staff(server)
    yield people
    people.close()

"""An address that does not support a method says which ones it supports, all of them (405 with `Allow`)."""

from __future__ import annotations

import http.client
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.server.services import play_table
from tests.server.servers import TIMEOUT_SECONDS, Server, run_server

METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(str(tmp_path_factory.mktemp("methods") / "house.db")) as instance:
        instance.open_table(play_table("pa-682a"))
        yield instance


def send(server: Server, method: str, path: str) -> tuple[int, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
    connection.request(method, path)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status, response.getheader("Allow")


def documented(server: Server) -> dict[str, set[str]]:
    """The methods of every documented address, and of the pages."""
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for path, operations in server.app.framework.openapi()["paths"].items():
        methods[re.sub(r"\{[^}]*\}", "x", path)] |= {name.upper() for name in operations}
    for page in ("/", "/static/x", "/lobby"):
        methods[page] |= {"GET"}
    return methods


def test_405_lists_every_allowed_method(server: Server) -> None:
    checked = 0
    for path, expected in documented(server).items():
        for method in METHODS:
            status, allow = send(server, method, path)
            if method in expected:
                assert status != 405, (method, path)
                continue
            assert status == 405, (method, path, status)
            assert allow is not None
            assert set(allow.split(", ")) == expected, (method, path)
            checked += 1
    assert checked > 300


def test_an_address_with_two_methods_lists_both(server: Server) -> None:
    assert send(server, "DELETE", "/api/drills/settle") == (405, "GET, POST")
    assert send(server, "GET", "/api/tables/x/commands") == (405, "POST")
    assert send(server, "PUT", "/api/tables") == (405, "GET, POST")


def test_unknown_addresses_stay_unknown(server: Server, tmp_path: Path) -> None:
    for method in METHODS:
        assert send(server, method, "/api/nothing/at/all")[0] == 404

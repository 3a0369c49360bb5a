"""The route-by-role matrix and the differential test of request paths, which `make prove` runs with their counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.server.policies import CsrfToken
from croupier.server.services import play_table
from tests.server import access_matrix
from tests.server.access_matrix import check_matrix
from tests.server.fuzz import create_people
from tests.server.request_paths import compare_paths
from tests.server.servers import Server, run_server

TABLE = "Table 1"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db"), access_matrix.CONFIG) as instance:
        instance.open_table(replace(play_table("pa-683a"), name=TABLE))
        yield instance


def test_ACC_1_every_operation_admits_the_roles_that_are_stated(server: Server) -> None:
    result = check_matrix(server, create_people(server))
    assert not result.problems, "\n".join(result.problems)
    assert result.operations > 60
    assert result.requests == 10 * result.operations


def test_the_matrix_notices_a_wrong_role(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    people = create_people(server)
    wrong = {roles - {"dealer"}: names for roles, names in access_matrix.EXPECTED.items()}
    monkeypatch.setattr(access_matrix, "EXPECTED", wrong)
    assert any("'dealer'" in problem for problem in check_matrix(server, people).problems)


def test_an_answer_does_not_depend_on_the_way_in(server: Server) -> None:
    create_people(server)
    people = [server.services.users.get(f"a {role}").person for role in ("patron", "shift_manager")]
    result = compare_paths(server, TABLE, people)
    assert not result.problems, "\n".join(result.problems)
    assert result.requests == 12 * 2 * result.messages


def test_the_comparison_notices_a_way_that_skips_a_policy(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    create_people(server)
    monkeypatch.setattr(CsrfToken, "check", _refuse_cookies)
    result = compare_paths(server, TABLE, [server.services.users.get("a patron").person])
    assert result.problems


def _refuse_cookies(policy: object, head: object, session: object) -> None:
    from croupier.server.errors import forbidden

    if getattr(head, "session_cookie", ""):
        raise forbidden("no cookies")

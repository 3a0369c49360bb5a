"""Requests that nobody sends, from the OpenAPI document: `python -m tests.server.fuzz --cases 200 --seed 7`.

Every answer must have a status and a body that the document names, whatever was sent and whoever sent it; the server
must stay well, its log free of faults, and every cent where it was.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import CheckFunction
from schemathesis.specs.openapi import checks

from tests.server.table_services import ROLES, Server, serving

CHECKS: list[CheckFunction] = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]
ENDS_SESSIONS = ("/api/sign-out", "/api/password")
SLOW = (
    "/api/tables/{table}/rules",
    "/api/tables/{table}/audit",
    "/api/tables/{table}/advice",
    "/api/drills/{kind}",
)
"""They start a process."""


@dataclass
class Result:
    """What came of it."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def fuzz(
    server: Server, tokens: Mapping[str, str], *, cases: int, number: int, table: str, but: tuple[str, ...] = ()
) -> Result:
    """So many cases for each operation of the document, each by somebody else."""
    document = server.app.framework.openapi()
    schema = schemathesis.openapi.from_dict(document)
    result = Result()
    for found in schema.get_all_operations():
        result_of: Any = found
        operation = result_of.ok()
        if operation.path in but:
            continue
        for check in _tried(server, operation, tokens, table, cases, number):
            check(result)
    return result


def _tried(
    server: Server, operation: Any, tokens: Mapping[str, str], table: str, cases: int, number: int
) -> Iterator[Callable[[Result], None]]:
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        try:
            strategy = operation.as_strategy(generation_mode=mode)
        except Exception as error:
            if "negative" not in str(error).lower():
                raise
            continue

        def run(result: Result, strategy: Any = strategy) -> None:
            @seed(number)
            @settings(
                max_examples=cases,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=strategy, who=st.sampled_from(sorted(tokens)), there=st.booleans())
            def one(case: Any, who: str, there: bool) -> None:
                _send(server, result, case, who, tokens[who], table if there else "")

            try:
                one()
            except Exception as error:
                if "Unsatisfiable" not in type(error).__name__:
                    raise

        yield run


def _send(server: Server, result: Result, case: Any, who: str, token: str, table: str) -> None:
    if table and case.path_parameters and "table" in case.path_parameters:
        case.path_parameters["table"] = table
        if isinstance(case.body, dict) and "seq" in case.body:
            case.body["seq"] = server.store.seq(table)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    result.cases += 1
    response = case.call(base_url=server.address, headers=headers, timeout=60)
    result.statuses[response.status_code] += 1
    try:
        if response.status_code >= 500:
            raise AssertionError(f"status {response.status_code}")
        case.validate_response(response, checks=CHECKS, headers=headers)
    except Exception as error:
        said = f"{case.method} {case.formatted_path} by {who}: {response.status_code} {response.text[:300]!r}"
        result.problems.append(f"{said}: {str(error)[:600]}; body {str(case.body)[:300]}; query {case.query}")


def people(server: Server) -> dict[str, str]:
    """Tokens of one person in every role, and of nobody."""
    return {"nobody": "", **{str(role): server.person(f"a {role}", role, cents=0).token for role in ROLES}}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100, help="of each kind for each operation")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    chosen = parser.parse_args(arguments)
    print(f"seed {chosen.seed}")  # noqa: T201
    from tests.server.test_bad_input import assert_well, at_play

    with tempfile.TemporaryDirectory() as folder, serving(str(Path(folder) / "house.db")) as server:
        table = at_play(server)
        result = fuzz(server, people(server), cases=chosen.cases, number=chosen.seed, table=table, but=ENDS_SESSIONS)
        for problem in result.problems[:50]:
            print(problem)  # noqa: T201
        print(f"{result.cases} cases, {dict(result.statuses)}, {len(result.problems)} problems")  # noqa: T201
        assert_well(server)
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

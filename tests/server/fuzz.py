"""Fuzzes the server from its OpenAPI document: `python -m tests.server.fuzz --cases 200 --seed 7`.

Every response must have a documented status and body, whatever is sent and by whom. The server must stay healthy, log
no errors, and keep its ledger balanced.
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

from tests.server.servers import ROLES, Server, run_server

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
"""Operations that start a worker process."""


@dataclass
class Result:
    """The outcome of a run."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def fuzz(
    server: Server,
    tokens: Mapping[str, str],
    *,
    cases: int,
    seed_number: int,
    table: str,
    excluded: tuple[str, ...] = (),
) -> Result:
    """Sends `cases` requests to each documented operation, each from a random role."""
    document = server.app.framework.openapi()
    schema = schemathesis.openapi.from_dict(document)
    result = Result()
    for entry in schema.get_all_operations():
        parsed: Any = entry
        operation = parsed.ok()
        if operation.path in excluded:
            continue
        for run in _test_runs(server, operation, tokens, table, cases, seed_number):
            run(result)
    return result


def _test_runs(
    server: Server, operation: Any, tokens: Mapping[str, str], table: str, cases: int, seed_number: int
) -> Iterator[Callable[[Result], None]]:
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        try:
            strategy = operation.as_strategy(generation_mode=mode)
        except Exception as error:
            if "negative" not in str(error).lower():
                raise
            continue

        def run(result: Result, strategy: Any = strategy) -> None:
            @seed(seed_number)
            @settings(
                max_examples=cases,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=strategy, role=st.sampled_from(sorted(tokens)), uses_table=st.booleans())
            def send_case(case: Any, role: str, uses_table: bool) -> None:
                _send(server, result, case, role, tokens[role], table if uses_table else "")

            try:
                send_case()
            except Exception as error:
                if "Unsatisfiable" not in type(error).__name__:
                    raise

        yield run


def _send(server: Server, result: Result, case: Any, role: str, token: str, table: str) -> None:
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
        request = f"{case.method} {case.formatted_path} by {role}: {response.status_code} {response.text[:300]!r}"
        result.problems.append(f"{request}: {str(error)[:600]}; body {str(case.body)[:300]}; query {case.query}")


def create_people(server: Server) -> dict[str, str]:
    """Session tokens of one person per role, and an empty one for nobody."""
    return {"nobody": "", **{str(role): server.add_person(f"a {role}", role, cents=0).token for role in ROLES}}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100, help="cases per operation, valid and invalid each")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args(arguments)
    print(f"seed {options.seed}")  # noqa: T201
    from tests.server.test_bad_input import assert_healthy, start_round

    with tempfile.TemporaryDirectory() as folder, run_server(str(Path(folder) / "house.db")) as server:
        table = start_round(server)
        result = fuzz(
            server,
            create_people(server),
            cases=options.cases,
            seed_number=options.seed,
            table=table,
            excluded=ENDS_SESSIONS,
        )
        for problem in result.problems[:50]:
            print(problem)  # noqa: T201
        print(f"{result.cases} cases, {dict(result.statuses)}, {len(result.problems)} problems")  # noqa: T201
        assert_healthy(server)
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

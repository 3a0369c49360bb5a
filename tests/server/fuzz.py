"""Fuzzes the server from its OpenAPI document: `python -m tests.server.fuzz --cases 200 --seed 7`.

Every role sends its own cases. Every response must have a documented status and body, whatever is sent and by whom, and
a request that the document allows must not be refused as malformed: then the document should have said so. The server
must stay healthy, log no errors, and keep its ledger balanced.
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

from croupier.server.openapi import NO_NULL_BYTES_PATTERN
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


FREE_TEXT = {
    "POST /api/submissions": "the text of a Rules Submission is TOML with rules of its own",
    "POST /api/submissions/edit": "the same",
    "POST /api/submissions/edges": "the same",
    "POST /api/people": "a password may be too easy to guess",
    "POST /api/register": "the same",
    "POST /api/join": "the same",
    "POST /api/drills/{kind}": "an answer depends on the question",
}
"""Operations whose bodies no JSON Schema can describe in full, with the reason."""


def operation_of(case: Any) -> str:
    return f"{case.method} {case.path}"


def _without_null_byte_patterns(value: Any) -> Any:
    """The document without one pattern, which takes long to generate texts for; `_send` leaves such cases out."""
    if isinstance(value, dict):
        return {
            key: _without_null_byte_patterns(item)
            for key, item in value.items()
            if not (key == "pattern" and item == NO_NULL_BYTES_PATTERN)
        }
    return [_without_null_byte_patterns(item) for item in value] if isinstance(value, list) else value


def _with_integers(value: Any) -> Any:
    """JSON Schema calls 5.0 an integer; the server takes whole numbers only as they are usually written."""
    if isinstance(value, dict):
        return {key: _with_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_integers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass
class Result:
    """The outcome of a run."""

    cases: int = 0
    by_role: Counter[str] = field(default_factory=Counter)
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
    """Sends `cases` valid and as many invalid requests of every role to each documented operation."""
    document = _without_null_byte_patterns(server.app.framework.openapi())
    schema = schemathesis.openapi.from_dict(document)
    result = Result()
    for entry in schema.get_all_operations():
        parsed: Any = entry
        operation = parsed.ok()
        if operation.path in excluded:
            continue
        for number, (role, token) in enumerate(sorted(tokens.items())):
            for run in _test_runs(server, operation, role, token, table, cases, seed_number + number):
                run(result)
    return result


def _test_runs(
    server: Server, operation: Any, role: str, token: str, table: str, cases: int, seed_number: int
) -> Iterator[Callable[[Result], None]]:
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        try:
            strategy = operation.as_strategy(generation_mode=mode)
        except Exception as error:
            if "negative" not in str(error).lower():
                raise
            continue

        is_valid = mode is schemathesis.GenerationMode.POSITIVE

        def run(result: Result, strategy: Any = strategy, is_valid: bool = is_valid) -> None:
            @seed(seed_number)
            @settings(
                max_examples=cases,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=strategy, uses_table=st.booleans())
            def send_case(case: Any, uses_table: bool) -> None:
                _send(server, result, case, role, token, table if uses_table else "", is_valid=is_valid)

            try:
                send_case()
            except Exception as error:
                if "Unsatisfiable" not in type(error).__name__:
                    raise

        yield run


def _send(server: Server, result: Result, case: Any, role: str, token: str, table: str, *, is_valid: bool) -> None:
    if table and case.path_parameters and "table" in case.path_parameters:
        case.path_parameters["table"] = table
        if isinstance(case.body, dict) and "seq" in case.body:
            case.body["seq"] = server.store.seq(table)
    if is_valid and "\\x00" in repr((case.path_parameters, case.query, case.body)):
        return
    if is_valid:
        case.body = _with_integers(case.body)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    result.cases += 1
    result.by_role[role] += 1
    response = case.call(base_url=server.address, headers=headers, timeout=60)
    result.statuses[response.status_code] += 1
    try:
        if response.status_code >= 500:
            raise AssertionError(f"status {response.status_code}")
        if is_valid and response.status_code == 400 and operation_of(case) not in FREE_TEXT:
            raise AssertionError("a request that the document allows was refused as malformed")
        case.validate_response(response, checks=CHECKS, headers=headers)
    except Exception as error:
        request = f"{case.method} {case.formatted_path} by {role}: {response.status_code} {response.text[:300]!r}"
        result.problems.append(f"{request}: {str(error)[:600]}; body {str(case.body)[:300]}; query {case.query}")


def create_people(server: Server) -> dict[str, str]:
    """Session tokens of one person per role and of a guest, and an empty one for nobody."""
    people = {str(role): server.add_person(f"a {role}", role, cents=0).token for role in ROLES}
    guest = server.new_session(server.services.users.create_guest())
    return {"nobody": "", "guest": guest.token, **people}


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
        counts = f"{result.cases} cases by {len(result.by_role)} roles, {dict(sorted(result.statuses.items()))}"
        print(f"random requests: {counts}, {len(result.problems)} problems")  # noqa: T201
        assert_healthy(server)
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m tests.server.proof`: who may do what, whichever way they come, and that nobody is told too much.

Prints how much was tried: the route-by-role matrix, the differential test of request paths, and the search for leaks at
every kind of table.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from croupier.server.services import play_table
from tests.server.access_matrix import CONFIG, check_matrix
from tests.server.fuzz import create_people
from tests.server.request_paths import compare_paths
from tests.server.servers import ROLES, run_server
from tests.server.test_leaks import TABLES, search_table_for_leaks

TABLE = "Table 1"


def main() -> int:
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with run_server(str(Path(folder) / "paths.db"), CONFIG) as server:
            server.open_table(replace(play_table("pa-683a"), name=TABLE))
            tokens = create_people(server)
            paths = compare_paths(server, TABLE, [server.services.users.get(f"a {role}").person for role in ROLES])
            _print(f"request paths: {paths.messages} messages, {paths.requests} requests", paths.problems)
            matrix = check_matrix(server, tokens)
            counts = f"{matrix.operations} operations by {len(tokens)} roles, {matrix.requests} requests"
            _print(f"route-by-role matrix: {counts}", matrix.problems)
            problems += paths.problems + matrix.problems
        searched = events = 0
        for number, kind in enumerate(TABLES):
            with run_server(str(Path(folder) / f"leaks-{number}.db")) as server:
                table = search_table_for_leaks(server, kind)
                searched += table.searched_count
                events += server.store.seq(table.name)
        _print(f"leak search: {len(TABLES)} tables, {events} events, {searched} responses and messages", [])
    return 1 if problems else 0


def _print(counts: str, problems: list[str]) -> None:
    print(f"{counts}, {len(problems)} problems", *problems[:50], sep="\n", flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())

"""Compares HTTP servers under the same application: `python -m bench.http_servers --servers croupier,uvicorn`.

Patrons are seated once; every server runs on a copy of that database. All servers run all the time and take turns
under load, in a random order in each repetition, so that other work on the machine affects all alike. Prints medians:
commands per second, the 99th percentile of their latency, and CPU time per command, which is the most reliable figure
on a busy machine. `croupier` is the unchanged product and `uvicorn` plain Uvicorn; Granian and Hypercorn have to be
installed first.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from bench.http_variant import PRODUCT, VARIANTS
from bench.server import CONNECTIONS, SETTINGS, TABLES, measure_bare, open_tables, wait_for
from bench.storage import postgresql

DATABASES = ("SQLite", "PostgreSQL")
BARE = "bare server"


@dataclass(frozen=True, slots=True)
class Figures:
    """One turn of one server under load."""

    commands_per_second: float
    p99_ms: float
    cpu_microseconds: float
    """CPU time of the server per command."""


@dataclass(frozen=True, slots=True)
class Case:
    """A server on a database with a number of processes."""

    server: str
    database: str
    workers: int


class SqliteCopies:
    """Copies of an SQLite file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.original = str(folder / "original.db")

    def copy(self, name: str) -> str:
        """Copies the original under a name; returns the address of the copy."""
        return str(shutil.copy(self.original, self._folder / f"{name}.db"))


class PostgresqlCopies:
    """Copies of a PostgreSQL database."""

    def __init__(self, url: str) -> None:
        self._server = url.rpartition("/")[0]
        self._engine = sa.create_engine(
            url.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool
        )
        self._execute("CREATE DATABASE original")
        self.original = f"{self._server}/original"

    def copy(self, name: str) -> str:
        """Copies the original under a name; returns the address of the copy."""
        self._execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        self._execute(f'CREATE DATABASE "{name}" TEMPLATE original')
        return f"{self._server}/{name}"

    def _execute(self, statement: str) -> None:
        with self._engine.connect() as connection:
            connection.execute(sa.text(statement))


@contextmanager
def run_server(server: str, database: str, workers: int) -> Iterator[tuple[str, int]]:
    """Runs a server in separate processes; yields its address and the id of its first process."""
    command = [sys.executable, "-m", "bench.http_variant", "serve", "--database", database, "--port", "0"]
    environment = {**os.environ, **SETTINGS, "CROUPIER_CLOCKS_IDLE_MINUTES": "0", "BENCH_HTTP_SERVER": server}
    process = subprocess.Popen(
        [*command, "--workers", str(workers)], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[2]
        wait_for(url)
        yield url, process.pid
    finally:
        process.terminate()
        process.wait(60)


def cpu_microseconds(process: int) -> float:
    """CPU time that a process and its children have used."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    nanoseconds = 0
    for number in (str(process), *children):
        for thread in Path(f"/proc/{number}/task").iterdir():
            nanoseconds += int((thread / "schedstat").read_text().split()[0])
    return nanoseconds / 1_000


def play(url: str, process: int, players: Path, seconds: float) -> Figures:
    """One turn under load."""
    command = [sys.executable, "-m", "bench.load", url, "--players", str(players), "--seconds", str(seconds)]
    load = subprocess.Popen(
        [*command, "--connections", str(CONNECTIONS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert load.stderr is not None
    while "playing" not in load.stderr.readline():
        if load.poll() is not None:
            raise RuntimeError("the load generator did not start")
    before = cpu_microseconds(process)
    text = load.communicate()[0]
    after = cpu_microseconds(process)
    report = json.loads(text)
    return Figures(report["commands_per_second"], report["p99_ms"], (after - before) / report["all_commands"])


def compare(
    servers: list[str], databases: list[str], workers: list[int], repetitions: int, seconds: float
) -> dict[Case, list[Figures]]:
    """Measures every turn of every server; the bare server has no latency and no CPU time."""
    figures: defaultdict[Case, list[Figures]] = defaultdict(list)
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
        stack.callback(shutil.rmtree, folder)
        for database in databases:
            copies: SqliteCopies | PostgresqlCopies
            copies = (
                SqliteCopies(folder) if database == "SQLite" else PostgresqlCopies(stack.enter_context(postgresql()))
            )
            players = folder / f"{database}.json"
            open_tables(copies.original)
            with run_server(PRODUCT, copies.original, 1) as (url, _):
                command = [sys.executable, "-m", "bench.load", url, "--seat", str(players), "--tables", str(TABLES)]
                subprocess.run(command, check=True)
            with ExitStack() as servers_stack:
                cases = {
                    Case(server, database, count): servers_stack.enter_context(
                        run_server(server, copies.copy(f"{server}-{count}"), count)
                    )
                    for server in servers
                    for count in workers
                }
                for _ in range(repetitions):
                    figures[Case(BARE, database, 1)].append(Figures(measure_bare(copies.copy(BARE), seconds), 0.0, 0.0))
                    for case in random.sample(list(cases), len(cases)):
                        figures[case].append(play(*cases[case], players, seconds))
                        print(case, figures[case][-1], f"load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
    return figures


def as_table(figures: dict[Case, list[Figures]]) -> str:
    """Medians as a Markdown table, with the ratio to the bare server on the same database."""
    lines = [
        "| database | processes | HTTP server | commands/s | vs. bare server | p99 (ms) | CPU per command (µs) |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
    ]
    for case, turns in figures.items():
        speed = statistics.median(turn.commands_per_second for turn in turns)
        bare = statistics.median(turn.commands_per_second for turn in figures[Case(BARE, case.database, 1)])
        p99 = statistics.median(turn.p99_ms for turn in turns)
        cpu = statistics.median(turn.cpu_microseconds for turn in turns)
        times = "| |" if case.server == BARE else f"| {p99:.0f} | {cpu:.0f} |"
        lines.append(f"| {case.database} | {case.workers} | {case.server} | {speed:,.0f} | {speed / bare:.2f} {times}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    available = (PRODUCT, *VARIANTS)
    parser.add_argument("--servers", default=f"{PRODUCT},uvicorn", help=f"comma-separated, from {', '.join(available)}")
    parser.add_argument("--databases", default=",".join(DATABASES))
    parser.add_argument("--workers", default="1,2", help="numbers of processes")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0, help="duration of each turn")
    arguments = parser.parse_args()
    servers, databases = arguments.servers.split(","), arguments.databases.split(",")
    if not {*servers} <= {*available} or not {*databases} <= {*DATABASES}:
        parser.error(f"servers are {', '.join(available)}; databases are {', '.join(DATABASES)}")
    start = time.monotonic()
    figures = compare(
        servers,
        databases,
        [int(number) for number in arguments.workers.split(",")],
        arguments.repetitions,
        arguments.seconds,
    )
    print(as_table(figures))
    minutes = (time.monotonic() - start) / 60
    print(f"\n{arguments.repetitions} turns of {arguments.seconds:g} s each; {minutes:.0f} minutes in total")


if __name__ == "__main__":
    main()

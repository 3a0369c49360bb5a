"""Server: acknowledged durable commands per second over HTTP, compared with a bare server of the same framework.

Patrons play complete rounds at 200 tables over 64 connections; the load generator runs on the same machine.
`python -m bench.server --minutes 10` runs longer and reports memory use; `bench.http_servers` compares HTTP servers.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bench.result import Result
from bench.storage import postgresql
from croupier.regulations import edition
from croupier.server.clock import epoch_milliseconds
from croupier.server.config import Config
from croupier.server.tables.service import TableService, TableSettings
from croupier.storage import Store
from croupier.storage.currency import Currency
from croupier.table.model.setup import Setup

TABLES = 200
CONNECTIONS = 64
SECONDS = 15.0
TARGET_COMMANDS_PER_SECOND = {"SQLite": 2_000, "PostgreSQL": 1_000}
WORKERS = 2
MAX_P99_MS = 100.0
SETTINGS = {
    "CROUPIER_WEB_REQUESTS_PER_SECOND": "0",
    "CROUPIER_WEB_COMMANDS_PER_SECOND": "0",
    "CROUPIER_WEB_GUESTS_PER_MINUTE": "1000000",
    "CROUPIER_GUESTS_PLAY_MONEY": "100000000",
    "CROUPIER_GUESTS_ALLOWED": "true",
    "CROUPIER_OPEN": "pa-679a",
}


def run() -> list[Result]:
    """Measures both databases, each with a bare server in the same run."""
    results: list[Result] = []
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
    try:
        results += _measure("SQLite", str(folder / "store.db"), SECONDS)
        with postgresql() as url:
            results += _measure("PostgreSQL", url, SECONDS)
    finally:
        shutil.rmtree(folder)
    return results


def _measure(name: str, database: str, seconds: float) -> list[Result]:
    open_tables(database)
    bare = measure_bare(database, seconds / 2)
    with run_server(database, "--workers", str(WORKERS)) as (url, process):
        before = memory(process.pid)
        report = load(url, seconds)
        after = memory(process.pid)
    open_tables(database, "Alone ")  # guests still sit at the first tables
    with run_server(database) as (url, process):
        alone = load(url, seconds, "--prefix", "Alone ")["commands_per_second"]
    baseline = (bare + measure_bare(database, seconds / 2)) / 2
    speed, target = report["commands_per_second"], TARGET_COMMANDS_PER_SECOND[name]
    label = f"server: {name}, {WORKERS} processes"
    return [
        Result(f"server: {name}, bare append, one event per request", baseline, "requests/s"),
        Result(f"server: {name}, 1 process, commands", alone, "commands/s", "the bare server", alone / baseline, 0.5),
        Result(f"{label}, commands", speed, "commands/s", f"{target:,} commands/s", speed / target, 1.0),
        Result(f"{label}, commands", speed, "commands/s", "the bare server", speed / baseline, 0.5),
        Result(f"{label}, p99", report["p99_ms"], "ms", f"{MAX_P99_MS:g} ms", MAX_P99_MS / report["p99_ms"], 1.0),
        Result(f"{label}, memory before and after", after, "MiB", "before", after / before),
    ]


def open_tables(database: str, prefix: str = "Table ") -> None:
    """Opens electronic tables with timers too long to expire."""
    store = Store(database)
    tables = TableService(Config(database=database), store)
    settings = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True, currency=Currency.PLAY)
    for number in range(1, TABLES + 1):
        setup = replace(Setup.open(edition("pa-682a").elect()), name=f"{prefix}{number}")
        tables.open_table(setup, settings, epoch_milliseconds())
    tables.writer.close()
    store.close()


@contextmanager
def run_server(database: str, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Runs a server in a new process on a free port."""
    command = [sys.executable, "-m", "croupier", "serve", "--database", database, "--port", "0", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **SETTINGS})
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[2]
        wait_for(url)
        yield url, process
    finally:
        process.terminate()
        process.wait(30)


def wait_for(url: str) -> None:
    """Waits until a server responds."""
    import urllib.error
    import urllib.request

    for _ in range(200):
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=60).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    raise RuntimeError("the server does not respond")


def load(url: str, seconds: float, *options: str) -> dict[str, float]:
    """Runs the load generator in a new process; returns its report."""
    process = subprocess.run([*_load_command(url, seconds), *options], stdout=subprocess.PIPE, check=True, text=True)
    report: dict[str, float] = json.loads(process.stdout)
    return report


def _load_command(url: str, seconds: float) -> list[str]:
    command = [sys.executable, "-m", "bench.load", url, "--tables", str(TABLES)]
    return [*command, "--connections", str(CONNECTIONS), "--seconds", str(seconds)]


def measure_bare(database: str, seconds: float) -> float:
    """Requests per second of the bare server."""
    command = [sys.executable, "-m", "bench.bare_server", database, "8765"]
    process = subprocess.Popen(command)
    try:
        for _ in range(200):
            time.sleep(0.05)
            try:
                load_process = subprocess.run(
                    [sys.executable, "-m", "bench.load", "http://127.0.0.1:8765", "--bare", "--seconds", str(seconds)],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    check=True,
                    text=True,
                )
                return float(json.loads(load_process.stdout)["commands_per_second"])
            except subprocess.CalledProcessError:
                continue
        raise RuntimeError("the bare server does not respond")
    finally:
        process.terminate()
        process.wait(10)


def memory(process: int) -> float:
    """Resident memory of a process and its children, in MiB."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    mebibytes = 0.0
    for number in (process, *map(int, children)):
        for line in Path(f"/proc/{number}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                mebibytes += int(line.split()[1]) / 1024
    return mebibytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--postgresql", action="store_true")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    try:
        if arguments.postgresql:
            with postgresql() as url:
                _run_long(url, arguments.minutes)
        else:
            _run_long(str(folder / "store.db"), arguments.minutes)
    finally:
        shutil.rmtree(folder)


def _run_long(database: str, minutes: float) -> None:
    """Runs one long load and prints the memory ten times."""
    open_tables(database)
    with run_server(database, "--workers", str(WORKERS)) as (url, server):
        print(f"at the start      {memory(server.pid):7.1f} MiB", flush=True)
        command = _load_command(url, 60 * minutes)
        load_process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert load_process.stderr is not None
        while "playing" not in load_process.stderr.readline():
            if load_process.poll() is not None:
                raise RuntimeError("the load generator did not start")
        print(f"patrons seated    {memory(server.pid):7.1f} MiB", flush=True)
        begin = time.monotonic()
        for part in range(1, 11):
            time.sleep(max(0.0, begin + 6 * minutes * part - time.monotonic()))
            print(f"{part * minutes / 10:5.1f} minutes     {memory(server.pid):7.1f} MiB", flush=True)
        report = json.loads(load_process.communicate()[0])
    speed, failures = report["commands_per_second"], report["failed"] or "none"
    print(f"{speed:.0f} commands/s, p99 {report['p99_ms']:.1f} ms, failed: {failures}")


if __name__ == "__main__":
    main()

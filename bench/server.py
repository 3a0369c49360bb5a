"""Part: acknowledged durable commands a second over HTTP, against a bare server of the same framework.

200 tables, 64 connections, patrons who play whole rounds; the load generator runs beside the server.
`python -m bench.server --minutes 10` keeps on and watches the memory; `bench.http_servers` compares HTTP servers.
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
from croupier.server.config import Config
from croupier.server.tables.service import TableService, epoch_milliseconds
from croupier.server.tables.settings import TableSettings
from croupier.storage import Store
from croupier.table.model.setup import Setup

TABLES = 200
CONNECTIONS = 64
SECONDS = 15.0
TARGETS = {"SQLite": 2_000, "PostgreSQL": 1_000}
WORKERS = 2
P99 = 100.0
SETTINGS = {
    "CROUPIER_WEB_REQUESTS_PER_SECOND": "0",
    "CROUPIER_WEB_COMMANDS_PER_SECOND": "0",
    "CROUPIER_WEB_GUESTS_PER_MINUTE": "1000000",
    "CROUPIER_GUESTS_PLAY_MONEY": "100000000",
    "CROUPIER_GUESTS_ALLOWED": "true",
    "CROUPIER_OPEN": "pa-679a",
}


def run() -> list[Result]:
    """Both databases, each with its bare server in the same run."""
    found: list[Result] = []
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
    try:
        found += _of("SQLite", str(folder / "store.db"), SECONDS)
        with postgresql() as url:
            found += _of("PostgreSQL", url, SECONDS)
    finally:
        shutil.rmtree(folder)
    return found


def _of(name: str, database: str, seconds: float) -> list[Result]:
    open_tables(database)
    bare = measure_bare(database, seconds / 2)
    with serving(database, "--workers", str(WORKERS)) as (url, process):
        before = memory(process.pid)
        said = load(url, seconds)
        after = memory(process.pid)
    open_tables(database, "Alone ")  # at the others the guests still sit
    with serving(database) as (url, process):
        alone = load(url, seconds, "--prefix", "Alone ")["commands_per_second"]
    yardstick = (bare + measure_bare(database, seconds / 2)) / 2
    speed, target = said["commands_per_second"], TARGETS[name]
    several = f"server: {name}, {WORKERS} processes"
    return [
        Result(f"server: {name}, bare append, one event a request", yardstick, "requests/s"),
        Result(f"server: {name}, 1 process, commands", alone, "commands/s", "the bare server", alone / yardstick, 0.5),
        Result(f"{several}, commands", speed, "commands/s", f"{target:,} commands/s", speed / target, 1.0),
        Result(f"{several}, commands", speed, "commands/s", "the bare server", speed / yardstick, 0.5),
        Result(f"{several}, p99", said["p99_ms"], "ms", f"{P99:g} ms", P99 / said["p99_ms"], 1.0),
        Result(f"{several}, memory before and after", after, "MiB", "before", after / before),
    ]


def open_tables(database: str, prefix: str = "Table ") -> None:
    """Two hundred electronic tables; nobody's time runs out, since this is about speed."""
    store = Store(database)
    tables = TableService(Config(database=database), store)
    running = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True)
    for number in range(1, TABLES + 1):
        setup = replace(Setup.open(edition("pa-682a").elect()), name=f"{prefix}{number}")
        tables.open_table(setup, running, epoch_milliseconds())
    tables.writer.close()
    store.close()


@contextmanager
def serving(database: str, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server of its own process on a free port."""
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
    """Until a server answers."""
    import urllib.error
    import urllib.request

    for _ in range(200):
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=60).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    raise RuntimeError("the server does not answer")


def load(url: str, seconds: float, *options: str) -> dict[str, float]:
    """What the load generator says, from a process of its own."""
    done = subprocess.run([*_load(url, seconds), *options], stdout=subprocess.PIPE, check=True, text=True)
    said: dict[str, float] = json.loads(done.stdout)
    return said


def _load(url: str, seconds: float) -> list[str]:
    command = [sys.executable, "-m", "bench.load", url, "--tables", str(TABLES)]
    return [*command, "--connections", str(CONNECTIONS), "--seconds", str(seconds)]


def measure_bare(database: str, seconds: float) -> float:
    """Requests a second of the bare server."""
    command = [sys.executable, "-m", "bench.bare_server", database, "8765"]
    process = subprocess.Popen(command)
    try:
        for _ in range(200):
            time.sleep(0.05)
            try:
                done = subprocess.run(
                    [sys.executable, "-m", "bench.load", "http://127.0.0.1:8765", "--bare", "--seconds", str(seconds)],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    check=True,
                    text=True,
                )
                return float(json.loads(done.stdout)["commands_per_second"])
            except subprocess.CalledProcessError:
                continue
        raise RuntimeError("the bare server does not answer")
    finally:
        process.terminate()
        process.wait(10)


def memory(process: int) -> float:
    """MiB that a process and its children have in memory."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    found = 0.0
    for number in (process, *map(int, children)):
        for line in Path(f"/proc/{number}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                found += int(line.split()[1]) / 1024
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--postgresql", action="store_true")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    try:
        if given.postgresql:
            with postgresql() as url:
                _endure(url, given.minutes)
        else:
            _endure(str(folder / "store.db"), given.minutes)
    finally:
        shutil.rmtree(folder)


def _endure(database: str, minutes: float) -> None:
    """One load that lasts; the memory is looked at ten times while everybody plays."""
    open_tables(database)
    with serving(database, "--workers", str(WORKERS)) as (url, server):
        print(f"at the start      {memory(server.pid):7.1f} MiB", flush=True)
        command = _load(url, 60 * minutes)
        playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert playing.stderr is not None
        while "playing" not in playing.stderr.readline():
            if playing.poll() is not None:
                raise RuntimeError("the load did not begin")
        print(f"everybody seated  {memory(server.pid):7.1f} MiB", flush=True)
        begin = time.monotonic()
        for part in range(1, 11):
            time.sleep(max(0.0, begin + 6 * minutes * part - time.monotonic()))
            print(f"{part * minutes / 10:5.1f} minutes     {memory(server.pid):7.1f} MiB", flush=True)
        said = json.loads(playing.communicate()[0])
    print(
        f"{said['commands_per_second']:.0f} commands/s, p99 {said['p99_ms']:.1f} ms, failed: {said['failed'] or 'none'}"
    )


if __name__ == "__main__":
    main()

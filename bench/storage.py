"""Storage: durable commands per second, compared with bare appends to the same kind of database.

Each of 64 tables has one command in flight, so a commit has up to 64 commands. A command is decided, and its events
are hashed, booked and written with its key; a bare append writes one row of the same size.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bench.result import Result
from croupier.regulations import edition
from croupier.storage import CommandEnvelope, GroupCommitWriter, Store
from croupier.storage.sql.database import Database
from croupier.table import SYSTEM, Phase, Setup, Table
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.procedure.shuffle import SeededShuffle

TABLES = 64
SECONDS = 4.0
ROW = "x" * 320
"""The average size of the hash, columns and JSON of an event."""
TARGET_COMMANDS_PER_SECOND = {"SQLite": 2_000, "PostgreSQL": 1_000}


def run() -> list[Result]:
    """Measures both databases, each with bare appends in the same run."""
    results: list[Result] = []
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
    try:
        results += _measure("SQLite", f"sqlite:///{folder / 'store.db'}")
        with postgresql() as url:
            results += _measure("PostgreSQL", url)
    finally:
        shutil.rmtree(folder)
    return results


def _measure(name: str, url: str) -> list[Result]:
    single, many = _appends(url, 1), _appends(url, 64)
    commands, events, batch = _commands(url)
    target = TARGET_COMMANDS_PER_SECOND[name]
    return [
        Result(f"store: {name}, bare append, 1 per commit", single, "rows/s"),
        Result(f"store: {name}, bare append, 64 per commit", many, "rows/s"),
        Result(
            f"store: {name}, commands ({batch:.0f} per commit)",
            commands,
            "commands/s",
            f"{target:,} commands/s",
            commands / target,
            1.0,
        ),
        Result(f"store: {name}, their events", events, "events/s", "bare append, 1 per commit", events / single),
        Result(f"store: {name}, their events", events, "events/s", "bare append, 64 per commit", events / many),
    ]


def _measure_rate(work: Callable[[], int]) -> float:
    """The rate per second over a few seconds."""
    work()
    count, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS:
        count += work()
    return count / elapsed


def _appends(url: str, rows_per_commit: int) -> float:
    database = Database(url)
    metadata = sa.MetaData()
    bare = sa.Table(
        f"bare_{rows_per_commit}", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("data", sa.Text)
    )
    metadata.create_all(database.engine)
    rows = [{"data": ROW}] * rows_per_commit

    def append() -> int:
        with database.write_transaction() as connection:
            connection.execute(sa.insert(bare), rows)
        return rows_per_commit

    speed = _measure_rate(append)
    database.close()
    return speed


def _commands(url: str) -> tuple[float, float, float]:
    """Commands and events per second, and commands per commit."""
    store, automation = Store(url), Automation(SeededShuffle("bench"))
    names = [f"table {number}" for number in range(TABLES)]
    for name in names:
        store.create(Setup.open(edition("pa-682a").elect(), name=name), at=0)
    tables = {name: (store.table(name), store.seq(name)) for name in names}
    writer, turn = GroupCommitWriter(store.executor), 0

    def send_all() -> int:
        nonlocal turn
        turn += 1
        futures = []
        for name, (table, seq) in tables.items():
            command = _next_command(table, automation)
            futures.append(writer.send(CommandEnvelope(name, command, f"{name} {turn}", seq)))
        for name, future in zip(names, futures, strict=True):
            future.result()
            tables[name] = store.executor.cached(name) or tables[name]
        return len(names)

    for _ in range(20):
        send_all()
    before, commits, first_turn = sum(seq for _, seq in tables.values()), writer.commits, turn
    start = time.perf_counter()
    speed = _measure_rate(send_all)
    elapsed = time.perf_counter() - start
    events = sum(seq for _, seq in tables.values()) - before
    batch = (turn - first_turn) * TABLES / (writer.commits - commits)
    writer.close()
    store.close()
    return speed, events / elapsed, batch


def _next_command(table: Table, automation: Automation) -> c.Command:
    if table.phase is Phase.CLOSED:
        return c.ReceiveCards(by=SYSTEM, at=0, decks=(1,))
    for seat in (1, 2):
        if seat not in table.seats:
            return c.Sit(by=SYSTEM, at=0, patron=f"Pat {seat}", seats=(seat,))
        if table.balances[f"Pat {seat}"] < 1_000_00:
            return c.BuyIn(by=SYSTEM, at=0, patron=f"Pat {seat}", amount=1_000_000_00)
    if table.phase is Phase.BETTING:
        for seat in (1, 2):
            if seat not in table.wagers:
                return c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00)
        return c.AnnounceNoMoreBets(by=SYSTEM, at=0)
    if table.phase is Phase.DECIDING and table.round is not None:
        return c.Decide(by=SYSTEM, at=0, seat=table.round.waiting[0], amount=5_00)
    command = automation.next(table, 0)
    assert command is not None
    return command


@contextmanager
def postgresql() -> Iterator[str]:
    """Runs a server with default settings in a temporary folder, with durable commits."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(folder, user.pw_uid, user.pw_gid)

    def call(program: str, *arguments: str) -> None:
        as_user: dict[str, Any] = (
            {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        )
        command = [str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_user)

    call("initdb", "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C")
    call("pg_ctl", "-w", "-l", str(folder / "log"), "-o", f"-p {port} -k {folder}", "start")
    try:
        yield f"postgresql://croupier@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "-w", "-m", "fast", "stop")
        shutil.rmtree(folder)

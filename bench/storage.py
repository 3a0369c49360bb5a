"""Part 5: durable commands a second through the store, against bare appends to the same kind of database.

Sixty-four tables, one command each on its way at a time, so a commit carries up to sixty-four. A command
is decided, its events hashed, booked and written with its key; the bare append writes one row of the same size.
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
"""As long as an event's hash, columns and JSON are on average."""
TARGETS = {"SQLite": 2_000, "PostgreSQL": 1_000}


def run() -> list[Result]:
    """Both databases, each with its bare appends in the same run."""
    found: list[Result] = []
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
    try:
        found += _of("SQLite", f"sqlite:///{folder / 'store.db'}")
        with postgresql() as url:
            found += _of("PostgreSQL", url)
    finally:
        shutil.rmtree(folder)
    return found


def _of(name: str, url: str) -> list[Result]:
    single, many = _appends(url, 1), _appends(url, 64)
    commands, events, batch = _commands(url)
    target = TARGETS[name]
    return [
        Result(f"store: {name}, bare append, 1 a commit", single, "rows/s"),
        Result(f"store: {name}, bare append, 64 a commit", many, "rows/s"),
        Result(
            f"store: {name}, commands ({batch:.0f} a commit)",
            commands,
            "commands/s",
            f"{target:,} commands/s",
            commands / target,
            1.0,
        ),
        Result(f"store: {name}, events of those", events, "events/s", "bare append, 1 a commit", events / single),
        Result(f"store: {name}, events of those", events, "events/s", "bare append, 64 a commit", events / many),
    ]


def _for_a_while(work: Callable[[], int]) -> float:
    """How much is done in a second, over a few."""
    work()
    count, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < SECONDS:
        count += work()
    return count / passed


def _appends(url: str, at_once: int) -> float:
    database = Database(url)
    metadata = sa.MetaData()
    bare = sa.Table(
        f"bare_{at_once}", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("data", sa.Text)
    )
    metadata.create_all(database.engine)
    rows = [{"data": ROW}] * at_once

    def append() -> int:
        with database.write_transaction() as connection:
            connection.execute(sa.insert(bare), rows)
        return at_once

    speed = _for_a_while(append)
    database.close()
    return speed


def _commands(url: str) -> tuple[float, float, float]:
    """Commands and events a second, and how many commands a commit carried."""
    store, automation = Store(url), Automation(SeededShuffle("bench"))
    names = [f"table {number}" for number in range(TABLES)]
    for name in names:
        store.create(Setup.open(edition("pa-682a").elect(), name=name), at=0)
    tables = {name: (store.table(name), store.seq(name)) for name in names}
    writer, sent = GroupCommitWriter(store), 0

    def turn() -> int:
        nonlocal sent
        sent += 1
        futures = []
        for name, (table, seq) in tables.items():
            command = _next(table, automation)
            futures.append(writer.send(CommandEnvelope(name, command, f"{name} {sent}", seq)))
        for name, future in zip(names, futures, strict=True):
            future.result()
            tables[name] = store.cached(name) or tables[name]
        return len(names)

    for _ in range(20):
        turn()
    before, commits, asked = sum(seq for _, seq in tables.values()), writer.commits, sent
    start = time.perf_counter()
    speed = _for_a_while(turn)
    passed = time.perf_counter() - start
    events = sum(seq for _, seq in tables.values()) - before
    batch = (sent - asked) * TABLES / (writer.commits - commits)
    writer.close()
    store.close()
    return speed, events / passed, batch


def _next(table: Table, automation: Automation) -> c.Command:
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
    """A server with its usual settings in a temporary folder, every commit on the disk."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-", dir=os.environ.get("CROUPIER_BENCH_FOLDER")))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    user = pwd.getpwnam("postgres") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    os.chown(folder, user.pw_uid, user.pw_gid)

    def call(program: str, *arguments: str) -> None:
        as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        command = [str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **as_user)

    call("initdb", "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C")
    call("pg_ctl", "-w", "-l", str(folder / "log"), "-o", f"-p {port} -k {folder}", "start")
    try:
        yield f"postgresql://croupier@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "-w", "-m", "fast", "stop")
        shutil.rmtree(folder)

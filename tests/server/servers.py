"""A real server in a thread: sockets, people of every role, and a clock that the test controls."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop

from croupier.client import Client, RequestFailed
from croupier.server.accounts.users import Person
from croupier.server.app import Application, application
from croupier.server.config import Config, GuestSettings, WebSettings
from croupier.server.http_server import HttpServer
from croupier.server.launcher import http_settings
from croupier.server.logs import is_relevant, log
from croupier.server.tables.service import TableService, TableSettings, default_settings
from croupier.storage import Store
from croupier.storage.currency import Currency
from croupier.storage.repositories import journal
from croupier.table import Table
from croupier.table.model.roles import SYSTEM, Role
from croupier.table.model.setup import Setup
from tests.server.accounts.services import Clock, fast_hasher
from tests.storage.databases import new_sqlite_file
from tests.storage.rounds import fund_wallet

T = TypeVar("T")
ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
STAFF = tuple(role for role in ROLES if role is not Role.PATRON)
TEST_CONFIG = Config(
    play_money_only=False,
    guests=GuestSettings(allowed=False),
    web=WebSettings(requests_per_second=0, commands_per_second=0, guests_per_minute=100_000),
)
"""No tables until the test opens some, and no rate limits."""
TIMEOUT_SECONDS = 60.0
"""How long to wait for anything before the test fails."""


class LogRecorder(logging.Handler):
    """Keeps the log records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    @property
    def text(self) -> str:
        formatter = logging.Formatter()
        return "\n".join(f"{formatter.format(record)} {vars(record)}" for record in self.records)

    def errors(self) -> list[str]:
        """Logged errors and tracebacks, which no request may cause."""
        formatter = logging.Formatter()
        records = [record for record in self.records if is_relevant(record)]
        errors = [record for record in records if record.levelno >= logging.ERROR or record.exc_info]
        return [formatter.format(record) for record in errors]


class Server:
    """A running server."""

    def __init__(self, app: Application, clock: Clock, logs: LogRecorder) -> None:
        self.app = app
        self.clock = clock
        self.logs = logs
        self.tables, self.services, self.store = app.tables, app.services, app.tables.store
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self.loop = self._runner.get_loop()
        self.http_server = HttpServer(http_settings(app, app.tables.config))
        self._thread = threading.Thread(target=self._run)
        self._clients: list[Client] = []
        self._started = threading.Event()

    def _run(self) -> None:
        async def serve() -> None:
            task = asyncio.ensure_future(self.http_server.serve(sockets=[self.listener]))
            while not self.http_server.started and not task.done():
                await asyncio.sleep(0.005)
            self._started.set()
            await task

        with self._runner:
            self._runner.run(serve())

    def start(self) -> None:
        self._thread.start()
        assert self._started.wait(TIMEOUT_SECONDS)
        assert self.http_server.started

    def stop(self) -> None:
        for client in self._clients:
            client.close()
        self.http_server.should_exit = True
        self._thread.join(TIMEOUT_SECONDS)
        assert not self._thread.is_alive()

    def run_on_loop(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine on the server's event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(TIMEOUT_SECONDS)

    # People.

    def add_person(self, name: str, role: Role, *, cents: int = 0, currency: Currency = Currency.REAL) -> Client:
        """Adds a person and signs them in; a patron gets an account with this much money."""
        if currency is Currency.PLAY:
            self.store.open_wallet(name, currency)
        password = fast_hasher().hash("a password 1")
        account = self.services.users.create(name, role, by=SYSTEM, password=password, approved_by="a second person")
        if cents:
            fund = fund_wallet if currency is Currency.REAL else journal.add_play_money
            fund(self.store, at=self.clock(), patron=name, cents=cents)
        return self.new_session(account)

    def new_session(self, person: Person) -> Client:
        """Opens another session for a person."""
        client = self.anonymous_client()
        client.token, _ = self.services.sessions.open(person)
        client.name = person.name
        return client

    def anonymous_client(self) -> Client:
        client = Client(self.address, timeout=TIMEOUT_SECONDS)
        self._clients.append(client)
        return client

    # Tables.

    def open_table(self, setup: Setup, settings: TableSettings | None = None, link: str = "") -> str:
        self.tables.open_table(setup, settings or default_settings(self.tables.config), self.clock(), link)
        return setup.name

    def state(self, name: str) -> tuple[Table, int]:
        return self.store.current(name)


@contextmanager
def run_server(database_url: str, config: Config = TEST_CONFIG, clock: Clock | None = None) -> Iterator[Server]:
    """Runs a server on a database; it must log no errors."""
    test_clock, logs = clock or Clock(), LogRecorder()
    path = Path(database_url)
    if "://" not in database_url and not path.exists():
        new_sqlite_file(path)
    store = Store(database_url)
    config = replace(config, database=database_url)
    loggers = [log, logging.getLogger("uvicorn"), logging.getLogger("uvicorn.error"), logging.getLogger("asyncio")]
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [logs], False
        logger.setLevel(logging.INFO)
    try:
        server = Server(application(config, TableService(config, store, test_clock, test_clock)), test_clock, logs)
        server.start()
        try:
            yield server
        finally:
            server.stop()
        assert not logs.errors(), "\n".join(logs.errors())
    finally:
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)


def expect_refusal(client: Client, method: str, path: str, payload: Any = None) -> RequestFailed:
    """Sends a request that the server must refuse, in one line."""
    with pytest.raises(RequestFailed) as raised:
        client.get(path) if method == "GET" else client.post(path, payload)
    refusal = raised.value
    assert refusal.reason
    assert "\n" not in refusal.reason
    return refusal

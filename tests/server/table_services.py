"""A server for the tests: real sockets, a loop in a thread of its own, people of every role, a clock that obeys."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import pytest
import uvloop

from croupier.client import Client, RequestFailed
from croupier.server.accounts.users import Person
from croupier.server.app import Application, application
from croupier.server.config import Config, GuestSettings, WebSettings
from croupier.server.http_server import HttpServer
from croupier.server.launcher import http_settings
from croupier.server.logs import is_news, log
from croupier.server.tables.service import TableService
from croupier.server.tables.settings import TableSettings, default_settings
from croupier.storage import Store
from croupier.storage.repositories import journal
from croupier.table import Table
from croupier.table.model.roles import Role
from croupier.table.model.setup import Setup
from tests.server.accounts.services import Clock, cheap

T = TypeVar("T")
ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
STAFF = tuple(role for role in ROLES if role is not Role.PATRON)
QUIET = Config(
    guests=GuestSettings(allowed=False),
    web=WebSettings(requests_per_second=0, commands_per_second=0, guests_per_minute=100_000),
)
"""No tables but those that a test opens, and no limit on how often it asks."""
WAIT = 60.0
"""Seconds after which something that must happen counts as lost."""


class Lines(logging.Handler):
    """Keeps what is logged, as it is written."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    @property
    def text(self) -> str:
        formatter = logging.Formatter()
        return "\n".join(f"{formatter.format(record)} {vars(record)}" for record in self.records)

    def faults(self) -> list[str]:
        """What no request may cause: tracebacks and errors."""
        formatter = logging.Formatter()
        said = [record for record in self.records if is_news(record)]
        bad = [record for record in said if record.levelno >= logging.ERROR or record.exc_info]
        return [formatter.format(record) for record in bad]


class Server:
    """A server that is up."""

    def __init__(self, app: Application, clock: Clock, lines: Lines) -> None:
        self.app = app
        self.clock = clock
        self.lines = lines
        self.tables, self.services, self.store = app.tables, app.services, app.tables.store
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self.loop = self._runner.get_loop()
        self.http_server = HttpServer(http_settings(app, app.tables.config))
        self._thread = threading.Thread(target=self._run)
        self._made: list[Client] = []
        self._up = threading.Event()

    def _run(self) -> None:
        async def serve() -> None:
            serving = asyncio.ensure_future(self.http_server.serve(sockets=[self.listening]))
            while not self.http_server.started and not serving.done():
                await asyncio.sleep(0.005)
            self._up.set()
            await serving

        with self._runner:
            self._runner.run(serve())

    def start(self) -> None:
        self._thread.start()
        assert self._up.wait(WAIT)
        assert self.http_server.started

    def stop(self) -> None:
        for client in self._made:
            client.close()
        self.http_server.should_exit = True
        self._thread.join(WAIT)
        assert not self._thread.is_alive()

    def on_loop(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine of the server where the server runs."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(WAIT)

    # People.

    def person(self, name: str, role: Role, *, cents: int = 0) -> Client:
        """Somebody new, signed in; a patron has that much on the account."""
        made = self.services.users.create(name, role, by="test", password=cheap().hash("a password 1"))
        if cents:
            journal.add_play_money(self.store, at=self.clock(), patron=name, cents=cents)
        return self.again(made)

    def again(self, person: Person) -> Client:
        """Another connection of somebody."""
        client = self.nobody()
        client.token, _ = self.services.sessions.open(person)
        client.name = person.name
        return client

    def nobody(self) -> Client:
        client = Client(self.address, timeout=WAIT)
        self._made.append(client)
        return client

    # Tables.

    def open(self, setup: Setup, running: TableSettings | None = None, link: str = "") -> str:
        self.tables.open_table(setup, running or default_settings(self.tables.config), self.clock(), link)
        return setup.name

    def state(self, name: str) -> tuple[Table, int]:
        return self.store.current(name)


@contextmanager
def serving(where: str, config: Config = QUIET, clock: Clock | None = None) -> Iterator[Server]:
    """A server on a database, until the end of the block; what it logs must be free of faults."""
    told, lines = clock or Clock(), Lines()
    store = Store(where)
    config = replace(config, database=where)
    loggers = [log, logging.getLogger("uvicorn"), logging.getLogger("uvicorn.error"), logging.getLogger("asyncio")]
    before = [(logger, logger.handlers, logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.handlers, logger.propagate = [lines], False
        logger.setLevel(logging.INFO)
    try:
        server = Server(application(config, TableService(config, store, told, told)), told, lines)
        server.start()
        try:
            yield server
        finally:
            server.stop()
        assert not lines.faults(), "\n".join(lines.faults())
    finally:
        for logger, handlers, propagate, level in before:
            logger.handlers, logger.propagate = handlers, propagate
            logger.setLevel(level)


def refused(client: Client, method: str, path: str, said: Any = None) -> RequestFailed:
    """How the server refuses a request; fails where it does not, or not in its one form."""
    with pytest.raises(RequestFailed) as caught:
        client.get(path) if method == "GET" else client.post(path, said)
    problem = caught.value
    assert problem.reason
    assert "\n" not in problem.reason
    return problem

"""`croupier serve` as a real process on a free port, which a test can stop or kill."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from croupier.client import Client, NoResponse
from croupier.server.accounts.sessions import Sessions
from croupier.server.accounts.users import Users
from croupier.server.clock import epoch_milliseconds
from croupier.server.tables.service import TableService
from croupier.storage import Store, ledger
from croupier.table.model.roles import SYSTEM, Role
from tests.server.accounts.services import fast_hasher
from tests.storage.rounds import fund_wallet

TIMEOUT_SECONDS = 120.0
UNLIMITED = {"CROUPIER_WEB_REQUESTS_PER_SECOND": "0", "CROUPIER_WEB_COMMANDS_PER_SECOND": "0"}


class Process:
    """One server process; its log goes to a file."""

    def __init__(
        self,
        database_url: str,
        folder: Path,
        *options: str,
        environment: Mapping[str, str] | None = None,
        trusted: Path | None = None,
    ) -> None:
        self._tls_context = ssl.create_default_context(cafile=str(trusted)) if trusted else None
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / f"log-{len(list(folder.glob('log-*')))}.txt"
        self._standard_error = self.log.open("wb")
        command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--database", database_url, *options]
        self.child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=self._standard_error,
            text=True,
            env={**os.environ, **UNLIMITED, **(environment or {})},
            start_new_session=True,
        )
        assert self.child.stdout is not None
        self.greeting = self.child.stdout.readline()
        assert "Croupier at " in self.greeting, self.text
        self.address = self.greeting.split("Croupier at ")[1].split()[0]
        self._wait_until_healthy()

    def _wait_until_healthy(self) -> None:
        """Waits until the server responds."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            with Client(self.address, timeout=5, ssl_context=self._tls_context) as client:
                try:
                    client.get("/healthz")
                    return
                except NoResponse:
                    assert self.child.poll() is None, self.text
                    assert time.monotonic() < end, self.text
            time.sleep(0.05)

    @property
    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """Kills all processes of the server with SIGKILL."""
        os.killpg(self.child.pid, signal.SIGKILL)
        self._wait_for_exit()

    def stop(self) -> int:
        """Stops the server as an operator would; returns the exit code."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
        return self._wait_for_exit()

    def _wait_for_exit(self) -> int:
        code = self.child.wait(TIMEOUT_SECONDS)
        if self.child.stdout is not None:
            self.child.stdout.close()
        self._standard_error.close()
        return code

    def assert_clean(self) -> None:
        assert "Traceback" not in self.text, self.text


class ServerDatabase:
    """Direct access to a server's database: people, money, tables."""

    def __init__(self, database_url: str) -> None:
        self.store = Store(database_url)
        self.users = Users(self.store.database, now=epoch_milliseconds, note=self._open_wallet)
        self.sessions = Sessions(self.store.database, now=epoch_milliseconds)

    def _open_wallet(
        self, kind: str, name: str, details: Mapping[str, Any], *, connection: Any = None, **actors: Any
    ) -> None:
        if kind == "person_created" and details.get("role") == Role.PATRON:
            ledger.open_wallet(connection, name)

    def add_person(self, name: str, role: Role, cents: int = 0) -> str:
        """Adds a person and returns a session token."""
        account = self.users.create(name, role, by=SYSTEM, password=fast_hasher().hash("a password 1"))
        if cents:
            fund_wallet(self.store, at=epoch_milliseconds(), patron=name, cents=cents)
        return self.sessions.open(account)[0]

    def table_service(self, config: Any) -> TableService:
        """For opening tables before a server starts."""
        return TableService(config, self.store)

    def close(self) -> None:
        self.users.passwords.close()
        self.store.close()


def connect_client(address: str, token: str) -> Client:
    client = Client(address, timeout=TIMEOUT_SECONDS)
    client.token = token
    return client


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port

"""`croupier serve` as it runs in earnest: processes of its own, on a free port, killed where a test wants that."""

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
from croupier.server.tables.service import TableService, epoch_milliseconds
from croupier.storage import Store
from croupier.storage.repositories import journal
from croupier.table.model.roles import Role
from tests.server.accounts.services import cheap

SECONDS = 120.0
UNLIMITED = {"CROUPIER_WEB_REQUESTS_PER_SECOND": "0", "CROUPIER_WEB_COMMANDS_PER_SECOND": "0"}


class Process:
    """One server; its log is in a file."""

    def __init__(
        self,
        where: str,
        folder: Path,
        *options: str,
        environment: Mapping[str, str] | None = None,
        trusted: Path | None = None,
    ) -> None:
        self._trusted = ssl.create_default_context(cafile=str(trusted)) if trusted else None
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / f"log-{len(list(folder.glob('log-*')))}.txt"
        self._standard_error = self.log.open("wb")
        command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--database", where, *options]
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
        self._wait()

    def _wait(self) -> None:
        """Until it answers."""
        end = time.monotonic() + SECONDS
        while True:
            with Client(self.address, timeout=5, trusted=self._trusted) as client:
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
        """As a power cut would: at once, and all of it."""
        os.killpg(self.child.pid, signal.SIGKILL)
        self._gone()

    def stop(self) -> int:
        """As an operator would; gives the exit code."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        code = self.child.wait(SECONDS)
        if self.child.stdout is not None:
            self.child.stdout.close()
        self._standard_error.close()
        return code

    def assert_clean(self) -> None:
        assert "Traceback" not in self.text, self.text


class Books:
    """The database of such a server, from outside: people, money, tables."""

    def __init__(self, where: str) -> None:
        self.store = Store(where)
        self.users = Users(self.store.database, now=epoch_milliseconds, note=self._noted)
        self.sessions = Sessions(self.store.database, now=epoch_milliseconds)

    def _noted(self, kind: str, name: str, details: Mapping[str, Any]) -> None:
        if kind == "person_created" and details.get("role") == Role.PATRON:
            self.store.open_wallet(name)

    def token(self, name: str, role: Role, cents: int = 0) -> str:
        """Somebody new, with a session."""
        person = self.users.create(name, role, by="test", password=cheap().hash("a password 1"))
        if cents:
            journal.add_play_money(self.store, at=epoch_milliseconds(), patron=name, cents=cents)
        return self.sessions.open(person)[0]

    def tables(self, config: Any) -> TableService:
        """To open tables with, before a server starts."""
        return TableService(config, self.store)

    def close(self) -> None:
        self.users.passwords.close()
        self.store.close()


def client(address: str, token: str) -> Client:
    made = Client(address, timeout=SECONDS)
    made.token = token
    return made


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port

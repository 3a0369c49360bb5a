"""A real server in its own process, which can be killed and restarted on the same database and port."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

HIGH_LIMITS = {"CROUPIER_WEB_GUESTS_PER_MINUTE": "10000", "CROUPIER_WEB_SIGN_INS_PER_MINUTE": "10000"}
HOUSE = {"CROUPIER_PLAY_MONEY_ONLY": "false"}
"""A house: real money beside the play money of guests."""
LONG_TIMERS = {"CROUPIER_CLOCKS_BETTING_SECONDS": "120", "CROUPIER_CLOCKS_DECISION_SECONDS": "120"}


class Server:
    """`croupier serve` on an SQLite file."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.settings = {**HIGH_LIMITS, **LONG_TIMERS, **(settings or {})}
        self.address = ""
        self.links: list[str] = []
        self.port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def database(self) -> Path:
        return self.folder / "pages.db"

    @property
    def link(self) -> str:
        """The link of the first administrator."""
        return self.links[0]

    def start(self) -> None:
        """Starts the server and waits until it responds."""
        command = [sys.executable, "-m", "croupier", "serve", "--port", str(self.port)]
        command += ["--database", str(self.database)]
        log = (self.folder / "server.log").open("a")
        environment = {**os.environ, **self.settings}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        log.close()
        if self._process.stdout is None:
            raise RuntimeError("the server has no output")
        for line in self._process.stdout:
            if match := re.search(r"(http://[0-9.]+:([0-9]+))/join(#\S+)", line):
                self.links.append(f"/join{match[3]}")
            if match := re.search(r"Croupier at (http://[0-9.]+:([0-9]+))", line):
                self.address, self.port = match[1], int(match[2])
            expected = 2 if self.settings.get("CROUPIER_PLAY_MONEY_ONLY") == "false" else 1
            if self.address and (len(self.links) == expected or self.folder.joinpath("started").exists()):
                break
        self.folder.joinpath("started").touch()
        for _ in range(600):
            try:
                if httpx.get(f"{self.address}/healthz").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
        raise RuntimeError((self.folder / "server.log").read_text())

    def end(self, signal_number: signal.Signals = signal.SIGTERM) -> None:
        """Stops or kills the server."""
        if self._process is not None:
            self._process.send_signal(signal_number)
            self._process.wait(20)
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    def table(self, edition: str) -> str:
        """The name of an edition's table."""
        tables = httpx.get(f"{self.address}/api/tables").json()
        return next(str(table["table"]) for table in tables if table["edition"] == edition)

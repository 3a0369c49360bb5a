"""A real `croupier serve` process that can be killed and restarted on the same database."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from croupier.client import Client, NoResponse, RequestFailed

SETTINGS = {
    "CROUPIER_WEB_REQUESTS_PER_SECOND": "0",
    "CROUPIER_WEB_COMMANDS_PER_SECOND": "0",
    "CROUPIER_WEB_GUESTS_PER_MINUTE": "1000000",
    "CROUPIER_GUESTS_PLAY_MONEY": "100000000",
    "CROUPIER_GUESTS_ALLOWED": "true",
    "CROUPIER_OPEN": "pa-679a",
    "CROUPIER_CLOCKS_BETTING_SECONDS": "3600",
    "CROUPIER_CLOCKS_DECISION_SECONDS": "3600",
}


class Server:
    """One server; its standard error goes to `log`."""

    def __init__(self, database: str, log: Path, *options: str) -> None:
        self.database = database
        self.log = log
        self.options = options
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self.starts = 0

    def start(self, *, max_file_bytes: int = 0, wait: bool = True) -> str:
        """Starts the server and returns its URL; `max_file_bytes` limits the file size to simulate a full disk."""
        command = [sys.executable, "-m", "croupier", "serve", "--database", self.database, "--port", "0", *self.options]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, **SETTINGS},
                start_new_session=True,
            )
        if max_file_bytes:
            resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (max_file_bytes, resource.RLIM_INFINITY))
        self.starts += 1
        assert self.process.stdout is not None
        greeting = self.process.stdout.readline()
        assert greeting.startswith("Croupier at"), f"{greeting!r}\n{self.log.read_text()[-2000:]}"
        self.url = greeting.split()[2]
        if wait:
            self.wait_ready()
        return self.url

    def wait_ready(self, seconds: float = 60.0) -> None:
        """Waits until the server can execute commands."""
        end = time.monotonic() + seconds
        while True:
            try:
                with Client(self.url, timeout=5) as client:
                    client.get("/readyz")
                return
            except (RequestFailed, NoResponse):
                assert time.monotonic() < end, f"not ready\n{self.log.read_text()[-2000:]}"
                time.sleep(0.02)

    def kill(self) -> None:
        """Kills the server and its worker processes with SIGKILL."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self._wait_for_exit()

    def stop(self) -> int:
        """Stops the server gracefully and returns the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self._wait_for_exit()

    def _wait_for_exit(self) -> int:
        assert self.process is not None
        code = self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None
        return code

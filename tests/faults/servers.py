"""A real `croupier serve` in a process of its own, that can be killed and started again on the same database."""

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
    """One server. `log` is where its standard error goes."""

    def __init__(self, database: str, log: Path, *options: str) -> None:
        self.database = database
        self.log = log
        self.options = options
        self.process: subprocess.Popen[str] | None = None
        self.url = ""
        self.starts = 0

    def start(self, *, largest_file: int = 0, wait: bool = True) -> str:
        """Starts it; gives its address. `largest_file` is a disk that is full at so many bytes."""
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
        if largest_file:
            resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (largest_file, resource.RLIM_INFINITY))
        self.starts += 1
        assert self.process.stdout is not None
        greeting = self.process.stdout.readline()
        assert greeting.startswith("Croupier at"), f"{greeting!r}\n{self.log.read_text()[-2000:]}"
        self.url = greeting.split()[2]
        if wait:
            self.wait_healthy()
        return self.url

    def wait_healthy(self, seconds: float = 60.0) -> None:
        """Returns when it can carry commands out."""
        end = time.monotonic() + seconds
        while True:
            try:
                with Client(self.url, timeout=5) as client:
                    client.get("/healthz")
                return
            except (RequestFailed, NoResponse):
                assert time.monotonic() < end, f"not healthy\n{self.log.read_text()[-2000:]}"
                time.sleep(0.02)

    def kill(self) -> None:
        """Kills it at once, with all its processes: nothing is written or closed any more."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self._gone()

    def stop(self) -> int:
        """Stops it gracefully; gives the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self._gone()

    def _gone(self) -> int:
        assert self.process is not None
        code = self.process.wait(30)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None
        return code

"""The server ends with code 0 on Ctrl-C and SIGTERM, whenever they arrive, without a terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", ["Croupier at", "serving"])
def test_a_signal_ends_the_server_cleanly(tmp_path: Path, number: signal.Signals, moment: str) -> None:
    """At once after the address is printed, before the server accepts connections, and once it serves."""
    command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--database", str(tmp_path / "house.db")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if moment in line:
                break
        process.send_signal(number)
        rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0, "".join([*lines, rest])
    assert "Traceback" not in rest
